-- What every step on a semaphore begins with: reads the clock, forgets the dead, grants free slots to the first in the queue.
-- A part of other scripts, put in front of them; it defines what they use.
--
-- KEYS[1]  main       ns:semaphore_main:name               who has a slot, by when its heartbeat is missed
-- KEYS[2]  ttl        ns:semaphore_ttl:name                who has confirmed its slot, by when it must give it up
-- KEYS[3]  max        ns:semaphore_max:name                the limit
-- KEYS[4]  waiting    ns:semaphore_waiting:name            the queue, by ticket
-- KEYS[5]  heartbeat  ns:semaphore_waiting_heartbeat:name  who waits, by when its heartbeat is missed
-- ARGV[1]  what notification lists begin with, ns:acquisition_notification:, to be followed by the waiter's id
-- ARGV[2]  how long a grant is kept until it is confirmed, in milliseconds
--
-- Scores are seconds, with microseconds, by the server's clock. Who is alive has a score that is not before now.

local call = redis.call
local mainKey, ttlKey, maxKey, waitingKey, heartbeatKey = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local notification, lease = ARGV[1], ARGV[2] / 1000

local time = call('TIME')
local now = time[1] + time[2] / 1000000
local limit

local function forget(id)
  call('ZREM', mainKey, id)
  call('ZREM', ttlKey, id)
  call('DEL', notification .. id)
end

local function readLimit()
  limit = tonumber(call('GET', maxKey) or nil)
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

-- A physical expiry only ever grows, so that no client ends another's slot.
local function outlive(key, milliseconds)
  if call('PTTL', key) < milliseconds then
    call('PEXPIRE', key, milliseconds)
  end
end

-- Grants what the limit leaves; returns how many slots are taken afterwards.
local function wakeUpNexts()
  local taken = call('ZCARD', mainKey)
  while limit and taken < limit do
    local id = call('ZPOPMIN', waitingKey)[1]
    if not id then
      break
    end
    local alive = tonumber(call('ZSCORE', heartbeatKey, id) or now + lease)
    call('ZREM', heartbeatKey, id)
    call('ZADD', mainKey, math.min(now + lease, alive), id)
    outlive(mainKey, math.ceil(lease * 1000) + 10000)
    -- The list is a hint and is gone soon; the slot is the truth. Clients of the reference block on it.
    call('RPUSH', notification .. id, '1')
    call('PEXPIRE', notification .. id, math.ceil(lease * 1000))
    taken = taken + 1
  end
  return taken
end
