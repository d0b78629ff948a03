CREATE TABLE kinds (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  ti TINYINT DEFAULT 7, tu TINYINT UNSIGNED NOT NULL DEFAULT 200, si SMALLINT, mi MEDIUMINT, bi BIGINT, bu BIGINT UNSIGNED,
  de DECIMAL(20,5) DEFAULT '1.50000', fl FLOAT, db DOUBLE, bt BIT(12) DEFAULT b'101', bo TINYINT(1),
  ch CHAR(10) DEFAULT 'it''s', vc VARCHAR(100) NOT NULL DEFAULT 'a\\b' COMMENT 'a comment with ''quotes''',
  la VARCHAR(50) CHARACTER SET latin1, tt TINYTEXT, tx TEXT, mt MEDIUMTEXT, lt LONGTEXT,
  bn BINARY(4), vb VARBINARY(300), tb TINYBLOB, bl BLOB, mb MEDIUMBLOB, lb LONGBLOB,
  da DATE DEFAULT '2000-01-01', tm TIME(3), dt DATETIME(6), ts TIMESTAMP NULL DEFAULT NULL, ye YEAR,
  cr TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  en ENUM('red','green','it''s') NOT NULL DEFAULT 'green', se SET('x','y','z') DEFAULT 'x,z', js JSON,
  PRIMARY KEY (id), UNIQUE KEY by_bi (bi), KEY by_vc (vc, ti)
) ENGINE=InnoDB AUTO_INCREMENT=100 DEFAULT CHARSET=utf8mb4 COMMENT='a table of every kind';

INSERT INTO kinds (id, cr) VALUES (1, '2020-01-01 00:00:00');
INSERT INTO kinds VALUES (2, -128, 255, -32768, 8388607, -9223372036854775808, 18446744073709551615,
  -123456789012345.67891, 3.25, -1.7976931348623157e308, b'111111111111', 1,
  'x', 'canary '' and \\ and \n newline \0 zero', 'café', 'tt', 'tx', 'mt', 'lt',
  x'00ff2700', x'00010227225c0d0a1aff', x'', x'ff', x'0a', x'00',
  '1000-01-01', '-838:59:59.000', '9999-12-31 23:59:59.999999', '2038-01-19 03:14:07', 2155,
  '2020-02-29 12:00:00', 'it''s', '', NULL);
INSERT INTO kinds VALUES (3, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
  NULL, '日本語 😀', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
  NULL, NULL, NULL, NULL, NULL, '2021-02-28 12:00:00', 'red', NULL, '{"a": [1, 2.5, null, "x"]}');

CREATE TABLE parent (id INT NOT NULL PRIMARY KEY, code VARCHAR(20) NOT NULL, UNIQUE KEY code (code));
CREATE TABLE child (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, parent_id INT, code VARCHAR(20), KEY p (parent_id),
  CONSTRAINT to_parent FOREIGN KEY (parent_id) REFERENCES parent (id),
  CONSTRAINT to_code FOREIGN KEY (code) REFERENCES parent (code)
);
INSERT INTO parent VALUES (1, 'one'), (2, 'two');
INSERT INTO child (parent_id, code) VALUES (1, 'two'), (NULL, 'one'), (2, NULL);

CREATE TABLE nothing (a INT, b TEXT);
CREATE TABLE family (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, a INT NOT NULL DEFAULT 3 COMMENT 'tunic: order family some', b VARCHAR(20) COMMENT 'said; tunic: equality family some',
  c DATETIME COMMENT 'tunic: sealed family some', d DECIMAL(6,2) COMMENT 'tunic: plain', e TEXT COMMENT 'tunic: sealed family text', f VARCHAR(10), UNIQUE KEY a (a), KEY b (b, d)
);
INSERT INTO family (b, c, d, e, f) VALUES ('it''s', '2020-02-29 12:00:00', 1.5, 'long', 'f');
INSERT INTO family (a, b, f) VALUES (4, NULL, NULL), (5, '', '');
CREATE TABLE keyless (a INT, b VARCHAR(10) NOT NULL);
INSERT INTO keyless VALUES (1, 'x'), (NULL, ''), (1, 'x');
CREATE TABLE untransacted (a INT, b VARCHAR(10), KEY (a)) ENGINE=MyISAM;
INSERT INTO untransacted VALUES (3, 'c'), (1, 'a');
CREATE TABLE bulk (id INT NOT NULL PRIMARY KEY COMMENT 'tunic: plain', v VARCHAR(1000) NOT NULL);
CREATE VIEW of_kinds AS SELECT id, vc AS text, ti + 1 AS computed, en, de, dt FROM kinds WHERE vc <> 'canary';
CREATE VIEW a_view_of_a_view AS SELECT text, en FROM of_kinds WHERE id < 1000;
CREATE VIEW a_first AS SELECT CONCAT(en, text, '-') AS both_of_them FROM a_view_of_a_view WHERE text <> 'café';
CREATE SQL SECURITY INVOKER VIEW joined (a, b, `it's a ``name```) AS
  SELECT p.id, c.id, CONCAT(p.code, ' café') AS coffee FROM parent p LEFT JOIN child c ON c.parent_id = p.id ORDER BY p.id, c.id;
CREATE ALGORITHM = TEMPTABLE VIEW counted AS SELECT a, COUNT(*) AS n, MIN(b) AS least FROM keyless GROUP BY a;
CREATE ALGORITHM = MERGE VIEW checked AS SELECT id, code FROM parent WHERE id < 10 WITH CASCADED CHECK OPTION;
CREATE VIEW checked_locally AS SELECT id, code FROM checked WHERE id > 0 WITH LOCAL CHECK OPTION;
CREATE VIEW of_nothing AS SELECT 1 AS one;
CREATE VIEW united AS SELECT a FROM nothing UNION SELECT id FROM parent;
