SELECT relname, n_live_tup, n_dead_tup, pg_total_relation_size(relid)
FROM pg_stat_user_tables ORDER BY relname
