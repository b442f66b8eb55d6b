-- Reads when a lock ends (digits), if its record (held) begins as this holder wrote it (head) and its rest matches to the last
-- byte. Such a record is this holder's and well formed; there is nothing to parse.

local digits = held and head and string.find(held, head, 1, true) == 1 and string.byte(held, #head + 16) == 34
  and string.match(held, '^%d+","acquiredAtMs":%d+,"expiresAtMs":(%d+)}$', #head + 1)
if digits and #digits > 15 then
  digits = nil
end
