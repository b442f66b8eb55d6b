-- Decodes a record (held) into lock. One that is not what a client writes ends the script.

local parsed, lock = pcall(cjson.decode, held)
-- cjson takes a NUL for the end of the text, and accepts NaN, for which every comparison is false.
if not parsed or string.find(held, '\0', 1, true) or type(lock) ~= 'table' or type(lock.lockId) ~= 'string'
    or #lock.lockId ~= 22 or string.find(lock.lockId, '[^%w_-]')
    or type(lock.expiresAtMs) ~= 'number' or not (math.abs(lock.expiresAtMs) < 2 ^ 53)
    or type(lock.fence) ~= 'string' or #lock.fence ~= 15 or not string.find(lock.fence, '^%d+$') then
  return {err = 'CORRUPT lock record'}
end
