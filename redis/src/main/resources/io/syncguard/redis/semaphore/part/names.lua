-- Names what a step on a semaphore works on.
--
-- KEYS[1]  main     ns:semaphore_main:name     the holders of slots, by when their heartbeat is missed
-- KEYS[2]  ttl      ns:semaphore_ttl:name      the holders of confirmed slots, by when they must give them up
-- KEYS[3]  max      ns:semaphore_max:name      the limit
-- KEYS[4]  waiting  ns:semaphore_waiting:name  the queue, by ticket
--
-- Scores are seconds, with microseconds, by the server's clock. A client is alive while its score is not before now. The scripts
-- write no score into main that is beyond the one in ttl.

local call = redis.call
local mainKey, ttlKey, maxKey, waitingKey = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
