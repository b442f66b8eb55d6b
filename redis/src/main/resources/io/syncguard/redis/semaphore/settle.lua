-- Settles a name: forgets the dead, and wakes up the next. A part of other scripts, after wake_up_nexts.lua.

local past = string.format('(%.6f', now)

local function forget(id)
  call('ZREM', mainKey, id)
  call('ZREM', ttlKey, id)
  call('DEL', notification .. id)
end

local function forgetTheDead()
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

-- Returns how many slots are taken afterwards.
local function settle()
  readLimit()
  forgetTheDead()
  local taken = wakeUpNexts(call('ZCARD', mainKey))
  outlive(mainKey, ARGV[2] + 10000)
  return taken
end
