/*
 * The queue of a lock, with everything that may go wrong between the clients and the store: processes that die or pause,
 * notices of grants that are lost, or so late that the grant is over, replies that are lost or late, holders whose lock
 * expires, waiters that are too slow to confirm a grant or leave while they are granted one, releases that cannot grant,
 * and clients that know nothing of the queue. README.md says how to run it and what each part stands for.
 *
 * Every step on the store is atomic, as a script or a transaction is. Time is not counted: what ends by time ends at any
 * moment, but ends.
 */

#define N 3                                   /* clients */
#define PROCESSES 2
#define processOf(i) (i / 2)                  /* clients 0 and 1 are of one process, 2 is of another */

/* How often each failure may happen. */
#ifndef CRASHES
#define CRASHES 1                             /* processes that die */
#endif
#ifndef DIES
#define DIES 1                                /* which */
#endif
#ifndef PAUSES
#define PAUSES 1                              /* living processes that give no sign of life for too long */
#endif
#ifndef EXPIRIES
#define EXPIRIES 1                            /* locks of living processes that expire, confirmed or not */
#endif
#ifndef LOST_REPLIES
#define LOST_REPLIES 1
#endif
#ifndef REFUSALS
#define REFUSALS 1                            /* releases that cannot grant */
#endif
#ifndef FOREIGN_LOCKS
#define FOREIGN_LOCKS 1                       /* locks of a client that knows nothing of the queue */
#endif
#ifndef FENCES
#define FENCES 0                              /* whether fences are looked at */
#endif

#define FOREIGN N
#define NOBODY  (N + 1)

/* What the store answered to an attempt, on its way to the client. */
#define NOTHING 0
#define GRANTED 1
#define QUEUED  2
#define HELD    3
#define OVER    4                             /* granted, but by the client's own clock that lock may be over */

/* What a holder believes on the strength of. */
#define ANSWER  0                             /* the store has said so */
#define WORD    1                             /* a grant's notice; its confirmation is not answered yet */

/* The store. */
byte holder = NOBODY;                         /* whose id is in the live record */
chan queue = [N] of { byte };
bool queued[N];                               /* has a place in it */
bool lapsed[PROCESSES];                       /* no sign of life for too long */

/* The clients. */
bool crashed[PROCESSES];
bool wants[N];                                /* has asked for the lock and not got it yet */
bool look[N];                                 /* was told to ask */
byte answer[N];
bool asking[N];                               /* the outcome of its last attempt is not known */
bool notice[N];                               /* a notice of a grant is on its way, perhaps for too long */
bool placed[N];                               /* it knows a ticket of its own */
bool moved[N];                                /* it has another ticket by now */
bool doubts[N];                               /* it may have had a place before this one, and a grant there */
bool fresh[N];                                /* by its clock, a grant since it last was in the queue cannot be over yet */
bool willBeFresh[N];                          /* the same once the answer is there, as counted from before the attempt */
bool believes[N + 1];                         /* thinks that it holds the lock, and acts on it */
byte basis[N];
chan line = [2] of { byte };                  /* clients 0 and 1, as their process knows their order in the queue */
bool inLine[N];

byte holders;
byte crashes;
byte pauses;
byte expiries;
byte lostReplies;
byte refusals;
byte foreignLocks;

hidden byte first;                            /* of use within a step only, so no part of the state */

/* Only the order of fences matters: they are ranks among those that a client may still act with. */
#if FENCES > 0
byte rank[N];                                 /* of a client's latest lock; 0: it acts with none any more */
byte ranks;                                   /* the greatest */
byte acted;                                   /* the rank below or at which are all that are older than a holder's was */
hidden byte each;
#endif

#define runs(i) (!crashed[processOf(i)])

#ifdef MUTANT_HOLDS_WHEN_LEAVING
#define STOP_WAITING skip                     /* mutant: still takes notice of a grant */
#else
#define STOP_WAITING forgetTheWait(i)
#endif

#ifdef MUTANT_COUNTS_FROM_NOTICE
#define isFresh(i) (!doubts[i])                       /* mutant: its time begins when it takes notice */
#else
#define isFresh(i) (fresh[i])
#endif

#if FENCES > 0
inline forgetFence(i) {
  if
  :: rank[i] > 0 ->
       each = 0;
       do
       :: each < N && rank[each] > rank[i] -> rank[each]--; each++
       :: each < N && rank[each] <= rank[i] -> each++
       :: each == N -> break
       od;
       if
       :: acted >= rank[i] -> acted--
       :: else
       fi;
       rank[i] = 0;
       ranks--
  :: else
  fi
}

/* The next fence is the client's. */
inline count(i) {
  forgetFence(i);
  ranks++;
  rank[i] = ranks
}

/* Who acts later has the greater fence. */
inline act(i) {
  assert(rank[i] > acted);
  acted = rank[i];
  forgetFence(i)
}

inline actAtOnce() {
  acted = ranks
}
#else
#define forgetFence(i) skip
#define count(i) skip
#define act(i) skip
#define actAtOnce() skip
#endif

inline leaveQueue(i) {
  queue ?? eval(i);
  queued[i] = false
}

/* A waiter becomes the holder. */
inline grant(i) {
  leaveQueue(i);
#ifndef MUTANT_FENCE_OF_THE_PLACE
  count(i);
#endif
  holder = i;
  if
  :: wants[i] -> notice[i] = true
#ifndef RELIABLE_NOTICES
  :: wants[i]                                 /* the notice is lost */
#endif
  :: !wants[i]                                /* it leaves, or is dead */
  fi
}

/* The first waiter of a process that lives, if the lock is free. */
inline findFirst() {
  first = NOBODY;
  do
  :: holder == NOBODY && first == NOBODY && nempty(queue) ->
       queue ? <first>;
       if
       :: lapsed[processOf(first)] -> leaveQueue(first); first = NOBODY
       :: !lapsed[processOf(first)]
       fi
  :: else -> break
  od
}

/* What every step does that finds, or leaves, a free lock with a queue. */
inline serve() {
  if
#ifdef TOLD_ONLY
  :: first != NOBODY -> look[first] = wants[first]
  :: first != NOBODY && lostReplies < LOST_REPLIES -> lostReplies++
#else
  :: first != NOBODY -> grant(first)
#endif
  :: first == NOBODY
  fi
}

inline leaveLine(i) {
  if
  :: inLine[i] -> line ?? eval(i); inLine[i] = false
  :: else
  fi
}

/* Once it holds, or leaves, it looks at nothing that was on its way. */
inline forgetTheWait(i) {
  wants[i] = false;
  look[i] = false;
  asking[i] = false;
  answer[i] = NOTHING;
  notice[i] = false;
  placed[i] = false;
  moved[i] = false;
  doubts[i] = false;
  fresh[i] = false;
  willBeFresh[i] = false;
  leaveLine(i)
}

inline hold(i) {
  believes[i] = true;
  holders++;
  assert(holders <= 1)                        /* never two act as holders */
}

inline leave(i) {
  if
  :: believes[i] -> believes[i] = false; holders--
  :: else
  fi
}

inline join(i) {
  queue ! i;
  queued[i] = true;
  moved[i] = true;
#ifdef MUTANT_FENCE_OF_THE_PLACE
  count(i)                                    /* mutant: the fence is counted when it joins */
#else
  forgetFence(i)
#endif
}

/* An attempt of a waiter. One that finds its own grant confirms it. */
inline acquire(i, waits) {
  lapsed[processOf(i)] = false;
  findFirst();
#ifdef MUTANT_RACE
  first = NOBODY;                             /* mutant: who asks first is served */
#endif
  if
  :: holder == i -> answer[i] = GRANTED
  :: holder == NOBODY && (first == NOBODY || first == i) ->
       if
       :: queued[i] -> leaveQueue(i)
       :: else
       fi;
       count(i); holder = i; answer[i] = GRANTED
  :: else ->
       serve();
       if
       :: waits && queued[i] -> answer[i] = QUEUED; willBeFresh[i] = true
       :: waits && !queued[i] -> join(i); answer[i] = QUEUED; willBeFresh[i] = true
       :: !waits && queued[i] -> leaveQueue(i); answer[i] = HELD
       :: !waits && !queued[i] -> answer[i] = HELD
       fi
  fi
}

/* A release of the lock, of a grant or of a place. */
inline release(i) {
  if
  :: holder == i -> holder = NOBODY
  :: queued[i] -> leaveQueue(i)
  :: else
  fi;
#ifndef MUTANT_RELEASE_GRANTS_NOTHING
  findFirst();
#ifdef MUTANT_RACE
  if
  :: first != NOBODY -> look[first] = wants[first]
  :: else
  fi
#else
  if
  :: true -> serve()
  :: refusals < REFUSALS -> refusals++        /* the fence cannot be counted; the lock is free all the same */
  fi
#endif
#endif
}

proctype Client(byte i) {
ask:
  atomic {
    runs(i) ->
    wants[i] = true;
    look[i] = false;
    asking[i] = true;
    acquire(i, true)
  }

answered:
  if
  :: atomic {
       runs(i) && answer[i] == GRANTED ->
       forgetTheWait(i); hold(i); act(i); goto holds
     }
  :: atomic {
       runs(i) && answer[i] == QUEUED ->
       answer[i] = NOTHING; asking[i] = false;
       if
       :: moved[i] && i < 2 -> leaveLine(i); line ! i; inLine[i] = true
       :: else
       fi;
#ifndef MUTANT_MOVES_UNNOTICED
       doubts[i] = doubts[i] || placed[i] && moved[i];
#endif
       placed[i] = true;
       moved[i] = false;
#ifdef MUTANT_COUNTS_FROM_ANSWER
       fresh[i] = !doubts[i];
#else
       fresh[i] = willBeFresh[i] && !doubts[i];
#endif
       willBeFresh[i] = false
     }
  :: atomic { runs(i) && answer[i] == OVER -> answer[i] = NOTHING; goto ask }
  :: atomic {
       runs(i) && lostReplies < LOST_REPLIES -> lostReplies++; answer[i] = NOTHING; willBeFresh[i] = false;
#ifndef MUTANT_LOSES_UNNOTICED
       doubts[i] = true;
       fresh[i] = false
#endif
     }
  fi;

waits:
  if
  :: atomic { runs(i) && asking[i] -> goto ask }              /* the same id again: what the store knows decides */
  :: atomic { runs(i) && look[i] -> goto ask }
  :: atomic { runs(i) && notice[i] -> notice[i] = false; goto ask }           /* it may have been too late */
  :: atomic {
       runs(i) && notice[i] && !asking[i] && isFresh(i) ->
       forgetTheWait(i); basis[i] = WORD; hold(i); act(i); goto holds
     }
  :: atomic { runs(i) && i != 0 -> STOP_WAITING; goto leaves }          /* is cancelled */
  :: atomic {                                 /* the time is up: a last try, which leaves no place */
       runs(i) && i != 0 -> acquire(i, false);
       if
       :: answer[i] == GRANTED -> forgetTheWait(i); hold(i); act(i); goto holds
       :: answer[i] == HELD -> forgetTheWait(i); goto over
       fi
     }
  fi;

holds:
  if
  :: atomic { runs(i) -> leave(i) }
  :: atomic {                                 /* confirms, and acts meanwhile; asks again if the reply is lost */
       runs(i) && basis[i] == WORD ->
       if
       :: holder == i && lostReplies < LOST_REPLIES -> lostReplies++
       :: holder == i -> basis[i] = ANSWER
       :: holder != i -> leave(i); basis[i] = ANSWER
       fi;
       goto holds
     }
  fi;

leaves:
#ifdef MUTANT_HOLDS_WHEN_LEAVING
  if
  :: atomic { runs(i) && notice[i] && fresh[i] -> basis[i] = WORD; hold(i); act(i) }
  :: runs(i)
  fi;
#endif
  atomic {
    runs(i) ->
    release(i);
    if
    :: skip
    :: lostReplies < LOST_REPLIES -> lostReplies++; goto leaves
    fi;
#ifdef MUTANT_HOLDS_WHEN_LEAVING
    leave(i); forgetTheWait(i);              
#endif
over:
    basis[i] = ANSWER;
    forgetFence(i);
    if
    :: goto ask                               /* comes again, under a new id */
    :: skip                                   /* has had enough */
    fi
  }
}

/* The heartbeats of a process: they name its first waiter, as far as it knows. */
proctype Beats(byte p) {
  byte w;
  do
  :: atomic {
       !crashed[p] && (p == 0 && nempty(line) || p == 1 && wants[2] && placed[2]) ->
       if
       :: p == 0 -> line ? <w>
       :: p == 1 -> w = 2
       fi;
       lapsed[p] = false;
#ifndef MUTANT_BEAT_GRANTS_NOTHING
       findFirst();
       serve();
#endif
       if
       :: queued[w] -> fresh[w] = !doubts[w]
       :: !queued[w] -> look[w] = true
       :: lostReplies < LOST_REPLIES -> lostReplies++
       fi;
       w = 0
     }
  od
}

/* A client that knows the record only, and releases by deleting it. */
proctype Foreign() {
  do
  :: atomic {
       foreignLocks < FOREIGN_LOCKS && holder == NOBODY -> foreignLocks++; holder = FOREIGN; hold(FOREIGN); actAtOnce()
     }
     atomic {
       leave(FOREIGN);
       if
       :: holder == FOREIGN -> holder = NOBODY
       :: else
       fi
     }
  od
}

/* A lock that expires: of a process that died, or of one that is late. By its own clock, which is strict, it stops first. */
proctype Expiry() {
  do
  :: atomic {
       holder < N && (crashed[processOf(holder)] || expiries < EXPIRIES) ->
       if
       :: crashed[processOf(holder)]
       :: else -> expiries++
       fi;
#ifdef MUTANT_NOTICE_WITHOUT_LEASE
       if
       :: basis[holder] == ANSWER -> leave(holder)
       :: else
       fi;
#else
       leave(holder);
#endif
       fresh[holder] = false;
       willBeFresh[holder] = false;
       if
       :: answer[holder] == GRANTED -> answer[holder] = OVER
       :: else
       fi;
       holder = NOBODY
     }
  od
}

inline die(i) {
  leave(i);
  forgetTheWait(i);
  basis[i] = ANSWER;
  forgetFence(i)
}

/* Processes that die, and such whose sign of life is missed. */
proctype Fate() {
  do
  :: atomic {
       crashes < CRASHES -> crashes++;
       crashed[DIES] = true;
       if
       :: DIES == 0 -> die(0); die(1)
       :: DIES == 1 -> die(2)
       fi
     }
  :: atomic { crashed[DIES] && !lapsed[DIES] -> lapsed[DIES] = true }
  :: atomic { pauses < PAUSES && !lapsed[0] && !crashed[0] -> pauses++; lapsed[0] = true }
  :: atomic { pauses < PAUSES && !lapsed[1] && !crashed[1] -> pauses++; lapsed[1] = true }
  od
}

init {
  atomic {
    run Client(0);
    run Client(1);
    run Client(2);
    run Expiry();
    run Fate();
#ifndef NO_BEATS
    run Beats(0);
    run Beats(1);
#endif
    run Foreign()
  }
}

/* No starvation: every living waiter is served. By symmetry, it is enough to look at one that has a neighbour. */
ltl served { [] (wants[0] -> <> (!wants[0] || crashed[0])) }

#define isWanted (wants[0] && !crashed[0] || wants[1] && !crashed[0] || wants[2] && !crashed[1])

/* No lost wake-up: a free lock that a living client wants is granted. */
ltl granted { [] ((holder == NOBODY && isWanted) -> <> (holder != NOBODY || !isWanted)) }
