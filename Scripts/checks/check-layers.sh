#!/usr/bin/env bash
# Fails when a file imports a module of this package that its target does not declare, when a target declares a module
# that none of its files imports, and when a file imports a module of this package and uses none of its names. Fails also when a
# text of the library names a command or an option of the program.
set -euo pipefail
cd "$(dirname "$0")/../.."
swift package --enable-all-traits describe --type json | python3 -c '
import json, pathlib, re, sys

package = json.load(sys.stdin)
targets = {target["name"]: target for target in package["targets"]}
statement = re.compile(r"^\s*(@_exported |@testable )?(?:public |package |internal |private |fileprivate )?import (?:\w+ )?(\w+)", re.M)
# The options of sips, a program of macOS, are not ours.
command_line = re.compile(r"^(?!\s*//)(?!.*\bsips ).*\"[^\"\n]*(?:--[a-z]|\x27depth [a-z]).*", re.M)
declaration = re.compile(r"\b(?:struct|class|enum|protocol|actor|typealias|func|var|let|case|macro) +(\(?[\w, ]+)")
read = {}

def sources(target):
    root = pathlib.Path(target["path"])
    return {path: read.setdefault(path, path.read_text()) for path in sorted(root.rglob("*.swift"))}

def names(target):
    found = set()
    for text in sources(target).values():
        for group in declaration.findall(re.sub(r"//.*", "", text)):
            found.update(re.findall(r"\w+", group))
    return found

# Programs are declared to be built, and C targets with resources for their files, not imported; a module that re-exports others
# has their names.
programs = {name for name, target in targets.items() if target["type"] in ("executable", "snippet")
            or target["module_type"] == "ClangTarget" and target.get("resources")}
exporting = {name for name, target in targets.items() if any("@_exported" in text for text in sources(target).values())}
declared = {name: names(target) for name, target in targets.items() if target["module_type"] == "SwiftTarget"}
bad = []
for name, target in targets.items():
    if target["type"] == "snippet":
        continue
    allowed, imported = set(target.get("target_dependencies", [])), set()
    for path, text in sources(target).items():
        words = None
        if path.parts[0] == "Sources" and name != "DepthCommands":
            bad += [f"{path} names the command line: {found.group().strip()}" for found in command_line.finditer(text)]
        for attribute, module in statement.findall(text):
            imported.add(module)
            if module not in targets:
                continue
            if module not in allowed:
                bad.append(f"{path} imports {module}, which target {name} does not declare")
            if attribute == "@_exported " or module not in declared or module in exporting:
                continue
            words = words or set(re.findall(r"\w+", re.sub(r"//.*|^.*\bimport \w+$", "", text, flags=re.M)))
            if not words & declared[module]:
                bad.append(f"{path} imports {module} and uses none of its names")
    if target["module_type"] == "SwiftTarget":
        bad += [f"target {name} declares {module}, which none of its files imports" for module in sorted(allowed - imported - programs)]
print("\n".join(bad), end="\n" if bad else "")
sys.exit(1 if bad else 0)'
