-- Forgets those who are dead or have held a slot for too long. A part of other scripts, after clock.lua; it defines what they use.

-- A step forgets so many waiters and so many holders at the most, and grants so many slots: Redis serves nobody else meanwhile.
local most = 1000

-- Whether there is more to settle than this step did. What is left counts as taken, so that no slot is given out twice, and
-- who is dead is not kept alive by it.
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
