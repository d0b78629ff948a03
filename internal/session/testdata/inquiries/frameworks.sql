-- Rails
SHOW FULL FIELDS FROM `patient`
SELECT table_comment FROM information_schema.tables WHERE table_schema = database() AND table_name = 'patient'
SELECT table_name FROM (SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = database()) _subquery WHERE table_type = 'BASE TABLE' ORDER BY table_name
SELECT fk.referenced_table_name AS 'to_table', fk.referenced_column_name AS 'primary_key', fk.column_name AS 'column', fk.constraint_name AS 'name', fk.ordinal_position AS 'position', rc.update_rule AS 'on_update', rc.delete_rule AS 'on_delete' FROM information_schema.referential_constraints rc JOIN information_schema.key_column_usage fk USING (constraint_schema, constraint_name) WHERE fk.referenced_column_name IS NOT NULL AND fk.table_schema = database() AND fk.table_name = 'visit' AND rc.constraint_schema = database() AND rc.table_name = 'visit'
SELECT cc.constraint_name AS 'name', cc.check_clause AS 'expression' FROM information_schema.check_constraints cc JOIN information_schema.table_constraints tc USING (constraint_schema, constraint_name) WHERE tc.table_schema = database() AND tc.table_name = 'mixed' AND cc.constraint_schema = database()
SELECT column_name FROM information_schema.statistics WHERE index_name = 'PRIMARY' AND table_schema = database() AND table_name = 'visit' ORDER BY seq_in_index
SHOW KEYS FROM `patient`
SHOW CREATE TABLE `visit`
-- Django
SELECT table_name, table_type, table_comment FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name
SELECT column_name, CASE WHEN collation_name = 'utf8mb4_0900_ai_ci' THEN NULL ELSE collation_name END AS collation_name, CASE WHEN column_type LIKE '%% unsigned' THEN 1 ELSE 0 END AS is_unsigned, column_comment FROM information_schema.columns WHERE table_name = 'visit' AND table_schema = DATABASE() ORDER BY column_name
SELECT column_name, data_type, character_maximum_length, numeric_precision, numeric_scale, extra, column_default, CASE WHEN column_type LIKE '%% unsigned' THEN 1 ELSE 0 END AS is_unsigned FROM information_schema.columns WHERE table_name = 'patient' AND table_schema = DATABASE() ORDER BY column_name
SELECT kc.`constraint_name`, kc.`column_name`, kc.`referenced_table_name`, kc.`referenced_column_name`, c.`constraint_type` FROM information_schema.key_column_usage AS kc, information_schema.table_constraints AS c WHERE kc.table_schema = DATABASE() AND (kc.referenced_table_schema = DATABASE() OR kc.referenced_table_schema IS NULL) AND c.table_schema = kc.table_schema AND c.constraint_name = kc.constraint_name AND c.constraint_type != 'CHECK' AND kc.table_name = 'visit' ORDER BY kc.`ordinal_position`, kc.`constraint_name`
SELECT column_name, referenced_table_name, referenced_column_name FROM information_schema.key_column_usage WHERE table_name = 'visit' AND table_schema = DATABASE() AND referenced_table_name IS NOT NULL AND referenced_column_name IS NOT NULL
SELECT engine FROM information_schema.tables WHERE table_name = 'visit' AND table_schema = DATABASE()
SHOW INDEX FROM `visit`
-- SQLAlchemy
SHOW FULL TABLES FROM `THESCHEMA`
SHOW CREATE TABLE `THESCHEMA`.`patient`
DESCRIBE `THESCHEMA`.`patient`
SELECT table_schema, table_name, column_name FROM information_schema.columns WHERE (table_schema, table_name, lower(column_name)) IN (('THESCHEMA', 'patient', 'ssn'))
-- Doctrine, Laravel
SELECT c.TABLE_NAME, c.COLUMN_NAME AS field, c.COLUMN_TYPE AS type, c.IS_NULLABLE AS `null`, c.COLUMN_KEY AS `key`, c.COLUMN_DEFAULT AS `default`, c.EXTRA, c.COLUMN_COMMENT AS comment, c.CHARACTER_SET_NAME AS characterset, c.COLLATION_NAME AS collation FROM information_schema.COLUMNS c INNER JOIN information_schema.TABLES t ON t.TABLE_NAME = c.TABLE_NAME AND t.TABLE_SCHEMA = c.TABLE_SCHEMA WHERE c.TABLE_SCHEMA = 'THESCHEMA' AND t.TABLE_SCHEMA = 'THESCHEMA' AND t.TABLE_TYPE = 'BASE TABLE' ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION
SELECT TABLE_NAME, NON_UNIQUE AS Non_Unique, INDEX_NAME AS Key_name, COLUMN_NAME AS Column_Name, SUB_PART AS Sub_Part, INDEX_TYPE AS Index_Type FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = 'THESCHEMA' ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX
SELECT DISTINCT k.TABLE_NAME, k.`CONSTRAINT_NAME`, k.`COLUMN_NAME`, k.`REFERENCED_TABLE_NAME`, k.`REFERENCED_COLUMN_NAME`, k.`ORDINAL_POSITION` /*!50116 , c.UPDATE_RULE, c.DELETE_RULE */ FROM information_schema.key_column_usage k /*!50116 INNER JOIN information_schema.referential_constraints c ON c.CONSTRAINT_NAME = k.CONSTRAINT_NAME AND c.TABLE_NAME = k.TABLE_NAME */ WHERE k.TABLE_SCHEMA = 'THESCHEMA' AND k.`REFERENCED_COLUMN_NAME` IS NOT NULL /*!50116 AND c.CONSTRAINT_SCHEMA = 'THESCHEMA' */ ORDER BY k.`ORDINAL_POSITION`
select column_name as `name`, data_type as `type_name`, column_type as `type`, collation_name as `collation`, is_nullable as `nullable`, column_default as `default`, column_comment as `comment`, extra as `extra` from information_schema.columns where table_schema = 'THESCHEMA' and table_name = 'patient' order by ordinal_position asc
select table_name as `name`, (data_length + index_length) > 0 as `size`, table_comment as `comment`, engine as `engine`, table_collation as `collation` from information_schema.tables where table_schema = 'THESCHEMA' and table_type in ('BASE TABLE', 'SYSTEM VERSIONED') order by table_name
select index_name as `name`, group_concat(column_name order by seq_in_index) as `columns`, index_type as `type`, not non_unique as `unique` from information_schema.statistics where table_schema = 'THESCHEMA' and table_name = 'patient' group by index_name, index_type, non_unique order by index_name
select exists (select 1 from information_schema.tables where table_schema = 'THESCHEMA' and table_name = 'patient' and table_type in ('BASE TABLE', 'SYSTEM VERSIONED')) as `exists`
-- Prisma
SELECT DISTINCT BINARY table_info.table_name AS table_name, table_info.table_comment AS table_comment FROM information_schema.tables AS table_info WHERE table_info.table_schema = 'THESCHEMA' AND table_info.table_type = 'nosuch'
SELECT column_name column_name, data_type data_type, column_type full_data_type, character_maximum_length character_maximum_length, numeric_precision numeric_precision, numeric_scale numeric_scale, datetime_precision datetime_precision, column_default column_default, is_nullable is_nullable, extra extra, table_name table_name, IF(column_comment = '', NULL, column_comment) AS column_comment FROM information_schema.columns WHERE table_schema = 'THESCHEMA' ORDER BY BINARY table_name, ordinal_position
SELECT index_name AS index_name, non_unique AS non_unique, Binary column_name AS column_name, seq_in_index AS seq_in_index, Binary table_name AS table_name, sub_part AS partial, Binary collation AS column_order FROM INFORMATION_SCHEMA.STATISTICS WHERE table_schema = 'THESCHEMA' ORDER BY BINARY table_name, BINARY index_name, seq_in_index
-- Sequelize, TypeORM, Knex, GORM, Entity Framework
SHOW FULL COLUMNS FROM `visit`
SELECT CONSTRAINT_NAME as constraint_name, CONSTRAINT_NAME as constraintName, CONSTRAINT_SCHEMA as constraintSchema, TABLE_NAME as tableName, COLUMN_NAME as columnName, REFERENCED_TABLE_NAME as referencedTableName, REFERENCED_COLUMN_NAME as referencedColumnName FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE where TABLE_NAME = 'visit' AND CONSTRAINT_NAME != 'PRIMARY' AND CONSTRAINT_SCHEMA = 'THESCHEMA' AND REFERENCED_TABLE_NAME IS NOT NULL
SELECT TABLE_NAME, TABLE_TYPE, TABLE_SCHEMA FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_TYPE = 'BASE TABLE' AND TABLE_NAME != 'spatial_ref_sys' AND TABLE_SCHEMA = 'THESCHEMA' ORDER BY TABLE_NAME
SELECT * FROM `INFORMATION_SCHEMA`.`COLUMNS` WHERE `TABLE_SCHEMA` = 'THESCHEMA' AND `TABLE_NAME` = 'patient'
SELECT * FROM (SELECT * FROM `INFORMATION_SCHEMA`.`KEY_COLUMN_USAGE` `kcu` WHERE `kcu`.`TABLE_SCHEMA` = 'THESCHEMA' AND `kcu`.`TABLE_NAME` = 'visit') `kcu` WHERE `CONSTRAINT_NAME` = 'PRIMARY'
SELECT `s`.* FROM (SELECT * FROM `INFORMATION_SCHEMA`.`STATISTICS` WHERE `TABLE_SCHEMA` = 'THESCHEMA' AND `TABLE_NAME` = 'patient') `s` LEFT JOIN (SELECT * FROM `INFORMATION_SCHEMA`.`REFERENTIAL_CONSTRAINTS` WHERE `CONSTRAINT_SCHEMA` = 'THESCHEMA') `rc` ON `s`.`INDEX_NAME` = `rc`.`CONSTRAINT_NAME` AND `s`.`TABLE_SCHEMA` = `rc`.`CONSTRAINT_SCHEMA` WHERE `s`.`INDEX_NAME` != 'PRIMARY' AND `rc`.`CONSTRAINT_NAME` IS NULL
SELECT column_name, column_default, is_nullable = 'YES', data_type, character_maximum_length, column_type, column_key, extra, column_comment, numeric_precision, numeric_scale, datetime_precision FROM information_schema.columns WHERE table_schema = 'THESCHEMA' AND table_name = 'patient' ORDER BY ORDINAL_POSITION
SELECT count(*) FROM information_schema.tables WHERE table_schema = 'THESCHEMA' AND table_name = 'patient' AND table_type = 'BASE TABLE'
SELECT count(*) FROM INFORMATION_SCHEMA.columns WHERE table_schema = 'THESCHEMA' AND table_name = 'patient' AND column_name = 'ssn'
SELECT count(*) FROM information_schema.statistics WHERE table_schema = 'THESCHEMA' AND table_name = 'patient' AND index_name = 'born'
SELECT SCHEMA_NAME from Information_schema.SCHEMATA where SCHEMA_NAME LIKE 'THESCHEMA%' ORDER BY SCHEMA_NAME='THESCHEMA' DESC,SCHEMA_NAME limit 1
SELECT TABLE_NAME,COLUMN_NAME,INDEX_NAME,SEQ_IN_INDEX,NON_UNIQUE FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = 'THESCHEMA' AND TABLE_NAME = 'patient' ORDER BY INDEX_NAME,SEQ_IN_INDEX
SELECT * FROM `patient` LIMIT 1
-- phpMyAdmin, DBeaver, Adminer, Metabase
SELECT `SCHEMA_NAME` FROM `INFORMATION_SCHEMA`.`SCHEMATA`, (SELECT DB_first_level FROM ( SELECT DISTINCT SUBSTRING_INDEX(SCHEMA_NAME, '_', 1) DB_first_level FROM INFORMATION_SCHEMA.SCHEMATA WHERE TRUE ) t ORDER BY DB_first_level ASC LIMIT 0, 100) t2 WHERE TRUE AND 1 = LOCATE(CONCAT(DB_first_level, '_'), CONCAT(SCHEMA_NAME, '_')) AND SCHEMA_NAME = 'THESCHEMA' ORDER BY SCHEMA_NAME ASC
SELECT *, `TABLE_SCHEMA` AS `Db`, `TABLE_NAME` AS `Name`, `TABLE_TYPE` AS `TABLE_TYPE`, `ENGINE` AS `Engine`, `TABLE_COMMENT` AS `Comment` FROM `information_schema`.`TABLES` t WHERE `TABLE_SCHEMA` IN ('THESCHEMA') AND t.`TABLE_NAME` = 'visit' ORDER BY Name ASC
SELECT kc.CONSTRAINT_NAME, kc.TABLE_NAME, kc.COLUMN_NAME, kc.ORDINAL_POSITION FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE kc WHERE kc.TABLE_SCHEMA = 'THESCHEMA' AND kc.REFERENCED_TABLE_NAME IS NULL AND kc.TABLE_NAME = 'visit' ORDER BY kc.CONSTRAINT_NAME, kc.ORDINAL_POSITION
SHOW FULL TABLES WHERE Table_type != 'VIEW'
SELECT TABLE_NAME, GROUP_CONCAT(COLUMN_NAME ORDER BY ORDINAL_POSITION) FROM information_schema.columns WHERE table_schema = 'THESCHEMA' GROUP BY TABLE_NAME ORDER BY TABLE_NAME
