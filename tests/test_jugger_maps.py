"""Maps: what stands where, who starts where, what is refused, and how it is drawn."""

import doctest
import math
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from simkit.core.hexgrid import distance, step_q, step_r
from simkit.games.jugger import mapdraw, maps, records
from simkit.games.jugger.mapdraw import LOOKS, Canvas, draw_svg, draw_text, legend
from simkit.games.jugger.maps import LISTS, SIDE, SOLID, HexMap, complaints, find, load, room, sown, starts, terrain
from simkit.games.jugger.rules import Rules

SVG = "{http://www.w3.org/2000/svg}"
SMALL = HexMap(half_length=4, half_rows=2, forests=[[1, 0]], walls=[[2, -2]], symmetric=True)

each_map = pytest.mark.parametrize("name", load())
sizes = st.tuples(st.integers(1, 20), st.integers(0, 20))


def image(places):
    return {(-q, -r) for q, r in places}


def reached(map):
    """Return the hexes that can be reached from the west end."""
    free = set(map.hexes()) - {place for kind in SOLID for place in map.places(kind)}
    todo = [start[:2] for start in starts(map, 0, 1)]
    found = set(todo)
    while todo:
        q, r = todo.pop()
        near = {(q + step_q(side), r + step_r(side)) for side in range(6)} & free - found
        found |= near
        todo += near
    return found, free


# Maps that come along


def test_the_maps_there_are():
    assert list(load()) == ["open", "arena", "woods", "ruins", "maze"]
    with pytest.raises(KeyError, match=r"no map is called 'wood'; there are open, arena, woods, ruins, maze"):
        find("wood")


@each_map
def test_a_map_is_legal_symmetric_and_in_one_piece(name):
    map = find(name)
    assert complaints(map) == []
    assert map.title and map.says
    for kind in LISTS:
        assert set(map.places(kind)) == image(map.places(kind)), kind
    found, free = reached(map)
    assert found == free
    assert room(map, 0) == room(map, 1) == SIDE


def test_what_the_maps_are_for():
    assert not find("open").kinds()
    assert set(find("arena").kinds().values()) == {"wall"}
    assert set(find("woods").kinds().values()) == {"forest"}
    assert set(find("ruins").kinds().values()) == {"rubble", "house", "obstacle", "wall"}
    assert len(find("maze").places("wall")) > len(find("arena").places("wall"))


# Size and symmetry


@given(sizes)
def test_hexes_are_those_of_the_rule(size):
    map = HexMap(half_length=size[0], half_rows=size[1])
    axis = range(-60, 61)
    wanted = {(q, r) for r in axis for q in axis if abs(r) <= size[1] and abs(2 * q + r) <= 2 * size[0]}  # J-BALL-7
    assert set(map.hexes()) == wanted and len(map.hexes()) == len(wanted)
    assert all(map.covers(*place) for place in wanted)
    assert not map.covers(size[0] + 1, 0) and not map.covers(0, size[1] + 1)
    assert wanted == image(wanted)


def test_the_coordinates_of_a_legal_map_lie_within_the_grid():
    for half_rows in range(33):
        fits = [n for n in range(1, 33) if not complaints(HexMap(half_length=n, half_rows=half_rows))]
        for n in fits:
            corners = HexMap(half_length=n, half_rows=half_rows).hexes()
            assert all(max(abs(q), abs(r), abs(q + r)) <= maps.EDGE for q, r in corners)
        if fits[-1] < 32:
            beyond = HexMap(half_length=fits[-1] + 1, half_rows=half_rows).hexes()
            assert max(max(abs(q), abs(q + r)) for q, r in beyond) > maps.EDGE


def test_images_follow_their_originals():
    map = HexMap(half_length=4, half_rows=1, walls=[[1, 0], [0, 0], [2, 1]], symmetric=True)
    assert map.places("wall") == ((1, 0), (-1, 0), (0, 0), (2, 1), (-2, -1))
    both = map.model_copy(update={"walls": [[1, 0], [-1, 0]]})
    assert both.places("wall") == ((1, 0), (-1, 0))
    assert both.model_copy(update={"symmetric": False}).places("wall") == ((1, 0), (-1, 0))


# Sown forests


def test_a_density_is_the_share_of_the_hexes():
    for density in (0.0, 0.1, 0.25, 0.5, 0.9, 1.0):
        forest = sown(find("open"), density, 7).places("forest")
        assert abs(len(forest) - density * 367) <= 1.5
        assert set(forest) == image(forest)
        assert len(set(forest)) == len(forest)


def test_a_denser_forest_holds_the_thinner_one():
    forests = [set(sown(find("open"), step / 20, 3).places("forest")) for step in range(21)]
    assert all(thin < dense for thin, dense in pairwise(forests))
    assert forests[-1] == set(find("open").hexes())


def test_a_seed_decides_which_forest():
    by_seed = [sown(find("woods"), 0.2, seed).places("forest") for seed in range(20)]
    assert len(set(by_seed)) == 20
    assert by_seed[1] == find("woods").places("forest")
    assert by_seed[1][:4] == ((-9, 6), (9, -6), (-1, -1), (1, 1))  # the same on every machine


def test_forests_are_sown_evenly():
    """Every hex gets its forest in a fifth of 400 seeds: 80 expected, standard deviation 8."""
    counts = dict.fromkeys(find("open").hexes(), 0)
    for seed in range(400):
        for place in sown(find("open"), 0.2, seed).places("forest"):
            counts[place] += 1
    del counts[0, 0]  # stands alone, and is left out where pairs come out even
    assert max(abs(count - 80) for count in counts.values()) < 4.5 * 8


def test_forest_is_sown_beside_what_stands():
    ruins = sown(find("ruins"), 0.5)
    assert complaints(ruins) == []
    kinds = ruins.kinds()
    assert {place: kind for place, kind in kinds.items() if kind != "forest"} == find("ruins").kinds()
    assert list(kinds.values()).count("forest") in (183, 184)


# What is refused


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"half_length": 0}, ("half_length",)),
        ({"half_length": 33}, ("half_length",)),
        ({"half_rows": -1}, ("half_rows",)),
        ({"half_rows": True}, ("half_rows",)),
        ({"forests": [[1, 2, 3]]}, ("forests", 0)),
        ({"forests": [[0, 0], [1]]}, ("forests", 1)),
        ({"walls": [[1, 1.0]]}, ("walls", 0, 1)),
        ({"houses": [[1, 33]]}, ("houses", 0, 1)),
        ({"density": 1.01}, ("density",)),
        ({"density": float("nan")}, ("density",)),
        ({"map_seed": -1}, ("map_seed",)),
        ({"symmetric": 1}, ("symmetric",)),
        ({"forest": []}, ("forest",)),
        ({"title": "x" * 65}, ("title",)),
    ],
)
def test_the_model_refuses_what_is_no_map(change, path):
    with pytest.raises(ValidationError) as refused:
        HexMap.model_validate({"half_length": 12, "half_rows": 7} | change)
    assert [error["loc"] for error in refused.value.errors()] == [path]


@pytest.mark.parametrize(
    ("change", "path", "says", "help"),
    [
        ({"half_length": 32}, ("half_length",), "half_length 32 and half_rows 7 reach to coordinate 35", "32 at most"),
        ({"forests": [[0, 0], [13, 0]]}, ("forests", 1), "[13, 0] lies beyond", "abs(2 q + r) <= 24"),
        ({"forests": [[0, 8]], "symmetric": True}, ("forests", 0), "[0, 8] lies beyond", "abs(r) <= 7"),
        ({"rubble": [[1, 1]], "walls": [[0, 0], [1, 1]]}, ("walls", 1), "wall on [1, 1], where rubble", "one thing"),
        (
            {"forests": [[1, 1]], "houses": [[-1, -1]], "symmetric": True},
            ("houses", 0),
            "house on [-1, -1], where forest is already",
            "one thing",
        ),
        ({"forests": [[0, 0]], "density": 0.2}, ("density",), "both listed and sown", "one of the two"),
        (
            {"density": 0.999, "walls": [[0, 0], [1, 0], [2, 0]]},
            ("density",),
            "density 0.999 is 367 hexes of forest, and 362 are free",
            "a lower density",
        ),
    ],
)
def test_a_complaint_names_the_place_what_was_found_and_what_is_allowed(change, path, says, help):
    map = HexMap.model_validate({"half_length": 12, "half_rows": 7} | change)
    (complaint,) = complaints(map, ("scenario", "map"))
    assert complaint.path == ("scenario", "map", *path)
    assert says in complaint.message
    assert help in complaint.help


def test_too_many_walls():
    places = [list(place) for place in find("open").hexes()]
    assert complaints(HexMap(half_length=12, half_rows=7, walls=places[:128])) == []
    (complaint,) = complaints(HexMap(half_length=12, half_rows=7, walls=places[:129]))
    assert complaint.path == ("walls",) and "129 walls" in complaint.message and "128" in complaint.help
    (complaint,) = complaints(HexMap(half_length=12, half_rows=7, walls=places[:65], symmetric=True))
    assert "130 walls" in complaint.message


# Starts


@each_map
@pytest.mark.parametrize("deployment", ["ends", "half"])
def test_sides_start_face_to_face_on_free_hexes(name, deployment):
    map, kinds = find(name), find(name).kinds()
    for count in range(1, SIDE + 1):
        west, east = (starts(map, side, count, deployment) for side in (0, 1))
        assert len({start[:2] for start in west + east}) == 2 * count
        for start in west + east:
            assert map.covers(start.q, start.r) and kinds.get((start.q, start.r)) not in SOLID
        assert {start.facing for start in west} == {0} and {start.facing for start in east} == {3}
        assert all(2 * start.q + start.r < 0 for start in west)
        assert [start[:2] for start in east] == [(-q, -r) for q, r, _ in west]


def test_jugs_stand_abreast():
    for count in range(1, 9):  # every second row
        west = starts(find("open"), 0, count)
        assert [start.r for start in west] == list(range(1 - count, count, 2))
        assert len({2 * start.q + start.r for start in west}) == 1
    for count in range(9, 13):  # row by row
        west = starts(find("open"), 0, count)
        assert [start.r for start in west] == [west[0].r + k for k in range(count)]
        assert abs(west[0].r + west[-1].r) <= 1
        assert all(distance(b.q - a.q, b.r - a.r) == 1 for a, b in pairwise(west))
    (west,), (east,) = starts(find("open"), 0, 1, "half"), starts(find("open"), 1, 1, "half")
    assert (west, east) == ((-6, 0, 0), (6, 0, 3))


def test_who_would_stand_on_a_wall_takes_the_nearest_free_hex():
    map = HexMap(half_length=6, half_rows=3, walls=[[-5, 0]], symmetric=False)
    (west,), (east,) = starts(map, 0, 1), starts(map, 1, 1)
    assert distance(west.q + 5, west.r) == 1
    assert east == (5, 0, 3)


def test_the_sides_of_an_uneven_map_are_told_apart():
    map = HexMap(half_length=6, half_rows=3, obstacles=[[5, 0]])
    turned = HexMap(half_length=6, half_rows=3, obstacles=[[-5, 0]])
    assert [start[:2] for start in starts(map, 1, 3)] == [(-q, -r) for q, r, _ in starts(turned, 0, 3)]


@given(sizes, st.integers(0, 1))
def test_every_small_map_holds_as_many_as_it_says(size, side):
    map = HexMap(half_length=size[0], half_rows=size[1])
    most = room(map, side)
    assert most == min(SIDE, sum(2 * q + r < 0 for q, r in map.hexes())) >= 1
    assert len({start[:2] for start in starts(map, side, most)}) == most
    for count in (0, most + 1):
        with pytest.raises(ValueError, match=f"{count} jugs on a side; this map has room for 1 to {most}"):
            starts(map, side, count)


# Terrain of the kernels


def test_limits_are_those_of_the_records():
    for name in ("EDGE", "WALLS", "SIDE", "OBSTACLE", "OUTSIDE", "FIRST_WALL", "OPAQUE"):
        assert getattr(maps, name) == getattr(records, name), name


@each_map
def test_every_hex_has_its_code(name):
    map, rules = find(name), Rules(forest_loss=2, rubble_loss=3, house_loss=4)
    codes = terrain(map, rules)
    kinds, walls = map.kinds(), map.places("wall")
    assert len(codes) == records.ACROSS**2
    wanted = {None: 0, "forest": 2 + records.OPAQUE, "rubble": 3, "house": 4 + records.OPAQUE, "obstacle": -1}
    for q in range(-32, 33):
        for r in range(-32, 33):
            code = codes[(q + 32) * 65 + (r + 32)]
            if not map.covers(q, r):
                assert code == -2
            elif kinds.get((q, r)) == "wall":
                assert walls[-10 - code] == (q, r)
            else:
                assert code == wanted[kinds.get((q, r))]


# Drawings


def test_text_shows_every_hex_with_its_coordinates():
    lines = draw_text(SMALL).splitlines()
    assert lines == [
        " r   q                     q",
        "-2  -3  · · · · · ▒ · · ·  5",
        "-1  -3   · · · · · · · ·   4",
        " 0  -4  · ► · ♣ · ♣ · ◄ ·  4",
        " 1  -4   · · · · · · · ·   3",
        " 2  -5  · · · ▒ · · · · ·  3",
    ]
    assert legend(SMALL) == "· plain (39)  ♣ forest (2)  ▒ stone wall (2)  ► side A  ◄ side B"


def test_text_in_ascii():
    text = draw_text(find("ruins"), 5, ascii=True) + legend(find("ruins"), 5, ascii=True)
    assert text.isascii()
    assert text.count("A") == text.count("B") == 5 + 2
    assert "A" not in draw_text(find("ruins"), 0, ascii=True)


def test_signs_and_letters_are_told_apart():
    assert set(LOOKS) == {"plain", "goal", *LISTS}
    for column in ("glyph", "letter", "fill", "mark", "title"):
        assert len({getattr(look, column) for look in LOOKS.values()}) == len(LOOKS), column


@each_map
def test_svg_shows_every_hex_once_and_every_jug(name):
    root = ET.fromstring(draw_svg(find(name), jugs=12))
    titles = [title.text for title in root.iter(f"{SVG}title")]
    kinds = find(name).kinds()
    wanted = [f"{LOOKS[kinds.get((q, r), 'plain')].title} [{q}, {r}]" for q, r in find(name).hexes()]
    assert [title for title in titles if "[" in title and "side" not in title] == wanted
    assert (
        sum(title.startswith("side A") for title in titles) == sum(title.startswith("side B") for title in titles) == 12
    )
    assert titles[0] == find(name).title
    assert not list(root.iter(f"{SVG}script")) and all("id" not in part.attrib for part in root.iter())
    assert draw_svg(find(name), jugs=12) == draw_svg(find(name), jugs=12)


def test_svg_tells_kinds_by_the_legend():
    words = [text.text for text in ET.fromstring(draw_svg(SMALL)).iter(f"{SVG}text")]
    assert words == ["A map", "plain (39)", "forest (2)", "stone wall (2)", "side A", "side B"]


def test_text_from_files_is_text():
    map = HexMap(half_length=2, half_rows=1, title="<b>&\"'", says="</text><script>")
    root = ET.fromstring(draw_svg(map, jugs=0))
    assert root.find(f"{SVG}title").text == "<b>&\"'"
    assert [text.text for text in root.iter(f"{SVG}text")][:2] == ["<b>&\"'", "</text><script>"]


@pytest.mark.thorough
@given(sizes)
def test_hexes_lie_on_the_sheet_and_touch(size):
    sheet = Canvas(HexMap(half_length=size[0], half_rows=size[1]), "a " * 60)
    apart = sheet.size * math.sqrt(3)
    for q, r in sheet.map.hexes():
        x, y = sheet.xy(q, r)
        assert apart / 2 <= x <= sheet.width - apart / 2 and sheet.size <= y <= sheet.height - sheet.size
        assert math.dist((x, y), sheet.xy(q + 1, r)) == pytest.approx(apart)
        assert math.dist((x, y), sheet.xy(q, r + 1)) == pytest.approx(apart)
        assert math.dist((x, y), sheet.xy(q - 1, r + 1)) == pytest.approx(apart)
    assert sheet.xy(1, 0)[0] > sheet.xy(0, 0)[0] and sheet.xy(0, 1)[1] > sheet.xy(0, 0)[1]


def test_tracks_are_drawn_on_top():
    sheet = Canvas(SMALL, "A way")
    sheet.track([(-2, 0), (-1, 0), (-1, 1)], side=1)
    sheet.jug(-1, 1, 5, 1, says="Axer <3>")
    *_, line, jug = ET.fromstring(sheet.svg())
    assert line.tag == f"{SVG}polyline" and line.attrib["stroke-dasharray"]
    points = [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
    wanted = [sheet.xy(-2, 0), sheet.xy(-1, 0), sheet.xy(-1, 1)]
    assert points == [pytest.approx(place, abs=0.06) for place in wanted]
    assert jug.find(f"{SVG}title").text == "Axer <3>"
    assert "rotate(300)" in jug.find(f"{SVG}path").attrib["transform"]


@pytest.mark.parametrize("module", [maps, mapdraw])
def test_examples(module):
    done = doctest.testmod(module)
    assert done.attempted > 0 and done.failed == 0
