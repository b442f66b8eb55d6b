UPDATE reference_fence_counters SET fence = fence + 1 WHERE fence_key = ? RETURNING fence
