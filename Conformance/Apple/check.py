#!/usr/bin/env python3
"""Checks Apple's half on Linux, in four stages. README.md says what they show and what not.

Usage: check.py [--stage A|B|C|D]… [--only SYSTEM]… [--sdk FOLDER] [--jobs N] [--self-test]

A  the adapter for Apple's systems runs over our own keychain, with the Kit's tests
B  every module that a Mac builds is type-checked and lowered to SIL for macOS 15 and 26, iOS 18 and 26, and so are the snippets
C  the C files, by clang for macOS 15 and iOS 18
D  the manifest as a Mac evaluates it; products, snippets, names, the privacy manifest, the table of Documentation/Apple.md

With a toolchain that is not one of darwin.TOOLCHAINS, B and C are "not checked with this toolchain", and nothing fails for it. With
--sdk an Xcode of darwin.TOOLCHAINS_WITH_SDK is wanted, and another one is an error.
"""

import argparse
import os
import pathlib
import sys
import time

import adapter
import darwin
import manifest
import plants
import sdk
from darwin import Failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stage", action="append", choices=list("ABCD"), help="these alone")
    parser.add_argument("--only", action="append", choices=darwin.SYSTEMS, help="this system alone: stage B while code is written")
    parser.add_argument("--sdk", type=pathlib.Path, help="an SDK of Xcode's, which takes the place of our declarations (tried with a folder laid out alike, not with Apple's own)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--self-test", action="store_true", help="plant one error in each place and see each noticed")
    words = parser.parse_args()
    stages = words.stage or (["B"] if words.only or words.sdk else list("ABCD"))
    toolchain = darwin.Toolchain()
    try:
        check(words, stages, toolchain)
    except Failed as failure:
        sys.exit(f"apple-check: {failure}")


def check(words, stages, toolchain):
    it = manifest.facts()
    c_targets, modules = darwin.modules_of(it["mac"])
    clock = time.monotonic()

    def done(stage, text):
        nonlocal clock
        print(f"apple-check: {stage}: {text} ({time.monotonic() - clock:.0f} s)", flush=True)
        clock = time.monotonic()

    if "D" in stages:
        wrong = manifest.judge(it)
        if wrong:
            raise Failed("\n".join(wrong))
        done("D", f"{len(it['mac']['products'])} products, {len(it['mac']['targets'])} targets, {len(it['ours'])} names fit")
    stages = darwin.stages_for(toolchain, stages, words.sdk)
    if "C" in stages:
        done("C", f"{darwin.check_c(toolchain, c_targets)} C files compile")
    if "B" in stages:
        chosen = words.only or darwin.systems_of(words.sdk)
        systems = darwin.compile_all(modules, words.sdk, words.jobs, chosen)
        open_snippets = [name for name, text in it["snippets"].items() if not manifest.is_guarded(text)]
        darwin.compile_snippets(next(iter(systems.values())), modules, open_snippets, words.jobs)
        done("B", f"{len(modules)} modules and {len(open_snippets)} snippets compile for {', '.join(chosen)}")
        if words.self_test:
            done("self-test", plants.test(it, c_targets, modules, systems, toolchain))
            if not words.sdk and "macOS 15" in systems:
                count = sdk.test(systems["macOS 15"], modules)
                done("self-test", f"{count} modules compile with a folder laid out like Xcode's as their SDK, and miss what it lacks")
    if "A" in stages:
        done("A", f"{adapter.run_tests(words.jobs)} tests pass over the adapter")


if __name__ == "__main__":
    main()
