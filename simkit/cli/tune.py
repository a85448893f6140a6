"""The command that tunes the weights of players."""

from pathlib import Path

import click

from simkit.cli.common import Place, Refusal, Whole, examples, writing
from simkit.cli.study import Given, show, study_options

WORDS = ("unfair", "fair", "undecided")


@click.command(
    epilog=examples(
        "simkit tune experiments/tune_jugs.toml",
        "simkit tune experiments/tune_jugs.toml --write tuned.toml",
        "simkit tune experiments/tune_jugs.toml --fail-if unfair",
    )
)
@click.argument("file", type=Place())
@click.option("--trials", type=Whole(512, 10**8), help="Games on fresh dice for every gain, in place of the file's.")
@click.option("--write", "target", type=Place(), metavar="FILE", help="Write the tuned weights to this file too.")
@study_options
def tune(file: Path, trials: int | None, target: Path | None, given: Given) -> None:
    """Find the weights that designs are played best by, and what they gain on fresh dice.

    The table [tune] of FILE says whose weights are sought: of designs, each for itself, or of families of designs in
    common; and against whom. The weights are written to the folder of the results, with where they come from, and
    an experiment that names this file plays by them with policy = "tuned".
    """
    from simkit import api
    from simkit.report.tune import lines

    given.check_word(WORDS)
    if target is not None and target.suffix != ".toml":
        raise Refusal(f"Cannot write {target}: the name of a file of weights ends in .toml.")
    if target is not None and target.is_dir():
        raise Refusal(f"Cannot write {target}: it is a folder.")
    if target is not None and not target.parent.is_dir():
        raise Refusal(f"Cannot write {target}: there is no folder {target.parent}.")
    asked = api.tuning(file, trials=trials, seed=given.seed, set=given.settings, yes=given.yes)
    found = api.tune(asked, **given.conducting(asked.plan))
    if target is not None:
        with writing(target):
            target.write_bytes((found.folder / found.document["written"]).read_bytes())
    headers, rows = lines(found.document)
    show(found, headers, rows, right=(1, 2, 3), given=given)
