-- Defines wakeUpNexts, which grants free slots to the first in the queue. Needs outlive.lua and forget_the_dead.lua.

-- How long a grant is kept until it is confirmed, in milliseconds: GrantLease.LONGEST.
local leaseMs = 5000
local lease = leaseMs / 1000
local limit = tonumber(call('GET', maxKey) or nil)

-- What SemaphoreLayout.channel begins with, and how long the ids are that name their process.
local channels, idLength = 'syncguard:granted:', 65

local function processOf(id)
  return string.sub(id, 44)
end

-- The process that asked for this step, if the answer is to tell it of grants to its own waiters; and what it is told. A grant is
-- told as "<id> <slots taken> <when it was made, in ms>", there and on the channels.
local asking
local told = {}

-- Clients of the reference may look seldom, and their heartbeats keep a granted slot as they kept the place in the queue. So the
-- slot, and the list that they look at, wait for as long as the waiter counts as alive, not for a lease.
local function grantToReference(id, alive)
  local aliveMs = math.ceil((alive - now) * 1000)
  call('ZADD', mainKey, alive, id)
  outlive(mainKey, aliveMs + 10000)
  call('RPUSH', notification .. id, '1')
  call('PEXPIRE', notification .. id, aliveMs + 60000)
end

-- A waiter of the asking process is told by the answer, any other on the channel of its process if that listens, in the same step as
-- the grant. Otherwise, and on Cluster if it listens at another node, the hint goes to the waiter's list, which is gone soon and whose
-- change Redis tells. All of these may get lost; the slot is the truth.
local function grant(id, alive, taken)
  if #id ~= idLength then
    return grantToReference(id, alive)
  end
  call('ZADD', mainKey, math.min(now + lease, alive), id)
  local process = processOf(id)
  local telling = id .. ' ' .. taken .. ' ' .. math.floor(now * 1000)
  if process == asking then
    told[#told + 1] = telling
    return
  end
  local channel = channels .. process
  local heard = redis.pcall('PUBLISH', channel, telling)
  if type(heard) == 'number' and heard > 0 then
    return
  end
  call('RPUSH', notification .. id, '1')
  call('PEXPIRE', notification .. id, leaseMs)
end

-- Grants what the limit leaves, but does not look at more waiters than a step may; returns how many slots are taken afterwards.
local function wakeUpNexts(taken)
  local looks = 0
  while limit and taken < limit do
    if looks == most then
      more = true
      break
    end
    looks = looks + 1
    local id = call('ZPOPMIN', waitingKey)[1]
    if not id then
      break
    end
    local alive = (call('ZSCORE', heartbeatKey, id) or now + lease) + 0
    call('ZREM', heartbeatKey, id)
    if alive >= now then
      taken = taken + 1
      grant(id, alive, taken)
    end
  end
  return taken
end
