#!/usr/bin/env bash
# Fails when a file imports a module of this package that its target does not declare.
set -euo pipefail
cd "$(dirname "$0")/.."
swift package --enable-all-traits describe --type json | python3 -c '
import json, pathlib, re, sys

package = json.load(sys.stdin)
modules = {target["name"] for target in package["targets"]}
statement = re.compile(r"^\s*(?:@\w+ |public |package |internal |private |fileprivate )*import (?:\w+ )?(\w+)", re.M)
bad = 0
for target in package["targets"]:
    allowed = set(target.get("target_dependencies", []))
    for path in sorted(pathlib.Path(target["path"]).rglob("*.swift")):
        for module in statement.findall(path.read_text()):
            if module in modules and module not in allowed:
                print(f"{path} imports {module}, which target {target['"'"'name'"'"']} does not declare")
                bad = 1
sys.exit(bad)'
