#!/bin/sh
# Pictures of every view in both appearances and languages under Xvfb: tests/desktop/screenshots.sh FOLDER [BUILD [BEGIN]],
# (built by `cmake --build build/release --target headroom_tools`),
# all or those whose name begins so (light-en, dark-zh_CN, 1024x700, 1366x768-dark-zh_CN)
set -eu
folder=${1:?a folder for the pictures}
build=${2:-build/release}
exec xvfb-run -a -s "-screen 0 2560x1440x24" "$build/bin/desktop_screenshots" "$folder" "${3:-}"
