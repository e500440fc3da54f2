#!/usr/bin/env bash
# Lints every tracked script: shellcheck for shells, pyflakes' findings by flake8 for Python. A finding that is meant carries
# `# shellcheck disable=…` or `# noqa: …` on its line, with the reason. Scripts/README.md lists every script of the folder.
set -euo pipefail
cd "$(dirname "$0")/../.."
for program in shellcheck flake8; do
  command -v "$program" >/dev/null || { echo "check-scripts: there is no $program: Scripts/checks/install-test-tools.sh" >&2; exit 69; }
done
# Tracked files whose name ends in $1, or that name one of the interpreters $2 in a line #!.
scripts() {
  { git ls-files "*.$1"; git grep -lIE "^#!.*[/ ]($2)\$"; } | sort -u
}
mapfile -t shells < <(scripts sh 'bash|sh')
mapfile -t pythons < <(scripts py 'python3?')
shellcheck -x --source-path=. "${shells[@]}"
flake8 --isolated --select F,E9 "${pythons[@]}"
while IFS= read -r file; do
  grep -qF "\`${file#Scripts/}\`" Scripts/README.md || { echo "check-scripts: $file is not in Scripts/README.md" >&2; exit 1; }
done < <(git ls-files -- ':(glob)Scripts/*' ':(glob)Scripts/checks/*' ':(glob)Scripts/lib/*' ':!Scripts/README.md')
echo "${#shells[@]} shell and ${#pythons[@]} Python scripts"
