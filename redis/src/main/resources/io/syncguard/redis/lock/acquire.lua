-- Takes a lock if it is free.
--
-- KEYS[1]  lock key     prefix:key
-- KEYS[2]  index key    prefix:id:lockId, ends with the new lock's 22-character lockId
-- KEYS[3]  fence key    prefix:fence:prefix:key
-- ARGV[1]  the record up to its fence: {"key":"<key, JSON-escaped>","lockId":"<lockId>","fence":"
-- ARGV[2]  ttlMs
-- ARGV[3]  ttlMs + 5000, the physical life of both keys; the record outlives its expiry so that a late holder is told
-- ARGV[4]  only when fences must survive the loss of the counter: any value
--
-- Returns  string   taken: the rest of the record, <fence>","acquiredAtMs":<ms>,"expiresAtMs":<ms>}
--                   (also when the record already carries this lockId: a retry after a lost reply gets what is stored)
--          integer  held by another: milliseconds until it could be taken, at least 1
-- Errors   CORRUPT        the record or the fence counter is not what a client writes; nothing was changed
--          FENCEOVERFLOW  the counter has reached 900000000000000; nothing was changed

local call, sub = redis.call, string.sub
local lockKey, indexKey, fenceKey, head = KEYS[1], KEYS[2], KEYS[3], ARGV[1]

-- include part/clock.lua

local staleIndex
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
  if expires > now - 1000 then
    if owner == sub(indexKey, -22) then
      return string.format('%s","acquiredAtMs":%d,"expiresAtMs":%d}', fence, acquired, expires)
    end
    return math.ceil(expires + 1000 - now)
  end
  staleIndex = sub(indexKey, 1, -23) .. owner
end

local counter = call('GET', fenceKey)
local last = tonumber(counter or 0)
if not last or not (last >= 0 and last < 900000000000000) then
  return {err = string.find(counter, '^%d+$') and 'FENCEOVERFLOW fence counter has reached 900000000000000'
    or 'CORRUPT fence counter'}
end

local fence = last + 1
if ARGV[4] then
  if counter and string.find(counter, '%D') then
    return {err = 'CORRUPT fence counter'}
  end
  fence = math.max(fence, math.floor(now))
  call('SET', fenceKey, string.format('%d', fence))
else
  local counted = redis.pcall('INCR', fenceKey)
  if counted ~= fence then
    -- INCR is stricter than tonumber: it refuses, and leaves as they are, 0x1F, 1e3, 1.0, 007 and the like. With a sound
    -- counter it is the server that refuses to write (READONLY, OOM, ...), and the caller is told that.
    local sound = not counter or counter == '0' or string.find(counter, '^[1-9]%d*$')
    return sound and counted or {err = 'CORRUPT fence counter'}
  end
end

if staleIndex then
  call('DEL', staleIndex)
end
local tail = string.format('%015d","acquiredAtMs":%d,"expiresAtMs":%d}', fence, now, now + ARGV[2])
call('SET', lockKey, head .. tail, 'PX', ARGV[3])
call('SET', indexKey, lockKey, 'PX', ARGV[3])
return tail
