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

-- A record that begins as this holder wrote it, and whose rest is matched to its last byte, is this holder's and well
-- formed; there is nothing to parse. Our scripts let both keys live 5000 ms past expiresAtMs, so more than that left
-- says, by the server's clock, that it has not expired.
local held = call('GET', lockKey)
if held and head and string.sub(held, 1, #head) == head and string.byte(held, #head + 16) == 34 then
  local expires = string.match(held, '^%d+","acquiredAtMs":%d+,"expiresAtMs":(%d+)}$', #head + 1)
  if expires and #expires < 16 and call('PTTL', lockKey) > 5000 then
    call('DEL', lockKey, indexKey)
    return 1
  end
end

local lockId = string.sub(indexKey, -22)
if held then
  local parsed, lock = pcall(cjson.decode, held)
  -- cjson takes a NUL for the end of the text, and accepts NaN, for which every comparison is false.
  if not parsed or string.find(held, '\0', 1, true) or type(lock) ~= 'table' or type(lock.lockId) ~= 'string'
      or #lock.lockId ~= 22 or string.find(lock.lockId, '[^%w_-]')
      or type(lock.expiresAtMs) ~= 'number' or not (math.abs(lock.expiresAtMs) < 2 ^ 53)
      or type(lock.fence) ~= 'string' or #lock.fence ~= 15 or not string.find(lock.fence, '^%d+$') then
    return {err = 'CORRUPT lock record'}
  end
  -- Ownership before expiry: a late release must not delete the next holder's record.
  if lock.lockId == lockId then
    local time = call('TIME')
    local now = time[1] * 1000 + time[2] / 1000
    call('DEL', lockKey, indexKey)
    return lock.expiresAtMs > now - 1000 and 1 or -2
  end
end

-- The record is gone or another's, so an index entry of ours that still leads here is stale.
if call('GET', indexKey) == lockKey then
  call('DEL', indexKey)
end
return held and 0 or -1
