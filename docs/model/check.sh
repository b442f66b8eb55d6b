#!/bin/sh
# Checks the models of the queues with Spin, and that Spin finds what is wrong with their mutants.
# Needs spin and gcc (Debian: apt-get install spin gcc). Takes about six minutes.
set -eu
models=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# check <model> <safety|a claim of the model> <options>: prints Spin's summary, and is true if Spin found no error
check() {
  model=$1
  property=$2
  shift 2
  spin -a "$@" "$models/$model.pml" > spin.log || { cat spin.log >&2; exit 2; }
  if [ "$property" = safety ]; then
    gcc -O2 -DSAFETY -DNOCLAIM -DVECTORSZ=2048 -DCOLLAPSE -w -o pan pan.c
    ./pan -E -m3000000 > pan.log 2>&1
  else
    gcc -O2 -DNFAIR=5 -DVECTORSZ=2048 -DCOLLAPSE -w -o pan pan.c
    ./pan -a -f -N "$property" -m5000000 > pan.log 2>&1
  fi
  if grep -q 'max search depth too small\|out of memory\|VECTORSZ' pan.log; then
    cat pan.log >&2
    exit 2
  fi
  grep -q 'errors: 0' pan.log
}

announce() {
  model=$1
  property=$2
  shift 2
  printf '%-9s %-8s %-88s ' "$model" "$property" "$*"
}

holds() {
  announce "$@"
  if check "$@"; then echo "holds ($(sed -n 's/ states, stored.*//p' pan.log | tr -d ' ') states)"; else
    echo 'IS VIOLATED'
    exit 1
  fi
}

violated() {
  announce "$@"
  if check "$@"; then
    echo 'IS NOT CAUGHT'
    exit 1
  else echo 'caught'; fi
}

no_failures="-DCRASHES=0 -DPAUSES=0 -DEXPIRIES=0 -DLOST_REPLIES=0 -DREFUSALS=0 -DFOREIGN_LOCKS=0"

echo 'The lock:'
holds lock safety
holds lock safety -DDIES=0 -DFOREIGN_LOCKS=0
holds lock safety -DTOLD_ONLY -DREFUSALS=0
holds lock safety -DFENCES=1 -DLOST_REPLIES=0 -DREFUSALS=0
holds lock safety -DFENCES=1 -DCRASHES=0 -DPAUSES=0
holds lock served -DLOST_REPLIES=0 -DREFUSALS=0
holds lock served -DCRASHES=0 -DPAUSES=0 -DFOREIGN_LOCKS=0
holds lock served -DTOLD_ONLY -DCRASHES=0 -DREFUSALS=0
holds lock granted -DLOST_REPLIES=0
echo 'Nothing fails, and there are no heartbeats: the hand-off itself loses no wake-up:'
holds lock served -DNO_BEATS -DRELIABLE_NOTICES $no_failures
echo 'Mutants:'
violated lock safety -DMUTANT_NOTICE_WITHOUT_LEASE
violated lock safety -DMUTANT_COUNTS_FROM_NOTICE
violated lock safety -DMUTANT_COUNTS_FROM_ANSWER
violated lock safety -DMUTANT_MOVES_UNNOTICED
violated lock safety -DMUTANT_LOSES_UNNOTICED
violated lock safety -DMUTANT_HOLDS_WHEN_LEAVING
violated lock safety -DMUTANT_FENCE_OF_THE_PLACE -DFENCES=1 -DCRASHES=0 -DPAUSES=0 -DLOST_REPLIES=0
violated lock granted -DMUTANT_BEAT_GRANTS_NOTHING
violated lock served -DMUTANT_RACE $no_failures
violated lock served -DMUTANT_RELEASE_GRANTS_NOTHING -DNO_BEATS -DRELIABLE_NOTICES $no_failures
violated lock served -DNO_BEATS

echo 'The semaphore:'
holds semaphore safety -DLIMIT=1
holds semaphore safety -DLIMIT=2
holds semaphore served -DLIMIT=1
holds semaphore served -DLIMIT=2
holds semaphore served -DLIMIT=2 -DNOTICE=0
echo 'Four clients:'
holds semaphore safety -DLIMIT=2 -DN=4 -DSTALLS=0 -DLOST_REPLIES=0
echo 'Nothing fails, and nobody asks but when hinted: the hand-off itself loses no wake-up:'
holds semaphore served -DLIMIT=2 -DNO_HEARTBEATS -DRELIABLE_HINTS -DCRASHES=0 -DSTALLS=0 -DSLOW=0
echo 'Mutants:'
violated semaphore safety -DMUTANT_GRANTS_ARE_FREE
violated semaphore safety -DMUTANT_NOTICE_WITHOUT_LEASE
violated semaphore safety -DMUTANT_NOTICE_OF_A_LOST_PLACE
violated semaphore served -DMUTANT_KEEPS_THE_DEAD
violated semaphore served -DNO_HEARTBEATS
violated semaphore served -DMUTANT_RELEASE_WAKES_NOBODY -DNO_HEARTBEATS -DRELIABLE_HINTS -DCRASHES=0 -DSTALLS=0 -DSLOW=0
