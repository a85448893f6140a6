"""Files of tuned weights: named by an experiment, laid into it, and refused where they do not fit."""

from pathlib import Path

import pytest

from simkit.cli import call
from simkit.lab import plan as planning
from simkit.lab.problems import ProblemError
from simkit.lab.resolve import dumps, resolved
from simkit.lab.weights import written

HEAD = 'schema = 1\nname = "x"\ngame = "jugger"\n'
SIDES = '[sides]\na = { design = "archer", policy = "tuned" }\nb = { design = "cutter" }\n'
MINE = '[weights.mine]\ndesign = "archer"\nvalues = { aim = 33 }\n'


def planned(folder: Path, tuned: str, own: str = "", text: str = f'schema = 1\ntuned = "jugger"\n{MINE}'):
    folder.mkdir(exist_ok=True)
    (folder / "mine.toml").write_text(text)
    (folder / "x.toml").write_text(f"{HEAD}tuned = {tuned}\n{SIDES}{own}")
    return planning.make(folder / "x.toml")


def aim(plan) -> int:
    return int(plan.cells[0].setup.weights[0]["aim"])


def test_an_experiment_plays_by_the_weights_of_a_file(tmp_path):
    assert aim(planned(tmp_path, '["mine.toml"]')) == 33
    below = tmp_path / "below"
    below.mkdir()
    (below / "other.toml").write_text(f'schema = 1\ntuned = "jugger"\n{MINE.replace("33", "44")}')
    assert aim(planned(tmp_path, '["below/other.toml", "mine.toml"]')) == 44


def test_its_own_weights_come_first(tmp_path):
    assert aim(planned(tmp_path, '["mine.toml"]', MINE.replace("33", "55"))) == 55


def test_the_resolved_experiment_stands_alone(tmp_path):
    plan = planned(tmp_path, '["mine.toml"]')
    (tmp_path / "alone").mkdir()
    file = tmp_path / "alone" / "x.toml"
    file.write_text(dumps(resolved(plan)))
    assert "tuned = [" not in file.read_text()
    assert planning.make(file).cells[0].fingerprint == plan.cells[0].fingerprint


def test_what_is_written_is_read(tmp_path):
    tables = {"mine": {"design": "archer", "title": "Archer", "values": {"aim": 66}}}
    text = written("jugger", "Who?", {"seed": 3, "opponents": ["axer"]}, tables)
    assert aim(planned(tmp_path, '["mine.toml"]', text=text)) == 66


def test_a_file_of_weights_is_checked_as_what_it_is(tmp_path, capsys):
    file = tmp_path / "mine.toml"
    file.write_text(f'schema = 1\ntuned = "jugger"\n{MINE}')
    assert call(["check", str(file)]) == 0
    assert "fine: 1 table of tuned weights for Jugger" in capsys.readouterr().out
    assert call(["run", str(file)]) == 2
    assert "these are tuned weights, no experiment" in capsys.readouterr().err
    file.write_text(f'schema = 1\ntuned = "jugger"\n{MINE.replace("33", "3333").replace("archer", "archr")}')
    assert call(["check", str(file)]) == 2
    assert "mine.toml:5:18" in capsys.readouterr().err
    file.write_text('schema = 1\ntuned = "chess"\nweights = {}\n')
    assert call(["check", str(file)]) == 2
    assert "nobody tunes players of 'chess'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("tuned", "text", "message"),
    [
        ('["other.toml"]', None, "there is no file of tuned weights 'other.toml'"),
        ('["../mine.toml"]', None, "there is no file of tuned weights '../mine.toml'"),
        ('["mine.txt"]', None, "there is no file of tuned weights 'mine.txt'"),
        ('["mine.toml"]', 'schema = 1\ntuned = "pigtickler"\nweights = {}\n', "are for pigtickler, not for jugger"),
        ('["mine.toml"]', "schema = 1\n", "the file needs 'tuned'"),
        ('"mine.toml"', None, "'tuned' must be a list"),
        ('["mine.toml"]', f'schema = 1\ntuned = "jugger"\n{MINE.replace("33", "3333")}', "from 0 to 1,000"),
    ],
)
def test_files_that_do_not_fit(tmp_path, tuned, text, message):
    with pytest.raises(ProblemError) as caught:
        planned(tmp_path, tuned, text=text or f'schema = 1\ntuned = "jugger"\n{MINE}')
    assert any(message in one.message for one in caught.value.problems), caught.value.problems
