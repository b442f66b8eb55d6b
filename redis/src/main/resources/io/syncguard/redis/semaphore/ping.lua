-- Notes that waiters and holders are alive. A client that was forgotten stays so.
--
-- KEYS     part/names.lua says which
-- ARGV[1]  heartbeat timeout, in milliseconds
-- All arguments after that are ids.
--
-- Returns  a letter for each id: H has a slot, W waits, G is gone. (A score is read: ZADD CH says 0 for an equal one, too.)
--          A + follows if there is more to settle than a step does.
-- Errors   only those of Redis

-- include part/names.lua
-- include part/names_of_waiters.lua
-- include part/clock.lua
-- include part/outlive.lua
-- include part/forget_the_dead.lua
-- include part/wake_up_nexts.lua
-- include part/settle.lua

local heartbeat = ARGV[1] / 1000
local life = math.ceil(heartbeat * 1000) + 10000
local states = {}

for i = 2, #ARGV do
  local id = ARGV[i]
  local holds, waits = call('ZSCORE', mainKey, id), call('ZSCORE', heartbeatKey, id)
  local expires = tonumber(holds and call('ZSCORE', ttlKey, id) or now + heartbeat)
  if holds and holds - now >= 0 and expires >= now then
    call('ZADD', mainKey, 'XX', math.min(now + heartbeat, expires), id)
    states[i - 1] = 'H'
  elseif waits and waits - now >= 0 then
    call('ZADD', heartbeatKey, 'XX', now + heartbeat, id)
    states[i - 1] = 'W'
  else
    states[i - 1] = 'G'
  end
end
for _, key in ipairs({mainKey, ttlKey, maxKey, waitingKey, heartbeatKey}) do
  outlive(key, life)
end
return table.concat(states) .. (more and '+' or '')
