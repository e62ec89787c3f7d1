#!/usr/bin/env bash
# docs_pictures.sh BUILD: takes the pictures of docs/images anew, with the programs in BUILD/bin (target
# headroom_tools). Needs pdftoppm. Look at them before they are committed.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
shots=$(mktemp -d)
trap 'rm -rf "$shots"' EXIT
export LC_ALL=C.UTF-8 # reports are in the language of the environment
export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}
for look in light-en light-zh dark-en; do "$build/bin/desktop_screenshots" "$shots" "$look" >/dev/null 2>&1; done

take() { cp "$shots/$1.png" "docs/images/desktop-$2.png"; }
for language in en zh_CN; do
    take "light-$language-state-asked" "light-$language-asked"
    take "light-$language-compare" "light-$language-compare"
    take "light-$language-growing-overtime" "light-$language-overtime"
done
take light-en-batch light-en-batch
take dark-en-roofline dark-en-roofline
take dark-en-serving dark-en-serving

report() { # report LANGUAGE FLAGS…: the first page at 96 dots an inch
    local language=$1
    shift
    "$build/bin/headroom" report "$@" -o "$shots/report.pdf" >/dev/null
    pdftoppm -r 96 -f 1 -l 1 -singlefile -png "$shots/report.pdf" "docs/images/report-$language"
}
report en --ask "how many H100s for Llama-70B at 20 TPS for 100 users"
report zh_CN --ask "Llama-70B，100 个用户，20 token/s，需要几张 H100？" --currency cny
