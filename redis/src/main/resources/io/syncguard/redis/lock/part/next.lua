-- Defines what serves the first waiter of a lock that is not live. Needs clock.lua, queue.lua, the id of the process that asks
-- (process), and countFence, a function around fence.lua that takes survives and fenceKey.
--
-- A process is alive while it has a key prefix:id:alive:process, and while it asks.

-- A step looks at about this many dead waiters at most: Redis serves no other client meanwhile. more tells that some may be left.
local mostDead, more = 1000, false
local alive = {[process] = true}

-- Drops the waiters of dead processes that come first; returns the first of a living process, or nil.
local function firstAlive()
  local dead, looks, first = 0, 1, nil
  repeat
    local members = call('ZRANGE', queueKey, dead, dead + looks - 1)
    for _, member in ipairs(members) do
      local id = sub(member, 24, 45)
      local aliveKey = base .. 'alive:' .. id
      if alive[id] == nil then
        alive[id] = call('EXISTS', aliveKey) == 1
      end
      if alive[id] then
        first = member
        break
      end
      dead = dead + 1
    end
    more = not first and dead >= mostDead
    looks = 200
  until first or more or not members[1]
  if dead > 0 then
    call('ZREMRANGEBYRANK', queueKey, 0, dead - 1)
  end
  return first
end

-- Tells a waiter's process; returns false if it is certain that it did not hear. On Cluster, where the prefix ends with a hash
-- tag, a process that listens at another node is not counted.
local function tell(id, text)
  local channel = 'syncguard:locked:' .. id
  local heard = redis.pcall('PUBLISH', channel, text)
  if id == process or string.byte(base, -5) == 125 or type(heard) == 'number' and heard > 0 then
    return true
  end
  -- QueueTimes.ALIVE_UNTOLD. A process that lives shows it again.
  local aliveKey = base .. 'alive:' .. id
  if call('PTTL', aliveKey) > 1000 then
    call('PEXPIRE', aliveKey, 1000)
  end
  return false
end

-- Grants the lock to a waiter, or tells it to look: if it is only to be told, or if its fence cannot be counted, so that it learns
-- why when it asks. Returns, of a grant, the lockId and the rest of the record, and how long it is kept, else nothing and 0.
-- A waiter of the asking process is told by the answer alone, if the answer is to tell it.
local function serve(first, staleIndex, answers)
  local lockId, mode, id = sub(first, 1, 22), sub(first, 23, 23), sub(first, 24, 45)
  local fenceKey = sub(base, 1, -4) .. 'fence:' .. lockKey
  local counted, fence
  if mode == 'C' or mode == 'S' then
    counted, fence = pcall(countFence, fenceKey, mode == 'S')
  end
  if not counted or type(fence) ~= 'number' then
    tell(id, lockId)
    return nil, 0
  end

  -- QueueTimes.GRANT and GRANT_UNTOLD.
  local format = '%015d","acquiredAtMs":%d,"expiresAtMs":%d}'
  local life, tail = 2000, string.format(format, fence, now, now + 2000)
  if not (answers and id == process) and not tell(id, lockId .. tail) then
    life, tail = 500, string.format(format, fence, now, now + 500)
  end
  if staleIndex then
    call('DEL', staleIndex)
  end
  local indexKey = base .. lockId
  local record = '{"key":' .. cjson.encode(sub(lockKey, #base - 2)) .. ',"lockId":"' .. lockId .. '","fence":"' .. tail
  call('SET', lockKey, record, 'PX', life + 5000)
  call('SET', indexKey, lockKey, 'PX', life + 5000)
  call('ZREM', queueKey, first)
  return lockId .. tail, life
end
