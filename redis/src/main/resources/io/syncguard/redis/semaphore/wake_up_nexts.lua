-- Grants free slots to the first in the queue. A part of other scripts, after clock.lua; it defines what they use.

-- How long a grant is kept until it is confirmed, in milliseconds: GrantLease.LONGEST.
local leaseMs = 5000
local lease = leaseMs / 1000
local limit = tonumber(call('GET', maxKey) or nil)

-- What SemaphoreLayout.channel begins with, and at which place of an id the rest is.
local channels, channelAt, idLength = 'syncguard:granted:', 44, 65

-- Whoever listens to its process's channel is told there, in the same step as the grant. All others have a list that is gone soon,
-- and so has, on Cluster, whoever listens at another node: clients of the reference block on it, and ours are told that it has
-- changed. Either may get lost; the slot is the truth.
local function grant(id, alive)
  call('ZADD', mainKey, math.min(now + lease, alive), id)
  if #id == idLength then
    local channel = channels .. string.sub(id, channelAt)
    local heard = redis.pcall('PUBLISH', channel, id)
    if type(heard) == 'number' and heard > 0 then
      return
    end
  end
  call('RPUSH', notification .. id, '1')
  call('PEXPIRE', notification .. id, leaseMs)
end

-- Grants what the limit leaves; returns how many slots are taken afterwards.
local function wakeUpNexts(taken)
  while limit and taken < limit do
    local id = call('ZPOPMIN', waitingKey)[1]
    if not id then
      break
    end
    local alive = (call('ZSCORE', heartbeatKey, id) or now + lease) + 0
    call('ZREM', heartbeatKey, id)
    if alive >= now then
      taken = taken + 1
      grant(id, alive)
    end
  end
  return taken
end
