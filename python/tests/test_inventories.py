"""Racks as tables and files follow the rules of the command."""

from __future__ import annotations

import pandas as pd
import pytest

from lightloom import DesignError, Fabric


def test_a_frame_with_titles_and_units_of_an_export():
    plain = pd.DataFrame({"name": list("abc"), "row": "1", "position": [1, 2, 4], "u_height": 48})
    export = pd.DataFrame(
        {"Rack Name": list("abc"), "Row": "1", "Pos": [1.0, 2.0, 4.0], "Height (U)": "48U"}
    )
    assert Fabric("kautz", p=2, inventory=export) == Fabric("kautz", p=2, inventory=plain)


def test_a_file_with_semicolons_in_utf_16(tmp_path):
    plain, export = tmp_path / "plain.csv", tmp_path / "export.csv"
    text = "name;x_m;y_m\na;0,6;1\nb;1,2;1\nc;1,8;1\n"
    plain.write_text(text.replace(",", ".").replace(";", ","))
    export.write_bytes(("\ufeff" + text).encode("utf-16-le"))
    one, other = (Fabric("kautz", p=2, inventory=file) for file in (plain, export))
    assert (one._project.places()[0] == other._project.places()[0]).all()


def test_all_faults_are_told_and_the_first_is_the_place():
    racks = pd.DataFrame({"name": list("abc"), "row": "1", "position": ["x", 2, "y"]})
    with pytest.raises(DesignError) as refused:
        Fabric("kautz", p=2, inventory=racks)
    assert (refused.value.line, refused.value.field) == (2, "position")
    assert "<inventory>:2: position" in str(refused.value)
    assert "<inventory>:4: position" in str(refused.value)


def test_locations_are_rows_where_it_is_said():
    racks = pd.DataFrame({"site": "S", "location": "Pod", "name": list("abc")})
    with pytest.raises(DesignError, match='rows_from="location"'):
        Fabric("kautz", p=2, inventory=racks)
    assert Fabric("kautz", p=2, inventory=racks, rows_from="location").tors == 3
