INSERT INTO bare_fence_counters (fence_key, fence, key_debug) VALUES (?, 1, ?)
ON CONFLICT (fence_key) DO UPDATE SET fence = fence + 1
RETURNING fence
