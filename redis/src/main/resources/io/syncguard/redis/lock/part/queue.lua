-- Names a lock's queue (queueKey), a sorted set of its waiters by their tickets, from the name of its record (lockKey) and from
-- what the names of indexes begin with (base, prefix:id:). No user key and no lockId is named so.
--
-- A member is the waiter's lockId, 22 characters, its mode, 1 character, and the id of its process, 22 characters. The mode says
-- how the waiter's fence is counted, C by INCR and S so that it survives the loss of the counter, and whether the lock is granted
-- to it: with a letter in lower case it is only told that it may take the lock.

local queueKey = base .. 'queue:' .. sub(lockKey, #base - 2)
