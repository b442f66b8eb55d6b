-- Frees a lock, if it is still this holder's.
--
-- KEYS[1]  index key   prefix:id:lockId, ends with the 22-character lockId
-- KEYS[2]  lock key    prefix:key; left out when only the lockId is known, then the index names it
-- ARGV[1]  the record up to its fence, as acquire was given it; left out when the key is not known
--
-- Returns  1 released   0 another holds it   -1 not found   -2 it was this holder's, but had expired (now deleted)
-- Errors   CORRUPT      the record is not what a client writes; nothing was changed

local call = redis.call
local indexKey, head = KEYS[1], ARGV[1]
local lockKey = KEYS[2] or call('GET', indexKey)
if not lockKey then
  return -1
end

local held = call('GET', lockKey)
-- include part/own_record.lua
-- The scripts let both keys live 5000 ms past expiresAtMs. So if more than that is left, the lock has not expired by the
-- server's clock.
if digits and call('PTTL', lockKey) > 5000 then
  call('DEL', lockKey, indexKey)
  return 1
end

local lockId = string.sub(indexKey, -22)
if held then
  -- include part/record.lua
  -- Ownership before expiry: a late release must not delete the next holder's record.
  if lock.lockId == lockId then
    -- include part/clock.lua
    call('DEL', lockKey, indexKey)
    return lock.expiresAtMs > now - 1000 and 1 or -2
  end
end

-- The record is gone or another's, so this holder's index key is stale if it still leads here.
if call('GET', indexKey) == lockKey then
  call('DEL', indexKey)
end
return held and 0 or -1
