"""Replays plan folders from their sheets, and folders in which one thing is wrong: each must fail by its fault.

A design is planned once. `plant_replay.replay` names the faults of a folder.
"""

import csv
import json
import random
import shutil
import subprocess

import pytest
from light import toml
from plant_designs import DESIGNS, INTERFACES, OWN, RACKS
from plant_replay import replay


def write_devices(path):
    """The devices of the example, and a server below each ToR."""
    with open(INTERFACES["devices"], newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    leaves = [row for row in rows if row["Role"] == "Leaf" and row["Position"]]
    below = {"Role": "Server", "Type": "1U server"}
    rows += [row | below | {"Name": f"below {row['Name']}", "Position": int(row["Position"]) - 1} for row in leaves]
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture(scope="session")
def planned(lightloom, tmp_path_factory):
    """The folder of a design by its name, made when it is first asked for."""
    root, done = tmp_path_factory.mktemp("plants"), {}
    (root / "racks.csv").write_text(RACKS)
    (root / "own.toml").write_text(OWN)
    write_devices(root / "devices.csv")

    def plan(name):
        if name not in done:
            (root / f"{name}.toml").write_text("version = 1\n" + toml(DESIGNS[name]))
            line = [lightloom, "plan", f"{name}.toml", "--out", name]
            made = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60, cwd=root)
            assert made.returncode in (0, 1), made.stderr
            done[name] = root / name
        return done[name]

    return plan


@pytest.mark.parametrize("name", DESIGNS)
def test_the_sheets_agree(planned, name):
    assert replay(planned(name)) == []


@pytest.mark.parametrize("name", [name for name in DESIGNS if name.startswith("grows")])
def test_a_plan_that_grew_and_shrank_agrees(planned, lightloom, tmp_path, name):
    folder = planned(name)
    for verb, number in (("grow", 11), ("grow", 24), ("shrink", 22), ("grow", 27)):
        line = [lightloom, verb, folder, "--tors", str(number), "--out", tmp_path / str(number)]
        done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        folder = tmp_path / str(number)
        assert replay(folder) == []


class Sheets:
    """A copy of a folder whose sheets can be changed."""

    def __init__(self, folder, copy):
        self.folder = shutil.copytree(folder, copy)

    def rows(self, sheet):
        with open(self.folder / f"{sheet}.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def write(self, sheet, rows, columns=None):
        with open(self.folder / f"{sheet}.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns or rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)

    def change(self, sheet, meant, to):
        """Gives the first row of which `meant` is true to `to`, which changes it."""
        rows = self.rows(sheet)
        to(next(row for row in rows if meant(row)))
        self.write(sheet, rows)

    def without(self, sheet, number):
        rows = self.rows(sheet)
        del rows[number]
        self.write(sheet, rows)

    def kinds(self):
        return {fault.kind for fault in replay(self.folder)}


PLACE = ["module", "side", "port", "position"]


def swap_ends(row, columns):
    for column in columns:
        row[f"near_{column}"], row[f"far_{column}"] = row[f"far_{column}"], row[f"near_{column}"]


def trunk_turned(sheets):
    """Its near end in the frame, its far end at the row: light goes against it."""
    rows = sheets.rows("strands")
    for row in rows:
        if row["trunk"] == "T2":
            swap_ends(row, PLACE)
    sheets.write("strands", rows)


def trunk_turned_everywhere(sheets):
    """The same, with all other sheets to match: only the ways of light show it."""
    trunk_turned(sheets)
    sheets.change("trunks", lambda r: r["label"] == "T2", lambda r: swap_ends(r, ["row", "rack", "unit", "module"]))
    turn = [("labels", "line_2", "line_3"), ("pull-sheet", "near", "far"), ("pull-sheet", "row", "to_row")]
    for sheet, one, other in [*turn, ("pull-sheet", "rack", "to_rack")]:
        rows = sheets.rows(sheet)
        for row in rows:
            if row.get("item", row.get("label", "")).partition(".")[0] == "T2":
                row[one], row[other] = row[other], row[one]
                if sheet == "labels":
                    row["identifier"] = f"{row['line_2']} / {row['line_3']}"
        sheets.write(sheet, rows)


def trunks_exchanged(sheets):
    """The far ends of the first two trunks in each other's module."""
    rows = sheets.rows("strands")
    far = {name: [r for r in rows if r["trunk"] == name] for name in ("T1", "T2")}
    for one, other in zip(far["T1"], far["T2"], strict=False):
        for column in PLACE[:3]:
            one[f"far_{column}"], other[f"far_{column}"] = other[f"far_{column}"], one[f"far_{column}"]
    sheets.write("strands", rows)


def strands_exchanged(column):
    def change(sheets):
        rows = sheets.rows("strands")
        rows[0][column], rows[1][column] = rows[1][column], rows[0][column]
        sheets.write("strands", rows)

    return change


def receivers_exchanged(sheets):
    """Two branches of two transmitters into each other's receiver, with their labels."""
    rows = sheets.rows("cords")
    one, other = (next(row for row in rows if row["label"] == label) for label in ("B0.0", "B31.3"))
    for field in [field for field in one if field.startswith("far_") and field != "far_label"]:
        one[field], other[field] = other[field], one[field]
    ends = [row["near_label"].split(" / ") for row in (one, other)]
    for row, near, far in [(one, ends[0][0], ends[1][1]), (other, ends[1][0], ends[0][1])]:
        row["near_label"], row["far_label"] = f"{near} / {far}", f"{far} / {near}"
    sheets.write("cords", rows)


def cell(sheet, column, to, meant=lambda row: True):
    """One cell of the first row that is meant: a text, or what a function makes of the old one."""

    def change(sheets):
        def write(row):
            row[column] = to(row[column]) if callable(to) else to

        sheets.change(sheet, meant, write)

    return change


def gone(sheet, number=0):
    return lambda sheets: sheets.without(sheet, number)


def twice(sheet, **changes):
    def change(sheets):
        rows = sheets.rows(sheet)
        rows.append(rows[-1] | changes)
        sheets.write(sheet, rows)

    return change


def more(text):
    return str(int(text) + 1)


def shorter(text):
    return str(float(text) - 0.5)


def is_drop(row):
    return row["part"] == "drop" and row["fibre"].startswith("F")


TAMPERED = {
    "a trunk turned round": (trunk_turned, "channel"),
    "a trunk turned round in all sheets": (trunk_turned_everywhere, "channel"),
    "two trunks exchanged": (trunks_exchanged, "channel"),
    "what two strands carry exchanged": (strands_exchanged("carries"), "channel"),
    "two strands crossed in the trunk": (strands_exchanged("far_position"), "strand"),
    "two receivers exchanged": (receivers_exchanged, "fabric"),
    "a lit strand declared dark": (cell("strands", "carries", "dark"), "channel"),
    "a dark strand declared lit": (cell("strands", "carries", "B0.0", lambda r: r["carries"] == "dark"), "direction"),
    "a cord into a port that is taken": (cell("cords", "far_port", more, is_drop), "plug"),
    "a cord into a port that is not there": (cell("cords", "far_port", "25", is_drop), "place"),
    "a cord against the light": (cell("cords", "near_direction", "Rx"), "direction"),
    "a strand against the light": (cell("strands", "near_direction", lambda t: "Tx"), "direction"),
    "another polish": (cell("cords", "far_polish", "apc", is_drop), "mate"),
    "another connector": (cell("cords", "far_connector", "SC/UPC", is_drop), "mate"),
    "an adapter of another polish": (cell("modules", "front_adapter", "LC/APC", lambda r: r["map"] == "panel"), "mate"),
    "a trunk with pins": (cell("trunks", "gender", "male"), "mate"),
    "a panel without pins": (cell("modules", "rear_gender", "female", lambda r: r["map"] == "panel"), "mate"),
    "a label too few": (gone("labels", 5), "label"),
    "a label of a module too few": (gone("labels", -1), "label"),
    "a label too many": (twice("labels"), "label"),
    "a far label that is not turned round": (cell("cords", "far_label", lambda t: t + "1"), "label"),
    "a cable's name twice": (cell("cords", "label", "F1", lambda r: r["label"] == "F0"), "label"),
    "a module twice": (twice("modules"), "place"),
    "two modules in a slot": (twice("modules", module="X"), "place"),
    "a module where the switch is": (cell("modules", "unit", "42", lambda r: r["kind"] == "row panel"), "place"),
    "a module without its map": (cell("modules", "map", "", lambda r: r["map"] == "panel"), "map"),
    "a joint of a splitter too few": (gone("maps"), "channel"),
    "a shorter cord": (cell("cords", "length_m", shorter), "length"),
    "a shorter trunk": (cell("trunks", "length_m", shorter), "length"),
    "a cord too short in stock": (cell("cords", "stock_m", "2", is_drop), "length"),
    "a shorter fibre": (cell("cables", "length_m", shorter), "length"),
    "a way that is longer": (cell("trunks", "trays", lambda t: t.replace("aisle 1", "aisle 2")), "length"),
    "a thicker trunk": (cell("trunks", "diameter_mm", "9"), "fill"),
    "a quantity": (cell("bom", "quantity", more, lambda r: r["item"] == "cord"), "order"),
    "a spare": (cell("bom", "spares", more), "order"),
    "a part too few": (gone("bom", 3), "order"),
    "a cable pulled twice": (twice("pull-sheet"), "work"),
    "a cable not pulled": (gone("pull-sheet"), "work"),
    "a package too few": (gone("work-packages"), "work"),
    "a branch measured less": (gone("acceptance"), "light"),
    "a limit without a connector": (cell("acceptance", "most_db", lambda t: f"{float(t) - 0.75:.2f}"), "light"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_wrong_thing_is_found(planned, tmp_path, name):
    design = "apc" if "limit" in name else "trunked"
    sheets = Sheets(planned(design), tmp_path / "plan")
    change, kind = TAMPERED[name]
    change(sheets)
    assert kind in sheets.kinds()


# Cells that no other file repeats: what they say can be checked by reading only.
FREE = {"colour", "jacket", "key", "bend_radius_mm", "unit_power", "pad_label", "package", "crew", "last_shift"}
FREE |= {"first_shift", "stagger_m", "expected_db", "currency"}


@pytest.mark.parametrize("name", ["sender", "light", "light-receiver", "named-frames"])
def test_every_cell_counts(planned, tmp_path, name):
    """Another value in any one cell is found, or no sheet says what it must be."""
    random_, unseen = random.Random(name), []
    sheets = Sheets(planned(name), tmp_path / "plan")
    for path in sorted(sheets.folder.glob("*.csv")):
        rows, text = sheets.rows(path.stem), path.read_text(encoding="utf-8")
        for column in rows[0] if rows else []:
            row = random_.choice([row for row in rows if row[column]] or rows)
            old = row[column]
            if not old or column in FREE or (path.stem, column) == ("acceptance", "direction"):
                continue
            row[column] = other(random_, old, {one[column] for one in rows})
            sheets.write(path.stem, rows)
            if not replay(sheets.folder):
                unseen.append(f"{path.stem}: {column} {old!r} is {row[column]!r}")
            row[column] = old
            path.write_text(text, encoding="utf-8")
    assert unseen == []


def other(random_, old, found):
    if old.isdecimal():
        return more(old)
    try:
        return shorter(old)
    except ValueError:
        return random_.choice(sorted(found - {old, ""}) or [old + "x"])


def test_the_hall_of_the_plan_counts(planned, tmp_path):
    """A longer slack, or a fuller tray in the report, agrees with no sheet."""
    sheets = Sheets(planned("trunked"), tmp_path / "plan")
    path = sheets.folder / "plan.json"
    text = path.read_text(encoding="utf-8")
    for change, kind in [
        (lambda plan: plan["hall"].update(slack="3 m"), "length"),
        (lambda plan: plan["report"]["trays"][0].update(fill_percent=0.1), "fill"),
        (lambda plan: plan["report"]["housings"][0].update(connector_pairs=2), "light"),
        (lambda plan: plan["report"]["housings"][0].update(cables_beyond_rows=1), "report"),
        (lambda plan: plan["tors"].reverse(), "place"),
    ]:
        plan = json.loads(text)
        change(plan)
        path.write_text(json.dumps(plan), encoding="utf-8")
        assert kind in sheets.kinds()
