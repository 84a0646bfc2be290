"""Fuzzing: mutated files, queries and blocks are read without end, and whatever may not happen is kept as a file.

``python -m tools.fuzz --seconds 3600`` runs every target for so long, by atheris where it is installed (Linux), which is led by the
branches that inputs reach, and else by blind mutations of the same inputs. ``--target csv`` runs one. Inputs that reached something
new are kept in a folder, from which the next run goes on. A find is written there as well: put it into tests/data/fuzz.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

#: Seconds that one input may take.
LONGEST = 20
INSTRUMENTED = ["vicinal.corpus", "vicinal._query", "vicinal._store"]


def mutated(data: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    """Some bytes changed, cut out, repeated, or taken from another input."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        place, length = chance.randrange(len(changed) + 1), chance.choice((1, 1, 2, 8, 64))
        kind = chance.randrange(5)
        if kind == 0:
            changed[place : place + length] = chance.randbytes(length)
        elif kind == 1:
            del changed[place : place + length]
        elif kind == 2:
            changed[place:place] = bytes(changed[place : place + length]) * chance.choice((1, 3, 50))
        elif kind == 3:
            other = chance.choice(others)
            begin = chance.randrange(len(other) + 1)
            changed[place:place] = other[begin : begin + length]
        else:
            changed[place : place + 1] = chance.choice((b"\0", b"\xff", b'"', b"<", b"{", b"\n", b"\\", b"9" * 30, b"(", b"-"))
    return bytes(changed[:100_000])


def blindly(target: Callable[[bytes], None], seeds: list[bytes], seconds: float, seed: int, keep: Callable[[bytes], object]) -> int:
    """Try mutations for some seconds; how many, each find kept and raised."""
    chance, tried, end = random.Random(seed), 0, time.monotonic() + seconds
    while time.monotonic() < end:
        data = mutated(chance.choice(seeds), chance, seeds)
        tried += 1
        begun = time.process_time()
        try:
            target(data)
            if time.process_time() - begun > LONGEST:
                raise TimeoutError(f"an input of {len(data):,} bytes took more than {LONGEST} s")
        except BaseException:
            keep(data)
            raise
    return tried


def one_target(name: str, folder: Path, seconds: int, seed: int) -> None:
    """Fuzz one target in this process, which ends where something is found."""
    inputs = folder / name
    inputs.mkdir(parents=True, exist_ok=True)
    if importlib.util.find_spec("atheris") is not None:
        _led_by_branches(name, inputs, seconds, seed)
        return
    from tools.fuzz_targets import SEEDS_OF, TARGETS

    tried = blindly(
        TARGETS[name], SEEDS_OF[name], seconds, seed, lambda data: (inputs / f"crash-{random.getrandbits(64):x}").write_bytes(data)
    )
    print(f"{name}: {tried:,} inputs without a find")


def _led_by_branches(name: str, inputs: Path, seconds: int, seed: int) -> None:
    import atheris

    with atheris.instrument_imports(include=INSTRUMENTED):
        from tools.fuzz_targets import SEEDS_OF, TARGETS
    for number, data in enumerate(SEEDS_OF[name]):
        (inputs / f"seed-{number}").write_bytes(data)
    options = [f"-max_total_time={seconds}", f"-timeout={LONGEST}", "-rss_limit_mb=2048", "-max_len=100000", f"-seed={seed}"]
    atheris.Setup(["fuzz", *options, f"-artifact_prefix={inputs}/", "-print_final_stats=1", str(inputs)], TARGETS[name])
    atheris.Fuzz()


def main(arguments: list[str] | None = None) -> int:
    """Fuzz; 1 where something was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--target", action="append", help="One target; repeat for more. By default all.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path(".fuzz"))
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.here:
        one_target(given.target[0], given.folder, given.seconds, given.seed)
        return 0
    from tools.fuzz_targets import TARGETS

    names = given.target or list(TARGETS)
    found = [name for name in names if not _tried(name, given)]
    print(f"{len(names)} targets, {given.seconds:,} s each: {f'found in {found}' if found else 'no find'}")
    return 1 if found else 0


def _tried(name: str, given: argparse.Namespace) -> bool:
    """Run one target in a process of its own, and print how many inputs it tried; whether nothing was found."""
    options = ["--target", name, "--seconds", str(given.seconds), "--seed", str(given.seed), "--folder", str(given.folder)]
    command = [sys.executable, "-m", "tools.fuzz", *options, "--here"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).splitlines()
    counts = [line.split()[1] for line in lines if line.startswith(("stat::number_of_executed_units:", f"{name}:"))]
    print(f"{name}: {counts[-1] if counts else 'no'} inputs", flush=True)
    if done.returncode:
        print("\n".join(lines[-25:]), flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
