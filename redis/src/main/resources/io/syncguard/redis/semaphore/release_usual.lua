-- Gives up a slot that nobody waits for, or that the heir is the next for. A part of release.lua, which says what ARGV are; after
-- release_free.lua, clock.lua and outlive.lua.

local others = call('ZCARD', mainKey)
local someWait = inUse == 2 or inUse == 1 and others == 0

if heir then
  hadSlot = call('ZSCORE', mainKey, id)
  local room = tonumber(call('GET', maxKey) or nil) == others
  local isNext = hadSlot and (begun or room and call('ZRANK', waitingKey, heir) == 0)

  if isNext and call('ZREM', waitingKey, heir) == 1 then
    -- The heir's own process is asking, so it is alive, and is told by the answer: the slot is confirmed, and needs no notification.
    -- It comes before the other goes: main is never empty in between, and keeps its expiry, which is that of somebody alive.
    local heartbeat, ttl = ARGV[3] / 1000, ARGV[4] / 1000
    local life = math.max(ARGV[3], ARGV[4]) + 10000
    call('ZREM', heartbeatKey, heir)
    call('ZADD', mainKey, now + math.min(heartbeat, ttl), heir)
    call('ZADD', ttlKey, now + ttl, heir)
    call('ZREM', mainKey, id)
    if call('ZREM', ttlKey, id) == 0 then
      call('DEL', notification .. id)
    end
    outliveSlot(life)
    return {room and others or -1, math.floor((now + ttl) * 1000)}
  end
  others = others - call('ZREM', mainKey, id)
  someWait = call('EXISTS', waitingKey) == 1
end

if hadSlot then
  if call('ZREM', ttlKey, id) == 0 then
    call('DEL', notification .. id)
  end
  if not begun and not someWait then
    if others == 0 then
      call('DEL', maxKey)
    end
    return 1
  end
end
