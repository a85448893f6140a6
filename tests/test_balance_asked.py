"""What a file asks about balance: its cases, and every mistake told at its place before anything is played."""

import pytest

from simkit.balance.items.cases import Asked
from simkit.lab import plan as planning
from simkit.lab.problems import ProblemError
from tests.laboratory import text

HEAD = """
schema = 1
name = "q"
game = "jugger"
[sides]
a = { design = "archer" }
b = { design = "archer" }
[scenario]
distance = 3
"""
TABLE = """
[balance]
items = ["legs"]
budgets = [2, 3]
trials = 200_000
frame = { sample = 6, holders = 3, strongest = 4, tried = 12 }
"""
LISTED = """
[balance]
items = ["shooting"]
trials = 10_000
[balance.builds]
far = { items = ["shooting"], design = "archer" }
near = { design = "axer" }
middling = { design = { size = 3, equipment = ["armor", "catapult", "mace arm"] } }
"""


def asked(tables, *, trials=None, head=HEAD):
    return Asked(planning.make(text(head + tables)), trials)


def wrong(tables, **more):
    """Messages and places of what is wrong with a question."""
    with pytest.raises(ProblemError) as caught:
        asked(tables, **more)
    source = (more.get("head", HEAD) + tables).split("\n")
    found = []
    for problem in caught.value.problems:
        assert problem.span is not None and problem.path == "question.toml"
        line = source[problem.span.line - 1]
        found.append((problem.message, line[problem.span.column - 1 : problem.span.end_column - 1], problem.help or ""))
    return found


def test_every_budget_meets_under_every_condition():
    more = TABLE + '[balance.conditions]\npolicy = ["hold", "greedy"]\n"scenario.distance" = [1, 3]\n'
    made = asked(more)
    assert [(case.number, case.budget, case.policy) for case in made.cases] == [
        (1, 2, "hold"),
        (2, 2, "hold"),
        (3, 2, "greedy"),
        (4, 2, "greedy"),
        (5, 3, "hold"),
        (6, 3, "hold"),
        (7, 3, "greedy"),
        (8, 3, "greedy"),
    ]
    assert made.title(made.cases[0]) == "size class 2, hold, distance: 1"
    assert len({made.title(case) for case in made.cases}) == 8
    assert made.cases[1].condition.changes == {"policy": "hold", "scenario.distance": 3}
    assert made.trials == 8 * 200_000
    assert all(len(case.pool) >= 12 for case in made.cases)
    # the same builds whoever plays them
    assert made.cases[0].frame is made.cases[3].frame
    assert "tried" in made.settings["frame"]


def test_conditions_may_be_rules_and_then_there_are_other_builds():
    made = asked(TABLE + "[balance.conditions]\nlegs_spaces = [1, 2]\n")
    names = [{build.name for build in case.frame.builds} for case in made.cases[:2]]
    assert names[0] != names[1]
    assert [case.condition.rules.legs_spaces for case in made.cases[:2]] == [1, 2]


def test_trials_may_go_by_policy_and_be_given_outside():
    table = TABLE.replace("trials = 200_000", "trials = { hold = 150_000, others = 210_000 }")
    more = table + '[balance.conditions]\npolicy = ["hold", "greedy"]\n'
    assert [case.trials for case in asked(more).cases[:2]] == [150_000, 210_000]
    assert {case.trials for case in asked(more, trials=300_000).cases} == {300_000}


def test_prices_are_tried_in_cases_of_their_own():
    more = TABLE + '[balance.conditions]\npolicy = ["hold", "greedy"]\n[balance.prices.legs]\npath = "legs_spaces"\n'
    more += 'values = [0, 1, 2]\nbudgets = [3]\nconditions = { policy = ["hold"] }\ntrials = 180_000\n'
    made = asked(more)
    priced = [case for case in made.cases if case.price is not None]
    assert [case.price for case in priced] == [("legs", 0), ("legs", 1), ("legs", 2)]
    assert {(case.budget, case.policy, case.trials) for case in priced} == {(3, "hold", 180_000)}
    assert [case.condition.rules.legs_spaces for case in priced] == [0, 1, 2]
    assert len({made.title(case) for case in priced}) == 1
    assert {case.trials for case in asked(more, trials=250_000).cases} == {250_000}


def test_builds_of_a_file_meet_by_what_they_have_equal():
    groups = LISTED.replace("near = {", 'near = { budget = ["small", "large"],')
    groups = groups.replace("far = {", 'far = { budget = "small",').replace(
        "middling = {", 'middling = { budget = "large", '
    )
    groups = groups.replace(
        'items = ["shooting"], design = "archer" }',
        'items = ["shooting"], design = "archer" }\n'
        'larger = { budget = "large", items = ["shooting"], design = "warbah" }',
    )
    made = asked(groups)
    assert [(made.title(case), [build.name for build in case.frame.builds]) for case in made.cases] == [
        ("small", ["far", "near"]),
        ("large", ["larger", "near", "middling"]),
    ]
    assert asked(LISTED).cases[0].frame.items[0].holders.tolist() == [True, False, False]


def test_what_is_forbidden_leaves_listed_builds_out():
    more = LISTED.replace("near = {", 'near = { items = ["axes"],').replace(
        '["shooting"]\ntrials', '["shooting"]\nwithout = ["axes"]\ntrials'
    )
    assert [build.name for build in asked(more).cases[0].frame.builds] == ["far", "middling"]


@pytest.mark.parametrize(
    ("old", "new", "message", "at", "help"),
    [
        (
            'items = ["legs"]',
            'items = ["leggs"]',
            "no build has an item called 'leggs'",
            '"leggs"',
            "did you mean 'legs'?",
        ),
        ("[2, 3]", "[2, 33]", "size class 33 is out of range", "33", "from 1 to 20"),
        (
            'items = ["legs"]',
            'items = ["legs"]\nwithout = ["legs"]',
            "'legs' is judged and forbidden",
            '"legs"',
            "leave it out",
        ),
        ("trials = 200_000", "trials = 100", "100 trials are too few for", "100", "at least"),
        ('items = ["legs"]', "items = []", "budgets need items to judge", "[2, 3]", ""),
        ("budgets = [2, 3]\n", "", "items need builds to be judged by", '["legs"]', ""),
        ("budgets = [2, 3]", "budgets = [2, 2]", "budgets holds something twice", "[2, 2]", "each once"),
        ("trials = 200_000", "delta = 0.1", "severe is 0.05, below delta = 0.1", "", "delta at least"),
        ("trials = 200_000", "dleta = 0.1", "dleta", "dleta", "delta"),
    ],
)
def test_mistakes_of_the_table(old, new, message, at, help):
    assert old in TABLE
    ((said, where, hint),) = wrong(TABLE.replace(old, new))
    assert message in said
    assert at in where
    assert help in hint


@pytest.mark.parametrize(
    ("more", "message", "at"),
    [
        ('[balance.conditions]\npolicy = ["hodl"]\n', "hodl", "hodl"),
        ("[balance.conditions]\nlegs_spacse = [1]\n", "legs_spacse", "legs_spacse"),
        ('[balance.conditions]\nlegs_spaces = ["many"]\n', "legs_spaces", "many"),
        ('[balance.conditions]\n"sides.a" = [{ design = "axer" }]\n', "'sides.a' cannot be a condition", "axer"),
        ('[balance.prices.legs]\npath = "legs_spaces"\nvalues = [2, 1]\n', "prices to try rise", "[2, 1]"),
        ('[balance.prices.legs]\npath = "leg_spaces"\nvalues = [1, 2]\n', "leg_spaces", "values"),
        (
            '[balance.prices.sails]\npath = "sails_spaces"\nvalues = [1, 2]\n',
            "a price for 'sails', which is not judged",
            "",
        ),
        (
            '[balance.prices.legs]\npath = "legs_spaces"\nvalues = [1, 2]\nconditions = { plicy = ["hold"] }\n',
            "'plicy' is none of the conditions",
            '["hold"]',
        ),
        (
            '[balance.prices.legs]\npath = "legs_spaces"\nvalues = [1, 2]\nbudgets = [7]\n',
            "7 is none of the budgets",
            "7",
        ),
    ],
)
def test_mistakes_of_conditions_and_prices(more, message, at):
    found = wrong(TABLE + more)
    assert any(message in said and at in where for said, where, _ in found), found


@pytest.mark.parametrize(
    ("old", "new", "message", "at"),
    [
        ('design = "axer"', 'design = "akser"', "akser", '"akser"'),
        ('design = "axer"', 'desing = "axer"', "desing", "desing"),
        ('items = ["shooting"], design', "items = [1], design", "items is a list of names", "[1]"),
        ('design = "axer"', 'design = "axer", budget = 1.5', "1.5 is no budget", "1.5"),
        (
            'items = ["shooting"]\ntrials',
            'items = ["shouting"]\ntrials',
            "no build has an item called 'shouting'",
            "shouting",
        ),
        (
            "trials = 10_000",
            'trials = 10_000\nswaps = { shooting = [["far", "nera"]] }',
            "no build is called 'nera'",
            "nera",
        ),
        (
            "trials = 10_000",
            'trials = 10_000\nswaps = { shooting = [["near", "far"]] }',
            "gives no shooting away",
            "near",
        ),
        ("trials = 10_000", 'trials = 10_000\nswaps = { legs = [["near", "far"]] }', "swaps for 'legs'", "near"),
    ],
)
def test_mistakes_of_listed_builds(old, new, message, at):
    assert old in LISTED
    found = wrong(LISTED.replace(old, new, 1))
    assert any(message in said and at in where for said, where, _ in found), found


def test_what_the_game_cannot_count_is_told_at_the_door():
    found = wrong(TABLE.replace("[2, 3]", "[2, 20]") + "[set]\nspaces_per_size = 2\n")
    assert found[0][:2] == ("40 spaces to fill; builds of up to 24 are counted", "20")


@pytest.mark.parametrize("axis", ["{ range = [1, 50] }", "[" + ", ".join(map(str, range(1, 40))) + "]"])
def test_too_many_conditions_are_refused_before_they_are_made(axis):
    more = f'[balance.conditions]\n"scenario.distance" = {axis}\nlegs_spaces = {{ range = [1, 20] }}\n'
    ((said, _, help),) = wrong(TABLE + more)
    assert said in ("1,000 conditions", "780 conditions") and "at most 500 cases" in help


def test_all_mistakes_are_told_at_once():
    bad = TABLE.replace('["legs"]', '["leggs", "sials"]').replace("[2, 3]", "[0, 3]")
    assert len(wrong(bad)) == 3


def test_a_file_without_the_table_is_told_what_to_write():
    with pytest.raises(ProblemError, match="there is no table \\[balance\\] in this file"):
        asked("")


def test_a_game_of_one_side_has_options_alone():
    head = 'schema = 1\nname = "q"\ngame = "pigtickler"\n[course]\nsteps = [{ bog = "swamp" }]\nturns = 2\n'
    found = wrong('[balance]\nitems = ["x"]\nbudgets = [1]\n', head=head)
    assert found[0][0] == "Pig Tickler has no builds of a budget"
    made = asked("[balance.options.odds]\nset = { altered_odds = true }\n", head=head)
    assert not made.cases and len(made.pairs) == 1
    assert made.pairs[0].having.rules.altered_odds and not made.pairs[0].without.rules.altered_odds
    bad = wrong("[balance.options.odds]\nset = { altered_ods = true }\n", head=head)
    assert "altered_ods" in bad[0][0] and "altered_ods" in bad[0][1]
