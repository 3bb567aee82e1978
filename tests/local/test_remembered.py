"""Values are computed once for each key, whoever asks, and failures are not kept."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragstone.local.remembered import Remembered


def test_values_come_in_the_order_of_the_keys():
    assert Remembered(lambda n: n * n, 10).of([3, 1, 3, 2]) == [9, 1, 9, 4]


def test_threads_that_ask_at_once_share_one_computation():
    started, may_end, computed = threading.Event(), threading.Event(), []

    def slow(key: str) -> str:
        computed.append(key)
        started.set()
        assert may_end.wait(30)
        return key.upper()

    kept = Remembered(slow, 10)
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(kept.of, ["a"]) for _ in range(4)]
        assert started.wait(30)
        may_end.set()
        assert [each.result() for each in asked] == [["A"]] * 4
    assert computed == ["a"]


def test_a_failure_is_raised_and_tried_again():
    tries = []

    def second_time(key: str) -> int:
        tries.append(key)
        if len(tries) == 1:
            raise MemoryError("too little")
        return len(tries)

    kept = Remembered(second_time, 10)
    with pytest.raises(MemoryError):
        kept.of(["a"])
    assert kept.of(["a"]) == [2]


def test_more_keys_than_are_kept():
    kept = Remembered(str, 2)
    assert kept.of(range(5)) == ["0", "1", "2", "3", "4"]
    assert len(kept) == 2
    kept.clear()
    assert len(kept) == 0
