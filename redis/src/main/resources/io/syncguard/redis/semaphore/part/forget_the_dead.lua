-- Defines forgetTheDead, which forgets clients that are dead or have held a slot for too long. Needs clock.lua and
-- names_of_waiters.lua.

-- A step forgets this many waiters and this many holders at most, and grants this many slots: Redis serves no other client
-- meanwhile.
local most = 1000

-- Whether there is more to settle than this step did. What is left counts as taken, so that no slot is given out twice, and
-- keeps no dead client alive.
local more = false

local function deadOf(key)
  local dead = call('ZRANGEBYSCORE', key, '-inf', string.format('(%.6f', now), 'LIMIT', 0, most)
  more = more or #dead == most
  return dead
end

local function forgetHolders(dead)
  if dead[1] then
    call('ZREM', mainKey, unpack(dead))
    call('ZREM', ttlKey, unpack(dead))
    for _, id in ipairs(dead) do
      call('DEL', notification .. id)
    end
  end
end

local function forgetTheDead()
  forgetHolders(deadOf(ttlKey))
  forgetHolders(deadOf(mainKey))
  local dead = deadOf(heartbeatKey)
  if dead[1] then
    call('ZREM', waitingKey, unpack(dead))
    call('ZREM', heartbeatKey, unpack(dead))
  end
end
