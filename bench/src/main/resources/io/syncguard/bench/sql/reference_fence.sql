INSERT INTO reference_fence_counters AS counter (fence_key, fence, key_debug) VALUES (?, 1, ?)
ON CONFLICT (fence_key) DO UPDATE SET fence = counter.fence + 1
RETURNING fence, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
