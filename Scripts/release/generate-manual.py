#!/usr/bin/env python3
"""The manual page of `depth` from the program's own definition of its command line.

    depth --experimental-dump-help | Scripts/release/generate-manual.py > depth.1

One page with a section per command. Options that several commands share are written out once, under OPTIONS OF ... of the first
command that has them, and named by the others.
"""

import json
import re
import sys


def escaped(text: str) -> str:
    """Text without what roff would take for its own: escapes, requests at the start of a line, and quotes."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = re.sub(r"^\.", r"\\&.", text, flags=re.M)
    return "".join(c if c < "\x80" else f"\\[u{ord(c):04X}]" for c in text)


def names(argument: dict) -> str:
    """`-o, --output` with the value's name."""
    if argument["kind"] == "positional":
        return f"\\fI{escaped(argument['valueName'])}\\fR"
    spelled = [("-" if name["kind"] == "short" else "--") + name["name"] for name in argument["names"]]
    text = ", ".join(f"\\fB{escaped(name)}\\fR" for name in spelled)
    return text + (f" \\fI{escaped(argument['valueName'])}\\fR" if argument["kind"] == "option" else "")


def described(argument: dict) -> list:
    """The lines of one argument."""
    text = " ".join(part for part in (argument.get("abstract"), argument.get("discussion")) if part)
    if argument.get("defaultValue"):
        text += f" (default: {argument['defaultValue']})"
    return [".TP", names(argument), *paragraphs(text)]


def paragraphs(text: str) -> list:
    """Text as roff: lines with leading spaces stay as they are, others are filled."""
    lines, is_fixed = [], False
    for line in text.split("\n"):
        wants_fixed = line.startswith("  ")
        if wants_fixed != is_fixed:
            lines.append(".nf" if wants_fixed else ".fi")
            is_fixed = wants_fixed
        lines.append(escaped(line) if line.strip() else ".PP" if not is_fixed else "")
    return lines + ([".fi"] if is_fixed else [])


def key(argument: dict) -> str:
    return json.dumps(argument, sort_keys=True)


def synopsis(path: list, command: dict) -> str:
    words = [f"\\fB{escaped(' '.join(path))}\\fR"]
    if shown(command):
        words.append("[\\fIoptions\\fR]")
    for argument in command.get("arguments", []):
        if argument["kind"] == "positional":
            text = names(argument) + ("\\ ..." if argument["isRepeating"] else "")
            words.append(f"[{text}]" if argument["isOptional"] else text)
    return " ".join(words)


def shown(command: dict) -> list:
    """The options of a command but `--help` and `--version`, which all have."""
    return [
        argument
        for argument in command.get("arguments", [])
        if argument.get("shouldDisplay", True)
        and argument["kind"] != "positional"
        and argument["preferredName"]["name"] not in ("help", "version")
    ]


def section(path: list, command: dict, first: dict) -> list:
    """A command with its subcommands; `first` maps options to the command that describes them."""
    lines = [f'.SS "{escaped(" ".join(path))}"', *paragraphs(command.get("abstract", "")), ".PP", synopsis(path, command)]
    if command.get("discussion"):
        lines += [".PP", *paragraphs(command["discussion"])]
    for argument in command.get("arguments", []):
        if argument["kind"] == "positional":
            lines += described(argument)
    shared = {}
    for argument in shown(command):
        owner = first.setdefault(key(argument), path)
        if owner == path:
            lines += described(argument)
        else:
            shared.setdefault(" ".join(owner), []).append(names(argument))
    for owner, options in shared.items():
        lines += [".PP", f"As in \\fB{escaped(owner)}\\fR: {'; '.join(options)}."]
    for subcommand in command.get("subcommands", []):
        if subcommand["commandName"] != "help":
            lines += section([*path, subcommand["commandName"]], subcommand, first)
    return lines


def page(command: dict, version: str) -> str:
    name, first = command["commandName"], {}
    lines = [
        f'.TH {name.upper()} 1 "" "{escaped(version)}"',
        ".SH NAME", f"{name} \\- {escaped(command['abstract'])}",
        ".SH SYNOPSIS", f"\\fB{name}\\fR \\fIcommand\\fR [\\fIoptions\\fR] ...",
        ".SH DESCRIPTION", *paragraphs(command["discussion"]),
        ".SH COMMANDS",
        "Every command has \\fB\\-\\-help\\fR and \\fB\\-\\-version\\fR.",
    ]
    for subcommand in command["subcommands"]:
        if subcommand["commandName"] != "help":
            lines += section([name, subcommand["commandName"]], subcommand, first)
    lines += [
        ".SH ENVIRONMENT",
        ".TP", "\\fBDEPTH_WEIGHTS\\fR", escaped("The weights that --weights default selects; several are separated by ':'."),
        ".TP", "\\fBOMP_NUM_THREADS\\fR", "The largest number of threads that is used by default.",
        ".TP", "\\fBDEPTH_ISA\\fR", escaped(
            "The instruction set to use instead of the fastest one: baseline, avx2 or avx512, or avxvnni, "
            "avx512vnni or amx for int8."),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    version = sys.argv[1] if len(sys.argv) > 1 else "swift-depth"
    sys.stdout.write(page(json.load(sys.stdin)["command"], version))


if __name__ == "__main__":
    main()
