-- Forgets whoever is dead or has held a slot for too long. A part of other scripts, after clock.lua; it defines what they use.

local function forget(id)
  call('ZREM', mainKey, id)
  call('ZREM', ttlKey, id)
  call('DEL', notification .. id)
end

local function forgetTheDead()
  local past = string.format('(%.6f', now)
  for _, id in ipairs(call('ZRANGEBYSCORE', ttlKey, '-inf', past)) do
    forget(id)
  end
  for _, id in ipairs(call('ZRANGEBYSCORE', mainKey, '-inf', past)) do
    forget(id)
  end
  for _, id in ipairs(call('ZRANGEBYSCORE', heartbeatKey, '-inf', past)) do
    call('ZREM', waitingKey, id)
    call('ZREM', heartbeatKey, id)
  end
end
