-- Takes a lock if it is free for the caller, confirms a grant, or takes a place in the queue.
--
-- KEYS[1]  lock key     prefix:key
-- KEYS[2]  index key    prefix:id:lockId, ends with the new lock's 22-character lockId
-- KEYS[3]  fence key    prefix:fence:prefix:key
-- ARGV[1]  the record up to its fence: {"key":"<key, JSON-escaped>","lockId":"<lockId>","fence":"
-- ARGV[2]  ttlMs
-- ARGV[3]  ttlMs + 5000, the physical life of both keys; the record outlives its expiry so that a late holder is told
-- ARGV[4]  the caller's member of the queue without the lockId: part/queue.lua says what that is. One character more, any, if it
--          does not wait: an argument of its own would cost more
--
-- Returns  string                       taken: the rest of the record, <fence>","acquiredAtMs":<ms>,"expiresAtMs":<ms>}
--                                       (also when the record already carries this lockId: a retry after a lost reply gets what
--                                       is stored, and confirms what was granted)
--          <remaining ms>               held by another, or another comes before; the caller is not in the queue. At least 1
--          <ticket>, <remaining ms>     the same, and the caller is in the queue; 0 ms if there is no lock. A 1 follows if the
--                                       caller is the first, and another library's client holds the lock, which it will release
--                                       without a word to the queue
--          -1                           nothing is decided: there are more dead waiters than a step drops
-- Errors   CORRUPT        the record or the fence counter is not what a client writes; nothing was changed
--          FENCEOVERFLOW  the counter has reached 900000000000000; nothing was changed

local call, sub = redis.call, string.sub
local lockKey, indexKey, fenceKey, head, mark = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[4]
local base = sub(indexKey, 1, -23)
-- include part/queue.lua
-- include part/clock.lua

local staleIndex, isFirst
if call('EXISTS', lockKey, queueKey) > 0 then
  -- How long another's lock lives.
  local remaining
  local held = call('GET', lockKey)
  if held then
    -- What SyncGuard's scripts write for this key differs from head only after the stem, and is matched to its last byte, so
    -- text inside the key cannot pose as a field. Any other record, field order or spelling is decoded.
    local stem = sub(head, 1, -34)
    local owner, fence, acquired, expires
    if sub(held, 1, #stem) == stem then
      owner, fence, acquired, expires = string.match(held,
        '^([%w_-]+)","fence":"(%d+)","acquiredAtMs":(%d+),"expiresAtMs":(%d+)}$', #stem + 1)
    end
    if owner and #owner == 22 and #fence == 15 and #expires <= 15 then
      expires = tonumber(expires)
    else
      -- include part/record.lua
      owner, fence, acquired, expires = lock.lockId, lock.fence, tonumber(lock.acquiredAtMs) or 0, lock.expiresAtMs
    end
    if expires <= now - 1000 then
      staleIndex = base .. owner
    elseif owner == sub(indexKey, -22) then
      -- QueueTimes.isUnconfirmed: a grant to the caller, which is confirmed.
      local life = expires - acquired
      local isUnconfirmed = life == 2000 or life == 500
      if isUnconfirmed then
        expires = now + ARGV[2]
      end
      local tail = string.format('%s","acquiredAtMs":%d,"expiresAtMs":%d}', fence, acquired, expires)
      if isUnconfirmed then
        call('SET', lockKey, head .. tail, 'PX', ARGV[3])
        call('SET', indexKey, lockKey, 'PX', ARGV[3])
      end
      return tail
    else
      remaining = math.ceil(expires + 1000 - now)
    end
  end

  local process, member = sub(mark, 2, 23), sub(indexKey, -22) .. sub(mark, 1, 23)
  if not remaining then
    local function countFence(fenceKey, survives)
      -- include part/fence.lua
      return fence
    end
    -- include part/next.lua

    local first = firstAlive()
    if more then
      return -1
    end
    isFirst = first == member
    if first and not isFirst then
      local granted, life = serve(first, staleIndex)
      remaining = granted and life + 1000 or 0
    end
  end

  if remaining and #mark > 23 then
    call('ZREM', queueKey, member)
    return math.max(remaining, 1)
  end
  if remaining then
    -- Tickets increase strictly: waiters that come in the same microsecond are not sorted by their ids.
    local ticket = time[1] * 1000000 + time[2]
    local last = call('ZREVRANGE', queueKey, 0, 0, 'WITHSCORES')[2]
    if last and tonumber(last) >= ticket then
      ticket = tonumber(last) + 1
    end
    local comesFirst = not last
    if call('ZADD', queueKey, 'NX', string.format('%d', ticket), member) == 0 then
      ticket = tonumber(call('ZSCORE', queueKey, member))
      comesFirst = call('ZRANK', queueKey, member) == 0
    end
    -- QueueTimes.ALIVE. The queue of processes that have all died goes by itself.
    local aliveKey = base .. 'alive:' .. process
    call('SET', aliveKey, '1', 'PX', 3000)
    call('PEXPIRE', queueKey, 60000)
    -- The scripts let a record live 5000 ms past expiresAtMs, which is 4000 ms more than remaining; other libraries do not.
    local isForeign = comesFirst and remaining > 0 and call('PTTL', lockKey) < remaining + 3000
    return {ticket, remaining, isForeign and 1 or nil}
  end
end

local survives = string.find(mark, '^[Ss]')
-- include again part/fence.lua

if staleIndex then
  call('DEL', staleIndex)
end
local tail = string.format('%015d","acquiredAtMs":%d,"expiresAtMs":%d}', fence, now, now + ARGV[2])
call('SET', lockKey, head .. tail, 'PX', ARGV[3])
call('SET', indexKey, lockKey, 'PX', ARGV[3])
if isFirst then
  call('ZREM', queueKey, sub(indexKey, -22) .. sub(mark, 1, 23))
end
return tail
