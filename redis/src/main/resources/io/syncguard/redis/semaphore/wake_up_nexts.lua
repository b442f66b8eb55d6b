-- Settles a name: forgets the dead, grants free slots to the first in the queue.
-- A part of other scripts, after names.lua; it defines what they use.
--
-- ARGV[2]  how long a grant is kept until it is confirmed, in milliseconds

local lease = ARGV[2] / 1000
local past = string.format('(%.6f', now)
local limit

local function readLimit()
  limit = tonumber(call('GET', maxKey) or nil)
end

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

-- A physical expiry only ever grows, so that no client ends another's slot; by a minute more than it must, so that it need not
-- grow with every step.
local function outlive(key, milliseconds)
  if call('PTTL', key) < milliseconds then
    call('PEXPIRE', key, milliseconds + 60000)
  end
end

-- Grants what the limit leaves; returns how many slots are taken afterwards.
local function wakeUpNexts(taken)
  while limit and taken < limit do
    local id = call('ZPOPMIN', waitingKey)[1]
    if not id then
      break
    end
    local alive = tonumber(call('ZSCORE', heartbeatKey, id) or now + lease)
    call('ZREM', heartbeatKey, id)
    if alive >= now then
      call('ZADD', mainKey, math.min(now + lease, alive), id)
      -- The list is a hint and is gone soon; the slot is the truth. Clients of the reference block on it.
      call('RPUSH', notification .. id, '1')
      call('PEXPIRE', notification .. id, ARGV[2])
      taken = taken + 1
    end
  end
  return taken
end

-- Returns how many slots are taken afterwards.
local function settle()
  readLimit()
  forgetTheDead()
  local taken = wakeUpNexts(call('ZCARD', mainKey))
  outlive(mainKey, ARGV[2] + 10000)
  return taken
end
