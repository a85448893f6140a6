"""House rules: what they change, in which order, and everything that can be wrong with one."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.games.pigtickler.rules import BOGS
from simkit.lab import house, rulebook, toml
from simkit.lab import plan as planning
from simkit.lab.check import check_file
from simkit.lab.house import Change, Origin, document_path, toml_text
from simkit.lab.plan import Plan
from simkit.lab.problems import ProblemError
from tests.laboratory import question, refused

RULE = 'for = "pigtickler"\ntitle = "A rule"\nwhy = "To see."\n'


def write(folder: Path, name: str, body: str, head: str = RULE) -> Path:
    """Write a house rule; `body` may begin with settings of the top level."""
    path = folder / "house" / f"{name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(head + body)
    return path


def asked(folder: Path, **tables: Any) -> Plan:
    """Plan an experiment that stands in a folder, beside its house rules."""
    return planning.make(ask(folder, **tables))


def ask(folder: Path, **tables: Any) -> Path:
    import tomli_w

    path = folder / "question.toml"
    path.write_text(tomli_w.dumps(question(**tables)))
    return path


def problem_of(folder: Path, **tables: Any) -> str:
    """Return the one problem of an experiment in a folder, as it is shown."""
    error = refused(ask(folder, **tables))
    assert len(error.problems) == 1, [problem.message for problem in error.problems]
    return str(error)


# What a house rule changes


def test_set_add_and_remove(tmp_path: Path) -> None:
    write(tmp_path, "fens", '[set]\ndice = "1d12"\n"bogs.ford" = 1\n[add.bogs]\nfen = -2\n[remove]\nbogs = ["rocks"]\n')
    course = {"steps": [{"bog": "fen"}], "turns": 1}
    rules = asked(tmp_path, house_rules=["fens"], course=course).cells[0].rules
    assert rules.dice == "1d12"
    assert rules.bogs == {name: value for name, (value, _, _) in BOGS.items() if name != "rocks"} | {
        "ford": 1,
        "fen": -2,
    }


def test_the_order_of_changes_is_record_house_rules_set_sweep_and_set_from_outside(tmp_path: Path) -> None:
    for name, modifier in (("one", 1), ("two", 2)):
        write(tmp_path, name, f'[set]\n"bogs.ford" = {modifier}\n')

    def ford(outside: dict[str, Any] | None = None, **tables: Any) -> list[int]:
        plan = planning.make(ask(tmp_path, **tables), overrides=outside)
        return [cell.rules.bogs["ford"] for cell in plan.cells]

    both = {"house_rules": ["one", "two"]}
    assert ford() == [0]
    assert ford(**both) == [2]
    assert ford(house_rules=["two", "one"]) == [1]
    assert ford(**both, set={"bogs": {"ford": 3}}) == [3]
    assert ford(**both, set={"bogs.ford": 3}, sweep={"axes": {"bogs.ford": [4, 5]}}) == [4, 5]
    assert ford({"bogs.ford": 6}, **both, set={"bogs.ford": 3}) == [6]
    assert ford({"bogs": {"ford": 6}}, **both) == [6]
    assert ford(house_rules=["one"], sweep={"axes": {"house_rules": [[], ["two"]]}}) == [1, 2]
    assert ford(sweep={"axes": {"house_rules": [["two", "one"], ["one", "two"]]}}) == [1, 2]
    assert ford(set={"bogs.ford": 3}, sweep={"axes": {"house_rules": [[], ["two"]]}}) == [3, 3]


def test_a_guard_passes_while_the_rules_are_what_they_were(tmp_path: Path) -> None:
    write(tmp_path, "one", '[set]\n"bogs.ford" = { was = 0, now = 1 }\n')
    write(tmp_path, "two", '[set]\n"bogs.ford" = { was = 1, now = 2 }\n')
    assert asked(tmp_path, house_rules=["one", "two"]).cells[0].rules.bogs["ford"] == 2


def test_a_guard_fails_loudly_when_they_have_moved(tmp_path: Path) -> None:
    write(tmp_path, "one", '[set]\n"bogs.ford" = { was = -1, now = 1 }\n')
    assert problem_of(tmp_path, house_rules=["one"]) == (
        "1 error: 'bogs.ford' is 0 now, not -1                              [override]\n"
        f"   --> {tmp_path}/house/one.toml:5:1\n"
        '   5 | "bogs.ford" = { was = -1, now = 1 }\n'
        "     | ^^^^^^^^^^^ help: the rules have moved since this was written; look again, then mend the guard\n"
        f"1 error in {tmp_path}/house/one.toml; nothing was run"
    )


def test_a_guard_tells_false_from_zero(tmp_path: Path) -> None:
    write(tmp_path, "one", "[set]\naltered_odds = { was = 0, now = true }\n")
    assert "'altered_odds' is false now, not 0" in problem_of(tmp_path, house_rules=["one"])


def test_a_house_rule_builds_on_others_and_each_is_laid_once(tmp_path: Path) -> None:
    write(tmp_path, "base", '[set]\n"bogs.ford" = { was = 0, now = 1 }\n')
    write(tmp_path, "left", 'house_rules = ["base"]\n[set]\n"bogs.snow" = { was = -2, now = -1 }\n')
    write(tmp_path, "right", 'house_rules = ["base.toml"]\n[set]\n"bogs.ford" = { was = 1, now = 2 }\n')
    plan = asked(tmp_path, house_rules=["left", "right"])
    assert (plan.cells[0].rules.bogs["ford"], plan.cells[0].rules.bogs["snow"]) == (2, -1)
    assert list(plan.house_rules) == ["base", "left", "right"]
    swept = asked(tmp_path, house_rules=["left"], sweep={"axes": {"house_rules": [[], ["right"]]}})
    assert [cell.rules.bogs["ford"] for cell in swept.cells] == [1, 2]


def test_shipped_house_rules_are_known_by_their_ids_and_a_file_beside_wins(tmp_path: Path) -> None:
    assert asked(tmp_path, house_rules=["soft-bogs"]).cells[0].rules.bogs["swamp"] == -2
    write(tmp_path, "soft-bogs", '[set]\n"bogs.swamp" = -1\n')
    assert asked(tmp_path, house_rules=["soft-bogs"]).cells[0].rules.bogs["swamp"] == -1


def test_a_path_leads_anywhere_below_the_file(tmp_path: Path) -> None:
    write(tmp_path / "deep", "mine", '[set]\n"bogs.ford" = 3\n')
    assert asked(tmp_path, house_rules=["deep/house/mine.toml"]).cells[0].rules.bogs["ford"] == 3
    assert asked(tmp_path, house_rules=["deep/../deep/house/mine.toml"]).cells[0].rules.bogs["ford"] == 3


# What can be wrong with one


@pytest.mark.parametrize(
    ("body", "says", "place"),
    [
        ('[set]\n"bogs.swmp" = 1\n', "the rules of pigtickler have no value called 'bogs.swmp'", "5:1"),
        ('[set]\nbogs = { swmp = 1 }\n', "the rules of pigtickler have no value called 'bogs.swmp'", "5:10"),
        ('[set]\nbogs = 3\n', "the rules of pigtickler have no value called 'bogs'", "5:1"),
        ('[set]\n"bogs.swamp" = 21\n', "'swamp' in [bogs] must be from -20 to 20, found 21", "5:16"),
        ('[set]\n"bogs.swamp" = true\n', "'swamp' in [bogs] must be a whole number, found true", "5:16"),
        ('[set]\ndice = "2d6++1"\n', "expected a number or dice such as 2d6, found '+'", "5:13"),
        ('[set]\nfailed_stop = "never"\n',
         '\'failed_stop\' must be one of "opponent_control", "runs_on", "stops", found the text \'never\'', "5:15"),
        ("[add.bogs]\nswamp = 1\n", "'bogs.swamp' is there already", "5:1"),
        ("[add.bogs]\nedge = 1\n", "a kind of bog cannot be called 'edge': that is what may lie ahead", "5:8"),
        ("[add.dice]\nx = 1\n", "nothing can be added to 'dice'", "5:1"),
        ('[remove]\nbogs = ["ford", "fen"]\n', "'bogs.fen' is not there to be removed", "5:17"),
        ('[remove]\ndice = ["x"]\n', "'dice.x' is not there to be removed", "5:9"),
        ("[sett]\nx = 1\n", "unknown table 'sett' at the top level", "4:2"),
        ('house_rules = ["nobody"]\n', "no house rule is called 'nobody'", "4:16"),
        ("schema = 2\n", "this simkit reads schema 1, not 2", "4:10"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_shown_in_the_house_rule(tmp_path: Path, body: str, says: str, place: str) -> None:
    path = write(tmp_path, "mine", body)
    shown = problem_of(tmp_path, house_rules=["mine"])
    assert shown.startswith(f"1 error: {says}")
    assert f"--> {path}:{place}\n" in shown
    assert f"{place.split(':')[0]} | {(RULE + body).splitlines()[int(place.split(':')[0]) - 1]}" in shown
    with pytest.raises(ProblemError) as checked:
        check_file(path)
    assert [problem.message for problem in checked.value.problems] == [
        problem.message for problem in refused(tmp_path / "question.toml").problems
    ]
    assert checked.value.sources


@pytest.mark.parametrize("key", ["for", "title", "why"])
def test_a_house_rule_says_what_it_is_for_and_why(tmp_path: Path, key: str) -> None:
    head = "".join(line for line in RULE.splitlines(keepends=True) if not line.startswith(key))
    write(tmp_path, "mine", "", head)
    assert f"1 error: the file needs '{key}'" in problem_of(tmp_path, house_rules=["mine"])


def test_a_house_rule_for_another_game(tmp_path: Path) -> None:
    write(tmp_path, "mine", "", RULE.replace("pigtickler", "chess"))
    shown = problem_of(tmp_path, house_rules=["mine"])
    assert "the house rule 'mine' is for chess, not for pigtickler" in shown
    assert '    "mine",' in shown  # at the reference
    with pytest.raises(ProblemError, match="no game is called 'chess'"):
        check_file(tmp_path / "house" / "mine.toml")


def test_an_unknown_house_rule_lists_those_there_are(tmp_path: Path) -> None:
    write(tmp_path, "softer-bogs", "")
    shown = problem_of(tmp_path, house_rules=["softer-bog"])
    assert "no house rule is called 'softer-bog'" in shown
    assert "did you mean 'softer-bogs'? there are: altered-odds, soft-bogs, softer-bogs, steady-nerves" in shown


@pytest.mark.parametrize(
    "reference",
    [
        "../outside.toml",
        "house/../../outside.toml",
        "/etc/hostname",
        "link.toml",
        "nothing.toml",
        "house",
        "a" * 300 + ".toml",
        "loop/x.toml",
    ],
)
def test_a_path_that_leads_out_or_nowhere_is_refused(tmp_path: Path, reference: str) -> None:
    (tmp_path / "outside.toml").write_text(RULE)
    inside = tmp_path / "inside"
    (inside / "house").mkdir(parents=True)
    (inside / "link.toml").symlink_to(tmp_path / "outside.toml")
    (inside / "loop").symlink_to(inside / "loop")
    assert f"no house rule is called '{reference[:80]}'" in problem_of(inside, house_rules=[reference])


def test_an_absolute_path_is_refused_even_inside(tmp_path: Path) -> None:
    path = write(tmp_path, "mine", "")
    assert "no house rule is called" in problem_of(tmp_path, house_rules=[str(path)])


@pytest.mark.parametrize("name", ["My Rule", "mine.v2", "Ünsinn", "nul", "x" * 65])
def test_the_name_of_its_file_is_its_id(tmp_path: Path, name: str) -> None:
    write(tmp_path, name, "")
    shown = problem_of(tmp_path, house_rules=[f"house/{name}.toml"])
    assert f"'{name}' cannot be the id of a house rule" in shown
    assert "name the file with small letters, digits, - and _" in shown


def test_two_files_of_one_id_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "mine", "")
    write(tmp_path / "other", "mine", "")
    shown = problem_of(tmp_path, house_rules=["mine", "other/house/mine.toml"])
    assert (
        f"two house rules are called 'mine': {tmp_path}/house/mine.toml and {tmp_path}/other/house/mine.toml" in shown
    )


def test_a_circle_is_shown(tmp_path: Path) -> None:
    write(tmp_path, "a", 'house_rules = ["b"]\n')
    write(tmp_path, "b", 'house_rules = ["c"]\n')
    write(tmp_path, "c", 'house_rules = ["a"]\n')
    shown = problem_of(tmp_path, house_rules=["a"])
    assert "these house rules go in a circle: a -> b -> c -> a" in shown
    assert f"{tmp_path}/house/c.toml:4:16" in shown
    with pytest.raises(ProblemError, match="these house rules go in a circle: b -> c -> a -> b"):
        check_file(tmp_path / "house" / "b.toml")


def test_a_house_rule_of_itself_is_a_circle(tmp_path: Path) -> None:
    write(tmp_path, "a", 'house_rules = ["a"]\n')
    assert "these house rules go in a circle: a -> a" in problem_of(tmp_path, house_rules=["a"])


def test_a_tower_of_house_rules_has_an_end(tmp_path: Path) -> None:
    for i in range(66):
        write(tmp_path, f"r{i}", f'house_rules = ["r{i + 1}"]\n' if i < 65 else "")
    assert "house rules build on one another more than 64 deep" in problem_of(tmp_path, house_rules=["r0"])
    assert len(asked(tmp_path, house_rules=["r2"]).house_rules) == 64


def test_what_is_named_twice_at_every_level_is_read_once(tmp_path: Path) -> None:
    for i in range(40):  # 2**40 ways lead down
        write(tmp_path, f"r{i}", f'house_rules = ["r{i + 1}", "r{i + 1}"]\n' if i < 39 else "[set]\nwreck_at = 5\n")
    plan = asked(tmp_path, house_rules=["r0"])
    assert plan.cells[0].rules.wreck_at == 5 and len(plan.house_rules) == 40


def test_all_problems_of_all_files_are_shown_at_once(tmp_path: Path) -> None:
    write(tmp_path, "one", '[set]\ndice = "2d"\nwreck_at = 0\n')
    write(tmp_path, "two", '[set]\n"bogs.swmp" = 3\n')
    error = refused(ask(tmp_path, house_rules=["one", "two", "three"], set={"dise": "1d6"}, report={"metric": "x"}))
    assert [problem.message for problem in error.problems] == [
        "no house rule is called 'three'",
        "pigtickler counts nothing called 'x'",
    ]  # what a missing house rule would have changed is unknown
    error = refused(ask(tmp_path, house_rules=["one", "two"], set={"dise": "1d6"}, report={"metric": "x"}))
    assert [(Path(problem.path or "").name, problem.span and problem.span.line) for problem in error.problems] == [
        ("question.toml", 18),
        ("question.toml", 21),
        ("one.toml", 5),
        ("one.toml", 6),
        ("two.toml", 5),
    ]
    assert set(error.sources) == {
        str(tmp_path / "question.toml"),
        "--set",
        *(str(tmp_path / f"house/{n}.toml") for n in ("one", "two")),
    }


# Small parts


def test_check_counts_what_a_house_rule_changes(tmp_path: Path) -> None:
    path = write(tmp_path, "mine", '[set]\ndice = "1d12"\n[add.bogs]\nfen = -2\n')
    assert check_file(path)[0] == "fine: the house rule 'A rule' changes 2 values of Pig Tickler"


def test_rules_are_shown_with_a_house_rule_laid_over(tmp_path: Path) -> None:
    write(tmp_path, "base", "[set]\nwreck_at = 4\n")
    path = write(tmp_path, "mine", 'house_rules = ["base"]\n[set]\ndice = "1d12"\n[remove]\nbogs = ["rocks"]\n')
    rows, title = rulebook.rows_with("pigtickler", path)
    found = {row.path: (row.default, row.value) for row in rows if row.default != row.value}
    assert title == "A rule"
    assert found == {"dice": ("2d6", "1d12"), "wreck_at": (3, 4), "bogs.rocks": (-1, None)}


def test_a_change_without_a_file_of_its_own_keeps_its_place() -> None:
    from simkit.games.pigtickler import game

    document = toml.parse('[set]\nbogs.swamp = -4\n"bogs.ford" = 1\n')
    change = Change.of(game)
    change.put("bogs.swamp", -4, Origin(document, document_path(document.data["set"], "bogs.swamp", ("set",))))
    assert change.origins["bogs.swamp"].key_path == ("set", "bogs", "swamp")
    assert document_path(document.data["set"], "bogs.ford", ("set",)) == ("set", "bogs.ford")
    assert document_path(document.data["set"], "wreck_at", ("set",)) == ("set",)
    assert change.rules().bogs["swamp"] == -4


PLAIN = st.one_of(
    st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
)  # fmt: skip
TREES = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(TREES)
def test_values_are_written_as_toml_reads_them(value: Any) -> None:
    assert tomllib.loads(f"value = {toml_text(value)}") == {"value": value}


def test_nothing_is_written_as_a_word() -> None:
    assert toml_text(None) == "nothing"
    assert toml_text((1, 2)) == "[1, 2]"


def test_available_lists_every_id_for_the_game_once(tmp_path: Path) -> None:
    write(tmp_path, "soft-bogs", "")
    write(tmp_path, "mine", "")
    write(tmp_path, "broken", "[")
    write(tmp_path, "other", "", RULE.replace("pigtickler", "chess"))
    for near in (tmp_path, tmp_path / "house"):
        assert sorted(house.available(near, "pigtickler")) == ["altered-odds", "mine", "soft-bogs", "steady-nerves"]
