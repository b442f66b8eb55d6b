#!/bin/sh
# Checks the model of the semaphore's hand-off with Spin, and that Spin finds what is wrong with its mutants.
# Needs spin and gcc (Debian: apt-get install spin gcc). Takes about three minutes.
set -eu
model=$(cd "$(dirname "$0")" && pwd)/semaphore.pml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# run <safety|liveness> <options of the model>: prints Spin's summary, and is true if Spin found no error
run() {
  property=$1
  shift
  spin -a "$@" "$model" > spin.log || { cat spin.log >&2; exit 2; }
  if [ "$property" = safety ]; then
    gcc -O2 -DSAFETY -DNOCLAIM -DVECTORSZ=2048 -DCOLLAPSE -w -o pan pan.c
    ./pan -E -m3000000 > pan.log 2>&1
  else
    gcc -O2 -DNFAIR=5 -DVECTORSZ=2048 -DCOLLAPSE -w -o pan pan.c
    ./pan -a -f -N served -m5000000 > pan.log 2>&1
  fi
  if grep -q 'max search depth too small\|out of memory\|VECTORSZ' pan.log; then
    cat pan.log >&2
    exit 2
  fi
  grep -q 'errors: 0' pan.log
}

holds() {
  printf '%-8s %-70s ' "$1" "$(echo "$@" | cut -d' ' -f2-)"
  if run "$@"; then echo "holds ($(sed -n 's/ states, stored.*//p' pan.log | tr -d ' ') states)"; else
    echo 'IS VIOLATED'
    exit 1
  fi
}

violated() {
  printf '%-8s %-70s ' "$1" "$(echo "$@" | cut -d' ' -f2-)"
  if run "$@"; then
    echo 'IS NOT CAUGHT'
    exit 1
  else echo 'caught'; fi
}

echo 'The model:'
holds safety -DLIMIT=1
holds safety -DLIMIT=2
holds liveness -DLIMIT=1
holds liveness -DLIMIT=2 -DBEGIN=0 -DNOTICE=0
holds liveness -DLIMIT=2 -DLOST_REPLIES=0 -DSTALLS=0
echo 'Two begin in the places of two others:'
holds safety -DLIMIT=2 -DN=4 -DCRASHES=0 -DSTALLS=0 -DLOST_REPLIES=0
echo 'Nothing fails, and nobody asks but when hinted: the hand-off itself loses no wake-up:'
holds liveness -DLIMIT=2 -DNO_HEARTBEATS -DRELIABLE_HINTS -DCRASHES=0 -DSTALLS=0 -DSLOW=0
echo 'Mutants:'
violated safety -DMUTANT_GRANTS_ARE_FREE
violated safety -DMUTANT_AGELESS_INHERITANCE -DLIMIT=1
violated safety -DMUTANT_AGELESS_BEGINNING
violated safety -DMUTANT_BEGINNING_OUTLIVES_GRANT -DLIMIT=2
violated safety -DMUTANT_CHAIN
violated safety -DMUTANT_REPEATS_WITHOUT_HEIR
violated safety -DMUTANT_BEGINS_ON_REPEAT -DCRASHES=0 -DSTALLS=0 -DSLOW=0 -DNOTICE=0
violated safety -DMUTANT_NOTICE_WITHOUT_LEASE
violated liveness -DMUTANT_KEEPS_THE_DEAD
violated liveness -DNO_HEARTBEATS
violated liveness -DMUTANT_RELEASE_WAKES_NOBODY -DNO_HEARTBEATS -DRELIABLE_HINTS -DCRASHES=0 -DSTALLS=0 -DSLOW=0
