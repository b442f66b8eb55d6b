-- Tells of the library, and whether the file is sound.
--
-- Returns one row: version, integrity (ok, or the first damage)

SELECT sqlite_version() AS version, (SELECT quick_check FROM pragma_quick_check LIMIT 1) AS integrity
