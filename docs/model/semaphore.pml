/*
 * The hand-off of a fair semaphore, with everything that may go wrong between the clients and the store: crashes of
 * holders and waiters, hints that are lost, come twice or come for nothing, replies that are lost, holders that stall
 * beyond their heartbeat, and waiters that are too slow to confirm a grant; and with holding a slot on a grant's own notice,
 * before it is confirmed. README.md says how to run it and what each part stands for.
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
#ifndef NOTICE
#define NOTICE 1                              /* whether a waiter may act on a grant's notice before it confirms */
#endif

#define UNKNOWN 0
#define WAITING 1
#define GRANTED 2
#define HELD    3
#define LOST    4                             /* a reply that never came */

/* What a holder believes on the strength of. */
#define ANSWER  0                             /* the store has said so */
#define WORD    1                             /* a grant's notice; its confirmation is not answered yet */

/* The store. */
byte claim[N];
chan queue = [N] of { byte };
byte taken;                                   /* claims that are granted or held */
bool dead[N];                                 /* no heartbeat for too long: forgotten by the next step of anybody */

/* The clients. */
bool hint[N];
bool believes[N];                             /* thinks that it holds a permit, and acts on it */
bool wants[N];                                /* has asked for a permit and not got it yet */
bool crashed[N];
bool notice[N];                               /* was told of its grant by who granted it */
#ifdef MUTANT_NOTICE_OF_A_LOST_PLACE
bool late[N];                                 /* a notice that is late, of a grant that is over */
#endif
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
#ifdef MUTANT_NOTICE_OF_A_LOST_PLACE
  late[i] = late[i] || notice[i];             /* mutant: it comes when the waiter has another place */
#endif
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

inline grantFreeSlots() {
  do
  :: taken < LIMIT && nempty(queue) ->
       queue ? other;
       grant(other)
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
  grantFreeSlots()
}

inline leave(i) {
  if
  :: believes[i] -> believes[i] = false; holders--
  :: else
  fi
}

inline hold(i) {
  notice[i] = false;
  believes[i] = true;
  wants[i] = false;
  holders++;
  assert(holders <= LIMIT)                    /* never more act as holders than there are slots */
}

inline mayCrash(i) {
  atomic {
    crashes < CRASHES -> crashes++; crashed[i] = true; leave(i);
    hint[i] = false; notice[i] = false; basis[i] = ANSWER;
    goto gone
  }
}

proctype Client(byte i) {
ask:
  atomic {
    wants[i] = true;
    hint[i] = false;
    notice[i] = false;
    settle();
    if
    :: claim[i] == UNKNOWN && taken < LIMIT -> claim[i] = HELD; taken++
    :: claim[i] == UNKNOWN && taken >= LIMIT -> claim[i] = WAITING; queue ! i;
#ifdef MUTANT_NOTICE_OF_A_LOST_PLACE
       notice[i] = late[i]
#endif
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
  :: atomic { notice[i] -> basis[i] = WORD; hold(i); goto holds }
#ifndef NO_HEARTBEATS
  :: goto ask                                 /* a heartbeat is due; it asks what the store knows */
#endif
  :: mayCrash(i)
  fi;

holds:
  if
  :: atomic { leave(i); basis[i] = ANSWER }
  :: atomic {                                 /* confirms, and acts meanwhile; asks again if the reply is lost */
       basis[i] == WORD ->
       settle();
       if
       :: claim[i] == GRANTED -> claim[i] = HELD
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
       settle();
       forget(i);
#ifndef MUTANT_RELEASE_WAKES_NOBODY
       grantFreeSlots();
#endif
       if
       :: skip
       :: lostReplies < LOST_REPLIES -> lostReplies++; goto release
       fi
     }
  :: atomic { claim[i] == GRANTED -> claim[i] = HELD; goto release }     /* a confirmation was on its way, too */
  :: mayCrash(i)
  fi;
  if
  :: atomic {
       basis[i] = ANSWER;
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
#if N > 3
    :: claim[3] == GRANTED -> i = 3
#endif
    fi;
#ifndef MUTANT_NOTICE_WITHOUT_LEASE
    if
    :: basis[i] == WORD -> leave(i)
    :: else
    fi;
#endif
    forget(i);
    grantFreeSlots();
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
