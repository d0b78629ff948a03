# INSERT and REPLACE
INSERT INTO t VALUES (1, 'a')
INSERT t VALUES (1, 'a')
INSERT INTO t (a, b) VALUES (1, 'a'), (2, NULL), (DEFAULT, DEFAULT(b))
INSERT INTO t () VALUES ()
INSERT INTO t VALUES (), ()
INSERT INTO t VALUE (1)
INSERT IGNORE INTO t (a) VALUES (1)
INSERT LOW_PRIORITY INTO t (a) VALUES (1)
INSERT DELAYED INTO t (a) VALUES (1)
INSERT HIGH_PRIORITY IGNORE INTO t (a) VALUES (1)
INSERT INTO t SET a = 1, b = 'x'
INSERT INTO s.t (a, t.b) VALUES (1, 2)
INSERT INTO t PARTITION (p0) (a) VALUES (1)
INSERT INTO t (a, b) VALUES (1, 2) ON DUPLICATE KEY UPDATE b = VALUES(b), c = c + 1
INSERT INTO t (a, b) VALUES (1, 2) AS new ON DUPLICATE KEY UPDATE b = new.b
INSERT INTO t (a, b) VALUES (1, 2) AS new (x, y) ON DUPLICATE KEY UPDATE b = new.y
INSERT INTO t (a, b) VALUES (1, 2) ON DUPLICATE KEY UPDATE b = VALUE(b)
INSERT INTO t (a, b) VALUES ROW(1, 2), ROW(3, 4)
INSERT INTO t (a) SELECT b FROM u WHERE c = 1 ON DUPLICATE KEY UPDATE a = u.b
INSERT INTO t (a) (SELECT b FROM u)
INSERT INTO t SELECT * FROM u UNION SELECT * FROM v
INSERT INTO t (a) WITH x AS (SELECT 1) SELECT * FROM x
INSERT INTO t TABLE u
INSERT INTO t (a) VALUES (1) RETURNING id, a + 1 AS b
INSERT INTO t (a) VALUES ((SELECT MAX(b) FROM u)), (NOW()), (1 + 2)
INSERT INTO `auth_user` (`password`, `last_login`, `is_superuser`) VALUES ('pbkdf2', NULL, 1)
INSERT INTO users (name, fullname) VALUES ('a', 'A'), ('b', 'B')
insert into person (name,born,id) values (?,?,?)
INSERT INTO `Users` (`id`,`name`,`createdAt`) VALUES (DEFAULT,?,?)
INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('a', 'b', 'yes') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`)
REPLACE INTO t (a, b) VALUES (1, 2)
REPLACE INTO t SET a = 1
REPLACE LOW_PRIORITY INTO t SELECT * FROM u
REPLACE INTO t (a) VALUES (1) RETURNING a
INSERT INTO sbtest1 (id, k, c, pad) VALUES (4984, 5031, '04776570498', '27590239742')
INSERT INTO t VALUES ("it's", 'a\\b\n', '\0', _binary 'abc', 0xDEADBEEF, -5, +5, 1.5e3)
# UPDATE
UPDATE t SET a = 1
UPDATE t SET a = a + 1, b = DEFAULT, c = NULL WHERE d = 5 ORDER BY e DESC LIMIT 10
UPDATE LOW_PRIORITY IGNORE t SET a = 1
UPDATE t AS x SET x.a = 1 WHERE x.b = 2
UPDATE t, u SET t.a = u.a WHERE t.id = u.id
UPDATE t INNER JOIN u ON t.id = u.id LEFT JOIN v ON v.id = u.id SET t.a = u.a, u.b = 5 WHERE v.id IS NULL
UPDATE t PARTITION (p0) SET a = 1
UPDATE t SET a = (SELECT MAX(b) FROM u WHERE u.id = t.id) WHERE EXISTS (SELECT 1 FROM u)
UPDATE s.t SET s.t.a = 1
WITH x AS (SELECT 1 AS id) UPDATE t, x SET t.a = 5 WHERE t.id = x.id
UPDATE t SET a = JSON_SET(a, '$.b', 1) WHERE id = 1
UPDATE t USE INDEX (i) SET a = 1
UPDATE `auth_user` SET `last_login` = '2026-01-01 00:00:00.123456' WHERE `auth_user`.`id` = 1
UPDATE warehouse1 SET w_ytd = w_ytd + 4.5 WHERE w_id = 1
UPDATE customer1 SET c_balance=-5.5, c_ytd_payment=10 WHERE c_w_id = 1 AND c_d_id=1 AND c_id=1
UPDATE t SET `order` = `order` - 1 WHERE `key` > 3
# DELETE
DELETE FROM t
DELETE FROM t WHERE a = 1 ORDER BY b LIMIT 5
DELETE FROM t AS x WHERE x.a = 1
DELETE LOW_PRIORITY FROM t WHERE a = 1
DELETE QUICK FROM t WHERE a = 1
DELETE IGNORE FROM t WHERE a = 1
DELETE t FROM t INNER JOIN u ON t.id = u.id WHERE u.a = 1
DELETE t, u FROM t INNER JOIN u ON t.id = u.id
DELETE FROM t, u USING t INNER JOIN u ON t.id = u.id
DELETE t.* FROM t JOIN u ON t.id = u.id
DELETE FROM t USING t, u WHERE t.id = u.id
DELETE x FROM t AS x JOIN u AS y ON x.id = y.id
DELETE FROM t PARTITION (p0) WHERE a = 1
DELETE FROM t WHERE a = 1 RETURNING id
DELETE FROM t WHERE a IN (SELECT b FROM u)
WITH x AS (SELECT 1 AS id) DELETE FROM t WHERE id IN (SELECT id FROM x)
DELETE a FROM wp_options a, wp_options b WHERE a.option_name LIKE '\_transient\_%' AND b.option_name = CONCAT('_transient_timeout_', SUBSTRING(a.option_name, 12))
DELETE FROM new_orders1 WHERE no_o_id = 5 AND no_d_id = 1 AND no_w_id = 1
INSERT INTO `auth_user` (`a`, `b`) VALUES ('x', 1), ('y', 2) RETURNING `auth_user`.`id`
INSERT INTO users (name) VALUES (?) RETURNING id, name, concat(name, '!') AS n
REPLACE INTO t VALUES (1) RETURNING *
DELETE FROM t WHERE a = 1 ORDER BY b LIMIT 1 RETURNING id, 5 + a
INSERT INTO t SELECT * FROM u RETURNING id
UPDATE t SET a = 1 RETURNING id
INSERT INTO t VALUES (1) RETURNING id FROM u
