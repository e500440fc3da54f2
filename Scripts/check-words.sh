#!/usr/bin/env bash
# Patterns that readers stumbled over, in every tracked Markdown page but the histories; prints FILE:LINE, the pattern and the match.
#   Scripts/check-words.sh [FILE…]
set -euo pipefail
cd "$(dirname "$0")/.."

# Extended regular expressions, one per line.
patterns=$(sed -e '/^$/d' -e '/^#/d' <<'END'
# A fronted "Of …", at the start of a line, sentence or clause.
(^|[.:;] |\* )Of (the|an?|its|what|those|these|all|both|such|whom|which|every|each|six|twelve|[0-9]+) 
\b(is|are|was|were|that is|which is) no\b
\b(is|are|that is|that are) none\b
# "which … is" riders.
, (of )?which there (is|are)\b
, which (is|are) (also|what|why|how)\b
# Things that act as people.
\b([Ww]eights|[Nn]etworks?|[Kk]ernels?|[Ff]ilters?) (learn|learned|learns|know|knows|want|wants|see|saw)\b
\b([Ff]iles?|[Ss]treams?|[Pp]rograms?|[Mm]aps?|[Oo]ptions?|pages?|Exif|headers?|commands?|scripts?|tests?) (says?|said|wants?|knows?|likes|learns?)\b
\b([Ss]tandard error|record\.md\)?|json`?) (says?|tells?)\b
\bhas no use for\b
\b([Ii]t|[Tt]hey|that|which) (flatters?|wants?)\b
\b[Tt]hings? (learns?|says?|wants?)\b
# Riddles and house-made words.
\b[Ww]hoever\b
\bas it comes\b
\bmeets one\b
\bwithout a word\b
\bthousand million\b
\bis refused with its name\b
\bnearer than[;.]
\bwhat flies\b
\bRead are\b
\bone idea a file\b
\bonly so much at once\b
\ba (layer|channel|image|file|photo|pass) each\b
\bchose nothing\b
# The field's words: quantized value and scale, worker, checkpoint, temporal filter.
\b(8-bit|byte|integer) codes?\b
\bcodes? · step\b
\b([Ii]ts|[Tt]he|[Tt]heir) codes (are|is)\b
\bstep of (the|each|a) (layer|map)\b
\b(parallel|more|two|several|of) lanes\b
\bthe lanes (are|work|run)\b
\breach between\b
\b[Tt]he (steadier|reach)\b
\b[Tt]he article's (filter|method|rule|alert|blur)\b
END
)

if [ $# -gt 0 ]; then files=("$@"); else
  mapfile -t files < <(git ls-files '*.md' | grep -v -e '^CHANGELOG\.md$' -e '/RECORD\.md$' | sort -u)
fi

# One search over all pages; only lines that it finds are matched with each pattern, without their `code`.
found=$(grep -nHE -f <(printf '%s\n' "$patterns") -- "${files[@]}") || [ $? -eq 1 ]
mapfile -t each <<<"$patterns"
status=0
code='(`[^`]*`)'
while IFS= read -r line; do
  [ -n "$line" ] || continue
  text=${line#*:*:}
  place=${line%"$text"}
  while [[ $text =~ $code ]]; do text=${text/"${BASH_REMATCH[1]}"/…}; done
  for pattern in "${each[@]}"; do
    if [[ $text =~ $pattern ]]; then
      printf '%s "%s" matches %s\n' "$place" "${BASH_REMATCH[0]}" "$pattern"
      status=1
    fi
  done
done <<<"$found"
exit $status
