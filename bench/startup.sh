#!/usr/bin/env bash
# How long `./syncguard run k -- true` takes on SQLite, and how that splits: each line does a bit more than the one before.
# Rounds take turns, and the figures are medians. Leaves nothing behind but the build.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
rounds=${1:-15}

HOME=$(mktemp -d)
export HOME
unset SYNCGUARD_URI
trap 'rm -rf "$HOME"' EXIT

"$root/syncguard" run k -- true

layout=$root/cli/target/syncguard
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
options=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xshare:auto -Xlog:disable)
archived=(-XX:SharedArchiveFile="$layout/lib/syncguard.jsa" -jar "$layout/lib/syncguard.jar")

names=("a JVM that does nothing" "+ SyncGuard, and the command line" "+ bin/syncguard, the launcher"
  "+ ./syncguard: is the build current?" "+ opening and closing SQLite" "+ lock, fork, true, release")
step() {
  case $1 in
    0) "$java" "${options[@]}" -version ;;
    1) "$java" "${options[@]}" "${archived[@]}" setup --help ;;
    2) "$layout/bin/syncguard" setup --help ;;
    3) "$root/syncguard" setup --help ;;
    4) "$root/syncguard" setup ;;
    5) "$root/syncguard" run k -- true ;;
  esac >/dev/null 2>&1
}

times=()
for ((round = 0; round < rounds; round++)); do
  for step in "${!names[@]}"; do
    begin=${EPOCHREALTIME/[.,]/}
    step "$step"
    times[step]+="$((${EPOCHREALTIME/[.,]/} - begin)) "
  done
done

before=0
for step in "${!names[@]}"; do
  median=$(tr ' ' '\n' <<<"${times[step]}" | sed '/^$/d' | sort -n | sed -n "$((rounds / 2 + 1))p")
  printf '%-38s %5d ms  (%+d ms)\n' "${names[step]}" "$((median / 1000))" "$(((median - before) / 1000))"
  before=$median
done
