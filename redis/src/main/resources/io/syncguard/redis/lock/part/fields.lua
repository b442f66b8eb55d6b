-- Returns the fields of a record (lock) as strings. Decoded here, so that clients need no JSON parser; %d because a reply may not
-- carry the fraction of a number. Needs record.lua.

return {type(lock.key) == 'string' and lock.key or '', lock.lockId, lock.fence, string.format('%d', tonumber(lock.acquiredAtMs) or 0),
  string.format('%d', lock.expiresAtMs)}
