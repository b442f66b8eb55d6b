/*
 * The hand-off of a fair semaphore, with everything that may go wrong between the clients and the store: crashes of
 * holders and waiters, hints that are lost, come twice or come for nothing, replies that are lost, holders that stall
 * beyond their heartbeat, and waiters that are too slow to confirm a grant. README.md says how to run it and what each
 * part stands for.
 *
 * Every step on the store is atomic, as a script or a transaction is. Time is not counted: what ends by time ends at any
 * moment, but ends.
 */

#define N 3                                   /* clients */

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

#define UNKNOWN 0
#define WAITING 1
#define GRANTED 2
#define HELD    3
#define LOST    4                             /* a reply that never came */

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
  :: hint[i] = true
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

inline mayCrash(i) {
  atomic { crashes < CRASHES -> crashes++; crashed[i] = true; leave(i); goto gone }
}

proctype Client(byte i) {
  byte reply;

idle:
  wants[i] = true;

ask:
  atomic {
    hint[i] = false;
    inherited[i] = false;
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
    :: reply = claim[i]
    :: lostReplies < LOST_REPLIES -> lostReplies++; reply = LOST
    fi
  }
  if
  :: reply == LOST -> reply = 0; goto ask      /* the same id again: what the store knows of it decides */
  :: reply == WAITING -> reply = 0; goto waits
  :: reply == HELD -> reply = 0; goto holds
  :: mayCrash(i)
  fi;

waits:
  if
  :: hint[i] -> goto ask
  :: atomic { inherited[i] -> inherited[i] = false; goto holds }
  :: atomic {                                 /* paused before it takes notice: as a holder that is paused */
       inherited[i] && stalls < STALLS -> stalls++; dead[i] = true;
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
  atomic {
    believes[i] = true;
    wants[i] = false;
    holders++;
    assert(holders <= LIMIT)                  /* never more act as holders than there are slots */
  }
  if
  :: atomic { leave(i) }
  :: atomic {                                 /* paused: by its own clock, which is strict, its lease is over first */
       stalls < STALLS -> stalls++; leave(i); dead[i] = true
     }
  :: mayCrash(i)
  fi;

release:
  atomic {
    inherited[i] = false;
    settle();
    forget(i);
#ifndef MUTANT_RELEASE_WAKES_NOBODY
    grantFreeSlots(true);
#endif
    if
    :: reply = UNKNOWN
    :: lostReplies < LOST_REPLIES -> lostReplies++; reply = LOST
    fi
  }
  if
  :: reply == LOST -> reply = 0; goto release
  :: reply != LOST -> goto idle               /* comes again */
  :: reply != LOST -> goto gone               /* has had enough */
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
    fi;
    dead[i] = true;
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
    fi;
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
