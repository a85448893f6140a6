"""Every rule id of the rules of record has a test that cites it."""

import pytest

from simkit.games import protocol
from tests.rule_index import ROOT, cited, wanted


@pytest.mark.parametrize("game", protocol.find())
def test_every_rule_id_is_cited_by_a_test(game):
    tests = cited(ROOT / "tests", (".py", ".toml"))
    assert wanted(game) and [id for id in wanted(game) if id not in tests] == []
