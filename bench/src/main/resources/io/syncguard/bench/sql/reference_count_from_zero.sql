INSERT INTO reference_fence_counters (fence_key, fence, key_debug) VALUES (?, 0, ?) ON CONFLICT (fence_key) DO NOTHING
