/*
 * The hand-off of a fair semaphore, with everything that may go wrong between the clients and the store: crashes of
 * holders and waiters, hints that are lost, come twice or come for nothing, replies that are lost, holders that stall
 * beyond their heartbeat, and waiters that are too slow to confirm a grant; and with the two ways to hold a slot before the
 * store has said so: in the place of who releases one, and on a grant's own notice. README.md says how to run it and what
 * each part stands for.
 *
 * Every step on the store is atomic, as a script or a transaction is. Time is not counted: what ends by time ends at any
 * moment, but ends.
 */

#ifndef N
#define N 3                                   /* clients: 3 or 4 */
#endif

#ifndef LIMIT
#define LIMIT 1                               /* slots */
#endif
#ifndef CRASHES
#define CRASHES 1                             /* whether a client may crash */
#endif
#ifndef STALLS
#define STALLS 1                              /* how often a holder may stall until its lease is over */
#endif
#ifndef LOST_REPLIES
#define LOST_REPLIES 1                        /* how many replies may be lost */
#endif
#ifndef SLOW
#define SLOW 1                                /* whether a grant may run out before its waiter confirms */
#endif
#ifndef BEGIN
#define BEGIN 1                               /* whether the next may begin before the store hears of the release */
#endif
#ifndef NOTICE
#define NOTICE 1                              /* whether a waiter may act on a grant's notice before it confirms */
#endif

#define UNKNOWN 0
#define WAITING 1
#define GRANTED 2
#define HELD    3
#define LOST    4                             /* a reply that never came */

/* Whom a release names as having begun in its place: nobody, a client's number + 1, or somebody who released since. */
#define NOBODY  0
#define WENT    (N + 1)

/* What a waiter was told of beginning in another's place. */
#define NOTHING 0
#define TOLD    1
#define OVER    2                             /* it was told, but by its own clock the time for that is over */

/* What a holder believes on the strength of. */
#define ANSWER  0                             /* the store has said so */
#define PLACE   1                             /* it began in the place of another, whose release is not answered yet */
#define WORD    2                             /* a grant's notice; its confirmation is not answered yet */

/* The store. */
byte claim[N];
chan queue = [N] of { byte };
byte taken;                                   /* claims that are granted or held */
bool dead[N];                                 /* no heartbeat for too long: forgotten by the next step of anybody */

/* The clients. */
bool hint[N];
bool inherited[N];                            /* was told that it holds a slot by who released it, its own process */
bool believes[N];                             /* thinks that it holds a permit, and acts on it */
bool wants[N];                                /* has asked for a permit and not got it yet */
bool crashed[N];
byte heir[N];                                 /* who has begun in the place of this one, until the release is answered */
byte begins[N];                               /* was told to begin in the place of another */
bool notice[N];                               /* was told of its grant by who granted it */
byte basis[N];                                /* what it believes on the strength of */

hidden byte other;                            /* of use within a step only, so no part of the state */
byte holders;
byte crashes;
byte stalls;
byte lostReplies;

inline forget(i) {
  if
  :: claim[i] == WAITING -> queue ?? eval(i)
  :: claim[i] == GRANTED || claim[i] == HELD -> taken--
  :: else
  fi;
  claim[i] = UNKNOWN;
  notice[i] = false;                          /* by its own clock, a waiter knows a notice whose grant may be over */
  dead[i] = false
}

inline grant(i) {
  claim[i] = GRANTED;
#ifdef MUTANT_GRANTS_ARE_FREE
  skip;                                       /* mutant: a slot counts as taken only when it is confirmed */
#else
  taken++;
#endif
  if
#ifdef NO_HEARTBEATS
  :: hint[i] = true                           /* where there are heartbeats, a waiter may ask at any time anyway */
#endif
  :: NOTICE && !crashed[i] -> notice[i] = true
#ifndef RELIABLE_HINTS
  :: skip                                     /* the hint is lost */
#endif
  fi
}

inline inherit(i) {
  claim[i] = HELD;
  taken++;
  if
  :: inherited[i] = true
#ifndef RELIABLE_HINTS
  :: skip                                     /* the reply that tells of it is lost */
#endif
  fi
}

inline grantFreeSlots(toHeirs) {
  do
  :: taken < LIMIT && nempty(queue) ->
       queue ? other;
       if
       :: grant(other)
       :: toHeirs && !crashed[other] -> inherit(other)
       fi
  :: else -> break
  od
}

inline settle() {
#ifndef MUTANT_KEEPS_THE_DEAD
  other = 0;
  do
  :: other < N && dead[other] -> forget(other); other++
  :: other < N && !dead[other] -> other++
  :: other == N -> break
  od;
#endif
  grantFreeSlots(false)
}

inline leave(i) {
  if
  :: believes[i] -> believes[i] = false; holders--
  :: else
  fi
}

inline hold(i) {
  begins[i] = NOTHING;
  notice[i] = false;
  believes[i] = true;
  wants[i] = false;
  holders++;
  assert(holders <= LIMIT)                    /* never more act as holders than there are slots */
}

/* It was told to begin, or has begun, in another's place, and its clock, which is strict, says that this is over. */
inline placeIsOver(w) {
  if
  :: begins[w] == TOLD -> begins[w] = OVER
  :: else
  fi;
  if
  :: basis[w] == PLACE -> leave(w); basis[w] = ANSWER
  :: else
  fi
}

/* Whoever has begun in the place of i counts its time from when i's slot was certain. */
inline heirsPlaceIsOver(i) {
  if
  :: heir[i] != NOBODY && heir[i] != WENT -> placeIsOver(heir[i] - 1)
  :: else
  fi
}

/* No heartbeat of i for too long. */
inline die(i) {
#ifndef MUTANT_AGELESS_BEGINNING
  heirsPlaceIsOver(i);
#endif
  dead[i] = true
}

/* It was told to begin in the place of somebody whose release is not answered yet. */
#if N > 3
#define isNamed(w) (heir[0] == w + 1 || heir[1] == w + 1 || heir[2] == w + 1 || heir[3] == w + 1)
#else
#define isNamed(w) (heir[0] == w + 1 || heir[1] == w + 1 || heir[2] == w + 1)
#endif

/* Who has begun is served, whatever the store knows, so that nobody waits behind it any more. */
#define isNotAhead(v, w) (v == w || claim[v] != WAITING || isNamed(v))
#if N > 3
#define nobodyIsAhead(w) (isNotAhead(0, w) && isNotAhead(1, w) && isNotAhead(2, w) && isNotAhead(3, w))
#else
#define nobodyIsAhead(w) (isNotAhead(0, w) && isNotAhead(1, w) && isNotAhead(2, w))
#endif

/* It is alive, and nobody is ahead of it; it may have a slot already, and not know it. */
#define isSurelyNext(w) (wants[w] && !crashed[w] && !dead[w] && begins[w] == NOTHING && !isNamed(w) && \
    (claim[w] == GRANTED || claim[w] == HELD || claim[w] == WAITING && (queue ? [eval(w)] || nobodyIsAhead(w))))
#if N > 3
#define isAnyNext (isSurelyNext(0) || isSurelyNext(1) || isSurelyNext(2) || isSurelyNext(3))
#else
#define isAnyNext (isSurelyNext(0) || isSurelyNext(1) || isSurelyNext(2))
#endif

/* It has a slot of its own, known by an answer or by the grant's notice. */
#ifdef MUTANT_CHAIN
#define isSure(i) (believes[i])               /* mutant: or has begun in the place of another */
#else
#define isSure(i) (believes[i] && basis[i] != PLACE)
#endif

inline letBegin(i) {
  if
  :: isSurelyNext(0) -> other = 0
  :: isSurelyNext(1) -> other = 1
  :: isSurelyNext(2) -> other = 2
#if N > 3
  :: isSurelyNext(3) -> other = 3
#endif
  fi;
  heir[i] = other + 1;
  begins[other] = TOLD
}

/* What the store does for an heir that has begun, within the release that names it. */
inline giveToHeir(i, w) {
  if
  :: dead[w] -> forget(w)
  :: else
  fi;
  if
  :: claim[w] == WAITING ->
       queue ?? eval(w);                      /* wherever it is in the queue */
       if
       :: (claim[i] == GRANTED || claim[i] == HELD) && !dead[i] -> claim[w] = HELD; claim[i] = UNKNOWN
       :: else -> claim[w] = UNKNOWN          /* the other's slot is gone, and so is its place */
       fi
  :: claim[w] == GRANTED -> claim[w] = HELD   /* by somebody else's release: it keeps that slot */
  :: else                                     /* it has released, or was forgotten, or holds a slot */
  fi
}

/* An answer to a release: who has begun is as good a holder as any. */
inline isAnswered(i) {
  if
  :: heir[i] != NOBODY && heir[i] != WENT && basis[heir[i] - 1] == PLACE -> basis[heir[i] - 1] = ANSWER
  :: else
  fi;
  heir[i] = NOBODY
}

/* The next acquisition has an id of its own: who names this one means nobody any more. */
inline endAcquisition(i) {
  other = 0;
  do
  :: other < N && heir[other] == i + 1 -> heir[other] = WENT; other++
  :: other < N && heir[other] != i + 1 -> other++
  :: other == N -> break
  od;
  begins[i] = NOTHING;
  basis[i] = ANSWER
}

inline mayCrash(i) {
  atomic {
    crashes < CRASHES -> crashes++; crashed[i] = true; leave(i);
    hint[i] = false; inherited[i] = false; notice[i] = false; begins[i] = NOTHING; basis[i] = ANSWER;
    goto gone
  }
}

proctype Client(byte i) {
#ifdef MUTANT_REPEATS_WITHOUT_HEIR
  bool unnamed;                               /* mutant: the release is repeated without naming the heir */
#else
#define unnamed false
#endif
#ifdef MUTANT_BEGINS_ON_REPEAT
  bool hadBegun;                              /* mutant: it released when it had begun in the place of another */
#endif

ask:
  atomic {
    wants[i] = true;
    hint[i] = false;
    inherited[i] = false;
    notice[i] = false;
    settle();
    if
    :: claim[i] == UNKNOWN && taken < LIMIT -> claim[i] = HELD; taken++
    :: claim[i] == UNKNOWN && taken >= LIMIT -> claim[i] = WAITING; queue ! i
    :: claim[i] == GRANTED -> claim[i] = HELD;
#ifdef MUTANT_GRANTS_ARE_FREE
       taken++
#endif
    :: else
    fi;
    if
    :: claim[i] == WAITING -> goto waits
    :: claim[i] == HELD
    :: lostReplies < LOST_REPLIES -> lostReplies++; goto ask      /* the same id again: what the store knows decides */
    fi
  }
  if
  :: atomic { hold(i); goto holds }
  :: mayCrash(i)
  fi;

waits:
  if
  :: hint[i] -> goto ask
  :: atomic { inherited[i] -> inherited[i] = false; hold(i); goto holds }
  :: atomic { begins[i] == TOLD -> basis[i] = PLACE; hold(i); goto holds }
  :: atomic { begins[i] == OVER -> goto release }
  :: atomic {                                 /* paused before it takes notice: it never acts on it */
       begins[i] == TOLD && stalls < STALLS -> stalls++; begins[i] = OVER; goto release
     }
  :: atomic { notice[i] -> basis[i] = WORD; hold(i); goto holds }
  :: atomic {                                 /* paused before it takes notice: as a holder that is paused */
       inherited[i] && stalls < STALLS -> stalls++; placeIsOver(i); dead[i] = true;
#ifdef MUTANT_AGELESS_INHERITANCE
       goto waits                             /* mutant: its time begins when it takes notice */
#else
       goto ask                               /* joins the queue anew */
#endif
     }
#ifndef NO_HEARTBEATS
  :: goto ask                                 /* a heartbeat is due; it asks what the store knows */
#endif
  :: mayCrash(i)
  fi;

holds:
  if
  :: atomic {
#ifdef MUTANT_BEGINS_ON_REPEAT
       hadBegun = basis[i] == PLACE;
#endif
       leave(i); basis[i] = ANSWER
     }
  :: atomic {                                 /* before the store hears of the release, the next begins in its place */
       BEGIN && isSure(i) && isAnyNext -> leave(i); basis[i] = ANSWER; letBegin(i)
     }
  :: atomic {                                 /* confirms, and acts meanwhile; asks again if the reply is lost */
       basis[i] == WORD ->
       settle();
       if
       :: claim[i] == GRANTED -> claim[i] = HELD
       :: claim[i] == UNKNOWN && taken < LIMIT && empty(queue) -> claim[i] = HELD; taken++    /* of no use to it */
       :: else
       fi;
       if
       :: basis[i] = ANSWER
       :: lostReplies < LOST_REPLIES -> lostReplies++
       fi;
       goto holds
     }
  :: atomic {                                 /* paused: by its own clock, which is strict, its lease is over first */
       stalls < STALLS -> stalls++; leave(i); basis[i] = ANSWER; dead[i] = true
     }
  :: mayCrash(i)
  fi;

release:
  if
  :: atomic {
       inherited[i] = false;
       if
       :: heir[i] != NOBODY && heir[i] != WENT && !unnamed -> giveToHeir(i, (heir[i] - 1))
       :: else
       fi;
       settle();
       forget(i);
#ifndef MUTANT_RELEASE_WAKES_NOBODY
       grantFreeSlots(heir[i] == NOBODY);
#endif
       if
       :: skip
       :: lostReplies < LOST_REPLIES -> lostReplies++;
#ifdef MUTANT_BEGINS_ON_REPEAT
          if
          :: hadBegun && heir[i] == NOBODY && !isNamed(i) && isAnyNext ->
               letBegin(i)                    /* mutant: now the answer is there, but the slot is given up already */
          :: else
          fi;
#endif
          goto release
       fi
     }
  :: atomic { claim[i] == GRANTED -> claim[i] = HELD; goto release }     /* a confirmation was on its way, too */
  :: atomic {                                 /* on its way to the store for longer than i's time */
       heir[i] != NOBODY && claim[i] != UNKNOWN && !dead[i] && stalls < STALLS -> stalls++; die(i); goto release
     }
#ifdef MUTANT_REPEATS_WITHOUT_HEIR
  :: atomic {                                 /* lost on its way to the store: nothing has changed but for the mutant */
       heir[i] != NOBODY && lostReplies < LOST_REPLIES -> lostReplies++; unnamed = true; goto release
     }
#endif
  :: mayCrash(i)
  fi;
  if
  :: atomic {
       isAnswered(i);
       endAcquisition(i);
       if
       :: goto ask                            /* comes again */
       :: !wants[i] -> goto gone              /* has had enough */
       fi
     }
  :: mayCrash(i)
  fi;

gone:
  skip
}

/* The time after which a crashed client's heartbeat is missed. One of these for each crash is enough. */
proctype Reaper() {
  byte i;
  atomic {
    if
    :: crashed[0] && claim[0] != UNKNOWN -> i = 0
    :: crashed[1] && claim[1] != UNKNOWN -> i = 1
    :: crashed[2] && claim[2] != UNKNOWN -> i = 2
#if N > 3
    :: crashed[3] && claim[3] != UNKNOWN -> i = 3
#endif
    fi;
    die(i);
    i = 0
  }
}

/* A grant whose lease is over before its waiter, which is alive, has confirmed. */
proctype Slowness() {
  byte i;
  atomic {
    if
    :: claim[0] == GRANTED -> i = 0
    :: claim[1] == GRANTED -> i = 1
    :: claim[2] == GRANTED -> i = 2
#if N > 3
    :: claim[3] == GRANTED -> i = 3
#endif
    fi;
#ifndef MUTANT_BEGINNING_OUTLIVES_GRANT
    placeIsOver(i);                           /* it may have begun in another's place, and not know of the grant */
#endif
    heirsPlaceIsOver(i);                      /* another may have begun in its place, before the store hears of it */
#ifndef MUTANT_NOTICE_WITHOUT_LEASE
    if
    :: basis[i] == WORD -> leave(i)
    :: else
    fi;
#endif
    forget(i);
    grantFreeSlots(false);
    i = 0
  }
}

init {
  atomic {
    run Client(0);
    run Client(1);
    run Client(2);
#if N > 3
    run Client(3);
#endif
    if
    :: CRASHES > 0 -> run Reaper()
    :: else
    fi;
    if
    :: SLOW > 0 -> run Slowness()
    :: else
    fi
  }
}

/* Every live waiter is served. By symmetry, it is enough to look at one. */
ltl served { [] (wants[0] -> <> (believes[0] || crashed[0])) }
