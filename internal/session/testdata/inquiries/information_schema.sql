SELECT * FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name = 'patient' ORDER BY ordinal_position
SELECT * FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'THESCHEMA' AND TABLE_NAME = 'kinds' ORDER BY ORDINAL_POSITION
SELECT * FROM information_schema.columns WHERE table_schema = 'THESCHEMA' ORDER BY table_name, ordinal_position
SELECT table_name, COLUMN_NAME, Data_Type FROM INFORMATION_SCHEMA.Columns WHERE table_schema = DATABASE() ORDER BY table_name, column_name
SELECT c.column_name AS n, c.column_default, c.column_comment AS `comment` FROM information_schema.columns AS c WHERE c.table_schema = 'THESCHEMA' AND c.table_name = 'patient' ORDER BY c.ordinal_position
SELECT COLUMNS.data_type FROM information_schema.columns
SELECT columns.column_name, information_schema.columns.column_key FROM information_schema.columns WHERE columns.table_schema = 'THESCHEMA'
SELECT COUNT(*), MAX(ordinal_position), MIN(column_name) FROM information_schema.columns WHERE table_schema = 'THESCHEMA'
SELECT table_name, COUNT(*) FROM information_schema.columns WHERE table_schema = 'THESCHEMA' GROUP BY table_name ORDER BY table_name
SELECT * FROM information_schema.tables WHERE table_schema = 'THESCHEMA' ORDER BY table_name
SELECT table_name, table_comment FROM information_schema.tables WHERE table_schema = 'THESCHEMA' ORDER BY table_name
SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'THESCHEMA' AND TABLE_TYPE = 'BASE TABLE' AND TABLE_COMMENT <> 'VIEW' ORDER BY TABLE_NAME
SELECT * FROM information_schema.statistics WHERE table_schema = 'THESCHEMA' ORDER BY table_name, index_name, seq_in_index
SELECT index_name, GROUP_CONCAT(column_name ORDER BY seq_in_index SEPARATOR ', ') FROM information_schema.statistics WHERE table_schema = 'THESCHEMA' GROUP BY table_name, index_name ORDER BY table_name, index_name
SELECT * FROM information_schema.key_column_usage WHERE table_schema = 'THESCHEMA' ORDER BY table_name, constraint_name, ordinal_position
SELECT * FROM information_schema.table_constraints WHERE table_schema = 'THESCHEMA' ORDER BY table_name, constraint_name
SELECT * FROM information_schema.check_constraints WHERE constraint_schema = 'THESCHEMA' ORDER BY constraint_name
SELECT * FROM information_schema.referential_constraints WHERE constraint_schema = 'THESCHEMA' ORDER BY constraint_name
SELECT schema_name FROM information_schema.schemata WHERE schema_name IN ('THESCHEMA', 'nosuch')
SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '_tunic' AND table_name = 'nosuch'
SELECT * FROM information_schema.partitions WHERE table_schema = 'THESCHEMA' AND table_name = 'open_book'
SELECT a.column_name, b.index_name FROM information_schema.columns a LEFT JOIN information_schema.statistics b USING (table_schema, table_name, column_name) WHERE a.table_schema = 'THESCHEMA' ORDER BY a.table_name, a.ordinal_position, b.index_name
SELECT t.table_name, (SELECT COUNT(*) FROM information_schema.columns c WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name) AS n FROM information_schema.tables t WHERE t.table_schema = 'THESCHEMA' ORDER BY t.table_name
SELECT EXISTS (SELECT * FROM information_schema.tables WHERE table_schema = 'THESCHEMA' AND table_name = 'patient') AS `exists`
SELECT column_name FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND column_type LIKE '%unsigned' ORDER BY column_name
SELECT column_name, column_type LIKE 'enum(%' FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name = 'patient' ORDER BY column_name
SELECT column_name, IFNULL(column_default, '-') d, IF(column_comment = '', NULL, column_comment) c FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name = 'patient' ORDER BY column_name
SELECT column_name FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND column_default IS NOT NULL ORDER BY table_name, column_name
SELECT table_name AS 't' FROM information_schema.tables WHERE table_schema = 'THESCHEMA' UNION ALL SELECT column_name FROM information_schema.columns WHERE table_schema = 'THESCHEMA' ORDER BY 1
SELECT a, nosuch FROM information_schema.columns
SELECT column_name FROM information_schema.columns WHERE table_schema = 'THESCHEMA' LIMIT 0
SELECT column_name, column_type FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name IN ('PATIENT', 'visit ') ORDER BY table_name, ordinal_position
SELECT a.column_name, b.column_type FROM information_schema.columns a, information_schema.columns b WHERE a.table_name = 'visit' AND a.table_schema = 'THESCHEMA' AND b.table_name = 'patient' AND b.table_schema = a.table_schema ORDER BY a.column_name, b.column_name
SELECT t.table_name, c.column_name, c.column_comment FROM information_schema.tables t LEFT JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name AND c.table_name = 'visit' WHERE t.table_schema = 'THESCHEMA' ORDER BY t.table_name, c.column_name
SELECT * FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name = 'größe' ORDER BY ordinal_position
SELECT index_name, column_name FROM information_schema.statistics WHERE table_schema = 'THESCHEMA' AND table_name = 'größe' ORDER BY index_name, seq_in_index
SET @found = (SELECT COUNT(*) FROM information_schema.statistics WHERE table_schema = 'THESCHEMA' AND table_name = 'patient' AND column_name = 'ssn')
SELECT @found
SELECT * FROM information_schema.engines WHERE engine = 'InnoDB'
SELECT * FROM information_schema.character_sets ORDER BY character_set_name
SELECT * FROM information_schema.views WHERE table_schema = 'THESCHEMA'
SELECT * FROM information_schema.triggers WHERE trigger_schema = 'THESCHEMA'
SELECT * FROM information_schema.routines WHERE routine_schema = 'THESCHEMA'
SET NAMES latin1
SELECT column_type, column_comment, column_default FROM information_schema.columns WHERE table_schema = 'THESCHEMA' ORDER BY table_name, ordinal_position
SET NAMES utf8mb4
SELECT table_name, column_name, column_type, column_comment FROM information_schema.columns WHERE table_schema = 'THESCHEMA' ORDER BY 1, 2
SELECT table_name, table_comment, 1 FROM information_schema.tables WHERE table_schema = 'THESCHEMA' UNION ALL SELECT column_name, column_comment, 2 FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name = 'patient' ORDER BY 1, 3
