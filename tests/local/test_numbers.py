import pytest

from ragstone.local.numbers import clashes, numbers, same


def only(text: str):
    found = numbers(text)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,149 metres", "1149 metres"),
        ("two boys", "2 boys"),
        ("twenty-two rows", "22 rows"),
        ("two hundred thousand people", "200,000 people"),
        ("1 billion bytes", "1,000,000,000 bytes"),
        ("400K requests", "400000 requests"),
        ("10%", "10 percent"),
        ("ten percent", "10 %"),
        ("8 pm", "20:00"),
        ("8:30 p.m", "20:30"),
        ("12 am", "0:00"),
        ("the 1930s", "1932"),
        ("the 1800s", "1888"),
        ("about 280 TB", "281 TB"),
    ],
)
def test_one_number_written_in_two_ways(one: str, other: str):
    assert same(only(one), only(other))
    assert not clashes(only(one), only(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("closes at 8 pm", "closes at 22:00"),
        ("in 1932", "in 1933"),
        ("5 rows", "six rows"),
        ("10%", "12%"),
        ("version 3.11.0", "version 3.11.1"),
    ],
)
def test_two_numbers_for_one_thing(one: str, other: str):
    assert not same(only(one), only(other))
    assert clashes(only(one), only(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10 rows", "20 columns"),
        ("10", "20"),
        ("10%", "20 rows"),
        ("before 1932", "in 1930"),
        ("more than 5 rows", "7 rows"),
        ("1932", "5 rows"),
    ],
)
def test_different_numbers_that_do_not_clash(one: str, other: str):
    assert not clashes(only(one), only(other))


@pytest.mark.parametrize(
    "text", ["", "one of them", "sqlite3_open", "x86", "no figures, someone said"]
)
def test_no_number(text: str):
    assert numbers(text) == ()
