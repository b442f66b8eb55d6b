-- Reads a counter: now, its count, and when its window ends (reset), if that is known.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local count, reset = 0, nil
local stored = redis.call('GET', KEYS[1])
if stored then
  local counted, ends = string.match(stored, '^(%d+):(%d+)$')
  -- A bare number is what other clients count by: its window ends with the key, if ever.
  count, reset = tonumber(counted or string.match(stored, '^%d+$')), tonumber(ends)
  if not count or not (count < 2 ^ 53) then
    return {err = 'CORRUPT counter'}
  end
  if not reset then
    local left = redis.call('PTTL', KEYS[1])
    reset = left > 0 and now + left or nil
  elseif reset <= now then
    count, reset = 0, nil
  end
end
