from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.cache import CacheInterface, DiskCacheBackend, MemoryCache
from ragstone.errors import UsageError

VALUE = {"reply": '{"verdict": "yes"}', "model": "Ü 🦉", "n": [1, 2.5, None, True]}
json_data = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@pytest.fixture(params=["disk", "memory"])
def cache(request, tmp_path):
    if request.param == "memory":
        yield MemoryCache()
        return
    with DiskCacheBackend(tmp_path / "deep" / "cache") as cache:
        yield cache


def test_what_is_set_is_got(cache):
    assert isinstance(cache, CacheInterface)
    assert cache.get("k") is None
    assert not cache.has_key("k")
    cache.set("k", VALUE)
    assert cache.get("k") == VALUE
    assert cache.has_key("k")
    cache.set("k", None)
    assert cache.get("k") is None
    assert len(cache) == 1


def test_a_value_is_not_shared_with_who_set_it(cache):
    value = {"list": [1]}
    cache.set("k", value)
    value["list"].append(2)
    cache.get("k")["list"].append(3)
    assert cache.get("k") == {"list": [1]}


def test_it_counts_and_clears(cache):
    cache.set("a", 1)
    cache.get("a")
    cache.get("b")
    stats = cache.stats()
    assert (stats.entries, stats.hits, stats.misses) == (1, 1, 1)
    assert stats.bytes > 0
    cache.clear()
    assert len(cache) == 0
    assert cache.get("a") is None


@given(json_data)
def test_all_json_data_survive_in_memory(value):
    cache = MemoryCache()
    cache.set("k", value)
    assert cache.get("k") == value


def test_the_memory_cache_forgets_the_least_recently_used():
    cache = MemoryCache(max_entries=2)
    cache.set("a", 1)
    cache.set("b", 2)
    cache.get("a")
    cache.set("c", 3)
    assert [cache.has_key(key) for key in "abc"] == [True, False, True]


def test_odd_keys_and_limits(tmp_path):
    with DiskCacheBackend(tmp_path) as cache:
        for key in ("", "'; DROP TABLE answer; --", "ключ\x00🦉", "k" * 10_000):
            cache.set(key, key[:5])
            assert cache.get(key) == key[:5]
    with pytest.raises(UsageError, match="max_bytes must be at least 1"):
        DiskCacheBackend(tmp_path, max_bytes=0)
    with pytest.raises(UsageError, match="max_entries must be at least 1"):
        MemoryCache(0)


def test_what_is_no_json_is_refused(tmp_path):
    with DiskCacheBackend(tmp_path) as cache, pytest.raises(TypeError, match="JSON data only"):
        cache.set("k", object())


def test_it_survives_its_process_and_is_text(tmp_path):
    with DiskCacheBackend(tmp_path) as cache:
        cache.set("k", VALUE)
    with DiskCacheBackend(str(tmp_path)) as again:
        assert again.get("k") == VALUE
    database = sqlite3.connect(tmp_path / "ragstone-cache.db")
    kind, text = database.execute("SELECT typeof(value), value FROM answer").fetchone()
    database.close()
    assert kind == "text"
    assert "Ü 🦉" in text


def test_the_size_stays_bounded_and_the_oldest_go_first(tmp_path):
    with DiskCacheBackend(tmp_path, max_bytes=300_000) as cache:
        for n in range(3000):
            cache.set(f"{n:05}", "x" * 500)
        assert cache.stats().bytes < 500_000
        assert cache.has_key("02999")
        assert len(cache) > 100


def test_a_damaged_file_is_set_aside_and_begun_anew(tmp_path):
    path = tmp_path / "ragstone-cache.db"
    path.write_bytes(b"this is no database, whatever its name says" * 100)
    with pytest.warns(RuntimeWarning, match="was damaged .* begun anew"):
        cache = DiskCacheBackend(tmp_path)
    cache.set("k", 1)
    assert cache.get("k") == 1
    cache.close()
    assert [p.name for p in tmp_path.glob("*.damaged-*")]


def test_damage_while_it_is_open_is_survived(tmp_path):
    with DiskCacheBackend(tmp_path) as cache:
        for n in range(2000):
            cache.set(str(n), "x" * 200)
    path = tmp_path / "ragstone-cache.db"
    data = bytearray(path.read_bytes())
    data[4096 * 3 : 4096 * 40] = os.urandom(4096 * 37)
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with DiskCacheBackend(tmp_path) as cache:
            for n in range(2000):
                assert cache.get(str(n)) in (None, "x" * 200)
            cache.set("after", 1)
            assert cache.get("after") == 1


def test_a_newer_form_is_refused_and_a_bad_folder_named(tmp_path):
    database = sqlite3.connect(tmp_path / "ragstone-cache.db")
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(UsageError, match="has the form 99"):
        DiskCacheBackend(tmp_path)
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(UsageError, match="cannot keep a cache in"):
        DiskCacheBackend(file / "cache")


def test_a_full_disk_only_stops_the_storing(tmp_path):
    program = f"""
import resource, warnings
from ragstone.cache import DiskCacheBackend
cache = DiskCacheBackend({str(tmp_path)!r})
cache.set("first", 1)
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    for n in range(3000):
        cache.set(str(n), "x" * 1000)
print(len(said), "stores nothing more" in str(said[0].message), cache.get("first"))
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.stdout == "1 True 1\n", ended.stderr


def test_many_processes_and_threads_write_at_once(tmp_path):
    program = f"""
import sys, threading
from ragstone.cache import DiskCacheBackend
cache = DiskCacheBackend({str(tmp_path)!r})
def work(thread):
    for n in range(100):
        cache.set(f"{{sys.argv[1]}}-{{thread}}-{{n}}", [n])
        assert cache.get(f"{{sys.argv[1]}}-{{thread}}-{{n}}") == [n]
threads = [threading.Thread(target=work, args=(t,)) for t in range(2)]
[t.start() for t in threads]; [t.join() for t in threads]
"""
    running = [
        subprocess.Popen([sys.executable, "-W", "error", "-c", program, str(n)]) for n in range(4)
    ]
    assert [process.wait(120) for process in running] == [0] * 4
    with DiskCacheBackend(tmp_path) as cache:
        assert len(cache) == 800


def test_a_killed_writer_leaves_a_sound_file(tmp_path):
    program = f"""
from ragstone.cache import DiskCacheBackend
cache = DiskCacheBackend({str(tmp_path)!r})
n = 0
while True:
    cache.set(str(n), "x" * 300)
    n += 1
    print(n, flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    told = 0
    while told < 500:
        told = int(process.stdout.readline())
    process.kill()
    process.wait()
    process.stdout.close()
    with DiskCacheBackend(tmp_path) as cache:
        assert all(cache.get(str(n)) == "x" * 300 for n in range(500))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_opens_the_file_itself(tmp_path):
    program = f"""
import os
from ragstone.cache import DiskCacheBackend
cache = DiskCacheBackend({str(tmp_path)!r})
cache.set("parent", 1)
child = os.fork()
if child == 0:
    cache.set("child", cache.get("parent") + 1)
    os._exit(0)
os.waitpid(child, 0)
print(cache.get("child"), cache.get("parent"))
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.stdout == "2 1\n", ended.stderr


def test_threads_share_one_object(tmp_path):
    failures: list[Exception] = []
    with DiskCacheBackend(tmp_path) as cache:

        def work(thread: int) -> None:
            try:
                for n in range(200):
                    cache.set(f"{thread}-{n}", n)
                    assert cache.get(f"{thread}-{n}") == n
            except (AssertionError, sqlite3.Error) as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(t,)) for t in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        assert len(cache) == 800


def test_nothing_is_written_outside_its_folder(tmp_path):
    with DiskCacheBackend(tmp_path / "c") as cache:
        cache.set("k", 1)
    assert {p.name for p in Path(tmp_path).iterdir()} == {"c"}
