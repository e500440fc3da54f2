#!/usr/bin/env bash
# Patterns that readers stumbled over, in every tracked Markdown page but the training record, in the texts of Swift's string
# literals (help, messages) and, for phrases and riddles, in doc comments; prints FILE:LINE, the pattern and the match.
#   Scripts/check-words.sh [FILE…]
set -euo pipefail
cd "$(dirname "$0")/.."

# Extended regular expressions, one per line.
list=$(cat <<'END'
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
# What follows is looked for in doc comments too.
# Phrases of old help texts and messages.
\bSay what\b
\bWhich frames count\b
\bGive pixels\b
\bmade if it is missing\b
\bunless given\b
\ba pixel instead of\b
\b(film|map|picture|photo|stream) goes on\b
\bane[w]\b
\bas such\b
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
END
)
only_patterns() { sed -e '/^$/d' -e '/^#/d'; }
patterns=$(only_patterns <<<"$list")
of_comments=$(sed '1,/^# What follows/d' <<<"$list" | only_patterns)

if [ $# -gt 0 ]; then files=("$@"); else
  mapfile -t files < <(git ls-files '*.md' 'Sources/*.swift' | grep -v -e '/RECORD\.md$' | sort -u)
fi
pages=() sources=()
for file in "${files[@]}"; do
  case $file in *.swift) sources+=("$file") ;; *) pages+=("$file") ;; esac
done

# FILE:LINE:TEXT of string literals with a few words, without comments.
literals() {
  awk '
    FNR == 1 { inside = 0 }
    /"""/ { if (gsub(/"""/, "") % 2) inside = !inside; next }
    inside { sub(/^[[:space:]]+/, ""); print FILENAME ":" FNR ": " $0; next }
    /^[[:space:]]*\/\// { next }
    {
      text = ""
      while (match($0, /"([^"\\]|\\.)*"/)) {
        text = text (text == "" ? "" : " ") substr($0, RSTART + 1, RLENGTH - 2)
        $0 = substr($0, RSTART + RLENGTH)
      }
      if (text ~ /[A-Za-z,]+ [a-z]+ /) print FILENAME ":" FNR ": " text
    }' "$@" </dev/null
}

# FILE:LINE:TEXT of doc comments.
comments() { awk '/^[[:space:]]*\/\/\// { sub(/^[[:space:]]*\/\/\/ ?/, ""); print FILENAME ":" FNR ": " $0 }' "$@" </dev/null; }

# search PATTERNS [ARGUMENT OF grep…]: one search over all texts; only lines that it finds are matched with each pattern, without their `code`.
search() { grep -E -f <(printf '%s\n' "$1") "${@:2}" || [ $? -eq 1 ]; }
found=$(
  if [ ${#pages[@]} -gt 0 ]; then search "$patterns" -nH -- "${pages[@]}"; fi
  if [ ${#sources[@]} -gt 0 ]; then literals "${sources[@]}" | search "$patterns"; fi
)
in_comments=$(if [ ${#sources[@]} -gt 0 ]; then comments "${sources[@]}" | search "$of_comments"; fi)
status=0
# shellcheck disable=SC2016  # Markdown's backquotes
code='(`[^`]*`)'
# Reads lines from standard input.
report() {
  local each line text place pattern
  mapfile -t each <<<"$1"
  while IFS= read -r line; do
    [ -n "$line" ] || continue
    text=${line#*:*:}
    place=${line%"$text"}
    text=${text# }
    while [[ $text =~ $code ]]; do text=${text/"${BASH_REMATCH[1]}"/…}; done
    for pattern in "${each[@]}"; do
      if [[ $text =~ $pattern ]]; then
        printf '%s "%s" matches %s\n' "$place" "${BASH_REMATCH[0]}" "$pattern"
        status=1
      fi
    done
  done
}
report "$patterns" <<<"$found"
report "$of_comments" <<<"$in_comments"
exit $status
