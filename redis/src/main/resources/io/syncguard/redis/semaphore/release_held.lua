-- Gives up a slot, and wakes up the next in the same step. A part of release.lua, which says what ARGV are; after
-- release_last.lua and wake_up_nexts.lua.

local inheritance

-- The heir's own process is asking, so it is alive, and is told by the answer: the slot is confirmed, and needs no notification.
local function inherit(taken)
  local heartbeat, ttl = ARGV[5] / 1000, ARGV[6] / 1000
  call('ZADD', mainKey, now + math.min(heartbeat, ttl), ARGV[4])
  call('ZADD', ttlKey, now + ttl, ARGV[4])
  outliveSlot(math.max(ARGV[5], ARGV[6]) + 10000)
  inheritance = {'inherited', tostring(taken), milliseconds(now + ttl)}
end

if alive and alive >= now then
  readLimit()
  -- The next comes before it goes: main is never empty in between, and keeps its expiry, which is that of somebody alive.
  local left = wakeUpNexts(taken - 1, ARGV[4], inherit)
  call('ZREM', mainKey, id)
  if call('ZREM', ttlKey, id) == 0 then
    call('DEL', notification .. id)
  end
  if left == 0 and call('EXISTS', waitingKey) == 0 then
    call('DEL', maxKey)
  end
  return inheritance or 1
end
