"""Every answer of the corpus is valid against the JSON Schema of its command.

The schemas are those that are made from the types of the answers; the validator knows nothing of lightloom.
Python's is used, not a crate: it comes as a wheel, and takes no time to compile.
"""

import json
import shlex
import subprocess
import tomllib
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SCHEMAS = ROOT / "crates/lightloom/schemas"
# Questions that only libraries ask.
UNTOLD = {"cabling", "dark", "floor", "look"}


def schema_of(command):
    return json.loads((SCHEMAS / f"{command}.json").read_text())


def test_examples_are_valid():
    """The files of examples, as an editor checks them."""
    count = 0
    for file in (ROOT / "examples").glob("*.toml"):
        read = tomllib.loads(file.read_text())
        if "room" in read or "group" in read and "network" not in read:
            # A building file, which `hall.building` of a design names, or a file of groups for `configs`. Neither has a
            # schema.
            continue
        if "tor" in read and "fabric" not in read:
            # Failure rates for `risk --rates` have none either.
            continue
        kind = "design" if "fabric" in read or "hall" in read else "scenario"
        schema = json.loads((ROOT / f"docs/{kind}.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        error = jsonschema.exceptions.best_match(validator.iter_errors(read))
        assert error is None, f"{file.name}: {error.json_path}: {error.message}"
        assert not validator.is_valid({**read, "colour": "red"}), file.name
        count += 1
    assert count >= 4


def commands():
    """The commands of the corpus that answer with JSON, each as a list of arguments."""
    corpus, examples = ROOT / "tests/corpus", ROOT / "examples"
    lines = (corpus / "commands.txt").read_text().splitlines()
    lines = [line.format(corpus=corpus, examples=examples) for line in lines if line.endswith("--json")]
    return [shlex.split(line) for line in lines]


@pytest.fixture(scope="module")
def answers(lightloom, tmp_path_factory):
    """Command and answer, of those commands that are not refused."""
    folder = tmp_path_factory.mktemp("corpus")
    found = []
    for command in commands():
        run = subprocess.run([lightloom, *command], cwd=folder, capture_output=True, text=True, check=False)
        if run.returncode in (0, 1):
            found.append((command, json.loads(run.stdout)))
    return found


def test_each_schema_is_one():
    for file in SCHEMAS.iterdir():
        jsonschema.Draft202012Validator.check_schema(json.loads(file.read_text()))


def name_of(command):
    """The name of the schema of a command's answer."""
    if "--form" in command:
        return "as-built-form"
    if command[0] == "configs" and command[1] in ("diff", "verify"):
        return f"configs-{command[1]}"
    if command[0] == "trace":
        return "application-trace"
    if command[0] == "budget" and "--trace" in command:
        return "trace"
    return "spec" if "--spec" in command else command[0]


def test_answers_are_valid(answers):
    names = {name_of(command) for command, _ in answers}
    assert names == {file.stem for file in SCHEMAS.iterdir()} - UNTOLD
    validators = {name: jsonschema.Draft202012Validator(schema_of(name)) for name in names}
    for command, answer in answers:
        error = jsonschema.exceptions.best_match(validators[name_of(command)].iter_errors(answer))
        assert error is None, f"{shlex.join(command)}: {error.json_path}: {error.message}"


def test_wrong_answers_are_not(answers):
    """Each key that is always there is asked for, and no value may be of another kind."""
    seen = set()
    for command, answer in answers:
        name = name_of(command)
        if name in seen:
            continue
        seen.add(name)
        validator = jsonschema.Draft202012Validator(schema_of(name))
        assert not validator.is_valid({**answer, "format": 2}), name
        for key in schema_of(name).get("required", []):
            assert not validator.is_valid({k: v for k, v in answer.items() if k != key}), f"{name}: {key}"
            assert not validator.is_valid({**answer, key: [[{}]]}), f"{name}: {key}"
