SELECT (extract(epoch FROM now()) * 1000)::bigint
