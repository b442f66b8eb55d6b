-- Names what a step on a semaphore works on. A part of other scripts, put in front of them.
--
-- KEYS[1]  main     ns:semaphore_main:name     who has a slot, by when its heartbeat is missed
-- KEYS[2]  ttl      ns:semaphore_ttl:name      who has confirmed its slot, by when it must give it up
-- KEYS[3]  max      ns:semaphore_max:name      the limit
-- KEYS[4]  waiting  ns:semaphore_waiting:name  the queue, by ticket
--
-- Scores are seconds, with microseconds, by the server's clock. Who is alive has a score that is not before now. A score in
-- main that we write is never beyond the one in ttl.
--
-- Parts that define functions come after the usual cases, which would only be slower for them.

local call = redis.call
local mainKey, ttlKey, maxKey, waitingKey = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
