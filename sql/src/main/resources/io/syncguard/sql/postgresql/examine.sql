-- Tells of the server and its settings.
--
-- Returns one row: version, number, replica, replicas, fsync, synchronous_commit

SELECT
  current_setting('server_version') AS version,
  current_setting('server_version_num')::int AS number,
  pg_is_in_recovery() AS replica,
  (SELECT count(*) FROM pg_stat_replication) AS replicas,
  current_setting('fsync') AS fsync,
  current_setting('synchronous_commit') AS synchronous_commit
