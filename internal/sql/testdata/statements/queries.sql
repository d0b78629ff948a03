# Django
SELECT `auth_user`.`id`, `auth_user`.`password`, `auth_user`.`last_login` FROM `auth_user` WHERE `auth_user`.`username` = 'admin' LIMIT 21
SELECT COUNT(*) AS `__count` FROM `shop_order` INNER JOIN `shop_customer` ON (`shop_order`.`customer_id` = `shop_customer`.`id`) WHERE (`shop_customer`.`name` LIKE BINARY '%ann%' AND NOT (`shop_order`.`state` = 'done' AND `shop_order`.`state` IS NOT NULL))
SELECT DISTINCT `a`.`id` FROM `a` LEFT OUTER JOIN `b` ON (`a`.`id` = `b`.`a_id`) WHERE `b`.`id` IS NULL ORDER BY `a`.`name` ASC, `a`.`id` DESC LIMIT 10 OFFSET 20
SELECT (1) AS `a` FROM `auth_user` WHERE `auth_user`.`id` = 5 LIMIT 1
SELECT CAST(DATE_FORMAT(CONVERT_TZ(`t`.`d`, 'UTC', 'Europe/Paris'), '%Y-01-01') AS DATE) AS `y` FROM `t` GROUP BY CAST(DATE_FORMAT(CONVERT_TZ(`t`.`d`, 'UTC', 'Europe/Paris'), '%Y-01-01') AS DATE) ORDER BY NULL
SELECT `t`.`a` FROM `t` WHERE `t`.`a` REGEXP BINARY '^x' FOR UPDATE
SELECT `t`.`a` FROM `t` WHERE JSON_EXTRACT(`t`.`j`, '$.\"a\"') = JSON_EXTRACT('5', '$') FOR UPDATE NOWAIT
SELECT `t`.`a` FROM `t` FOR UPDATE SKIP LOCKED
SELECT EXISTS(SELECT 1 AS `a` FROM `u` WHERE `u`.`t_id` = (`t`.`id`) LIMIT 1) AS `x` FROM `t`
SELECT CASE WHEN `t`.`a` > 5 THEN 'many' WHEN `t`.`a` = 0 THEN 'none' ELSE 'few' END AS `k`, SUM(CASE WHEN `t`.`b` THEN 1 ELSE NULL END) FROM `t`
SELECT SUM(`t`.`p` * `t`.`n`) OVER (PARTITION BY `t`.`c` ORDER BY `t`.`d` ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS `r` FROM `t`
# SQLAlchemy
SELECT users.id AS users_id, users.name AS users_name, anon_1.n FROM users LEFT OUTER JOIN (SELECT addresses.user_id AS user_id, count(*) AS n FROM addresses GROUP BY addresses.user_id) AS anon_1 ON users.id = anon_1.user_id WHERE users.name IN ('a', 'b') AND users.id NOT IN (1, 2, 3)
SELECT users.id FROM users WHERE (users.a, users.b) IN ((1, 'x'), (2, 'y')) AND users.c BETWEEN 1 AND 5 OR users.d IS true
SELECT lower(users.name) || users.b AS x FROM users
SELECT concat(users.name, '%%') AS x, users.a % 5, users.b DIV 2, users.c ^ 3, ~users.d, -users.e, users.f << 2, users.g & 1 | 2 FROM users
WITH RECURSIVE tree (id, parent) AS (SELECT n.id, n.parent FROM n WHERE n.id = 1 UNION ALL SELECT n.id, n.parent FROM n INNER JOIN tree ON n.parent = tree.id) SELECT tree.id FROM tree
SELECT a FROM t UNION SELECT b FROM u UNION ALL SELECT c FROM v ORDER BY 1 LIMIT 5
(SELECT a FROM t ORDER BY a LIMIT 1) UNION ALL (SELECT b FROM u ORDER BY b LIMIT 1) ORDER BY 1
SELECT a FROM t EXCEPT SELECT b FROM u
SELECT a FROM t INTERSECT SELECT b FROM u
SELECT a FROM t INTERSECT SELECT b FROM u EXCEPT SELECT c FROM v
SELECT row_number() OVER (ORDER BY a DESC) AS n, rank() OVER w, dense_rank() OVER w, percent_rank() OVER w, cume_dist() OVER w, ntile(4) OVER w, lag(a, 1, 0) OVER w, lead(a) OVER w, first_value(a) OVER w, last_value(a) OVER w, nth_value(a, 2) OVER w FROM t WINDOW w AS (PARTITION BY b ORDER BY c)
SELECT avg(a) OVER (ORDER BY b RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND INTERVAL 1 DAY FOLLOWING) FROM t
SELECT a FROM t WHERE b = 1 LOCK IN SHARE MODE
SELECT a FROM t WHERE b = 1 FOR SHARE
SELECT a FROM t FOR SHARE SKIP LOCKED
SELECT a FROM t AS x FOR UPDATE OF x
SELECT a FROM t AS x FOR UPDATE OF x SKIP LOCKED
SELECT CURRENT_TIMESTAMP, CURRENT_TIMESTAMP(6), CURRENT_DATE, CURRENT_TIME, LOCALTIME, LOCALTIMESTAMP, UTC_DATE, UTC_TIME, UTC_TIMESTAMP, CURDATE(), CURTIME(), NOW(), SYSDATE(), UTC_TIMESTAMP(3)
SELECT CURRENT_USER, CURRENT_USER(), USER(), DATABASE(), SCHEMA(), VERSION(), CONNECTION_ID(), LAST_INSERT_ID(), ROW_COUNT(), FOUND_ROWS()
# Hibernate
select o1_0.id,o1_0.customer_id,c1_0.id,c1_0.name from orders o1_0 left join customers c1_0 on c1_0.id=o1_0.customer_id where o1_0.id=?
select next_val as id_val from hibernate_sequence for update
select p1_0.id from person p1_0 where p1_0.born>{ts '2026-01-01 00:00:00'} order by p1_0.name limit ?,?
select p1_0.id from person p1_0 where p1_0.born>{d '2026-01-01'}
select {fn concat('a', p1_0.name)} from {oj person p1_0 left outer join u on u.id = p1_0.id}
select count(distinct p1_0.id), max(p1_0.a), min(p1_0.b), sum(p1_0.c), avg(p1_0.d), group_concat(distinct p1_0.e order by p1_0.e desc separator '; ') from person p1_0 group by p1_0.f having count(p1_0.id)>1
select p.id from person p where exists(select 1 from pet t where t.owner_id=p.id) and p.id in(select q.id from q) and p.x>all(select y from z) and p.x=any(select y from z) and p.x<some(select y from z)
select p.id from person p where p.name like ? escape '\\'
select p.id from person p where p.name like 'a|%%' escape '|' and p.name not like 'b' and not p.ok
SELECT cast(p.a as signed) FROM p
SELECT cast(p.a as unsigned) FROM p
SELECT cast(p.a as char) FROM p
SELECT cast(p.a as char(10)) FROM p
SELECT cast(p.a as decimal(10,2)) FROM p
SELECT cast(p.a as datetime(6)) FROM p
SELECT cast(p.a as binary(5)) FROM p
SELECT cast(p.a as json) FROM p
SELECT cast(p.a as double) FROM p
SELECT cast(p.a as float) FROM p
SELECT cast(p.a as year) FROM p
SELECT cast(p.a as time) FROM p
select convert(p.a, char), convert(p.a using utf8mb4), convert(p.a, signed integer), binary p.a from p
# Sequelize
SELECT `id`, `name` FROM `Users` AS `User` WHERE (`User`.`deletedAt` IS NULL AND (`User`.`a` = 1 OR `User`.`b` = 'x')) ORDER BY `User`.`id` ASC LIMIT 0, 10;
SELECT `User`.*, `Tasks`.`id` AS `Tasks.id` FROM (SELECT `User`.`id` FROM `Users` AS `User` LIMIT 10) AS `User` LEFT OUTER JOIN `Tasks` AS `Tasks` ON `User`.`id` = `Tasks`.`UserId`
SELECT json_unquote(json_extract(`data`,'$.a')) AS `a`, `data`->'$.b', `data`->>'$.c' FROM `Users`
SELECT COUNT(DISTINCT(`User`.`id`)) AS `count` FROM `Users` AS `User` INNER JOIN ( `T` AS `t` INNER JOIN `U` AS `u` ON `t`.`id` = `u`.`t` ) ON `User`.`id` = `t`.`u`
# WordPress
SELECT SQL_CALC_FOUND_ROWS wp_posts.ID FROM wp_posts WHERE 1=1 AND wp_posts.post_type = 'post' AND ((wp_posts.post_status = 'publish')) ORDER BY wp_posts.post_date DESC LIMIT 0, 10
SELECT FOUND_ROWS()
SELECT option_name, option_value FROM wp_options WHERE autoload IN ( 'yes', 'on', 'auto-on', 'auto' )
SELECT t.*, tt.* FROM wp_terms AS t INNER JOIN wp_term_taxonomy AS tt ON t.term_id = tt.term_id WHERE tt.taxonomy IN ('category') ORDER BY FIELD( t.term_id, 3, 1, 2 )
SELECT YEAR(post_date) AS `year`, MONTH(post_date) AS `month`, count(ID) as posts FROM wp_posts WHERE post_type = 'post' GROUP BY YEAR(post_date), MONTH(post_date) ORDER BY post_date DESC
SELECT post_id, meta_key, meta_value FROM wp_postmeta WHERE post_id IN (1,2,3) ORDER BY meta_id ASC
SELECT * FROM wp_users WHERE user_login = 'admin' LIMIT 1
SELECT wp_posts.* FROM wp_posts, wp_postmeta WHERE wp_posts.ID = wp_postmeta.post_id AND CAST(wp_postmeta.meta_value AS CHAR) LIKE '%x%' AND RAND() < 0.5
SELECT COUNT(NULLIF(`meta_value` LIKE '%"administrator"%', false)), COUNT(NULLIF(`meta_value` = 'a:0:{}', false)), COUNT(*) FROM wp_usermeta
# sysbench
SELECT c FROM sbtest1 WHERE id=4993
SELECT c FROM sbtest1 WHERE id BETWEEN 5027 AND 5126
SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN 5027 AND 5126
SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN 5027 AND 5126 ORDER BY c
# TPC-C
SELECT c_discount, c_last, c_credit, w_tax FROM customer1, warehouse1 WHERE w_id = 1 AND c_w_id = w_id AND c_d_id = 5 AND c_id = 7
SELECT d_next_o_id, d_tax FROM district1 WHERE d_w_id = 1 AND d_id = 2 FOR UPDATE
SELECT COUNT(DISTINCT (s_i_id)) FROM order_line1, stock1 WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id < 3001 AND ol_o_id >= 2981 AND s_w_id= 1 AND s_i_id=ol_i_id AND s_quantity < 15
SELECT o_id FROM orders1, (SELECT o_c_id,o_w_id,o_d_id,count(distinct o_id) FROM orders1 WHERE o_w_id=1 AND o_d_id=2 AND o_id > 2100 AND o_id < 11153 GROUP BY o_c_id,o_d_id,o_w_id having count( distinct o_id) > 1 limit 1) t WHERE t.o_w_id=orders1.o_w_id limit 1
# TPC-H
select l_returnflag, sum(l_quantity) as sum_qty, sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) as sum_charge, count(*) as count_order from lineitem where l_shipdate <= date '1998-12-01' - interval '90' day group by l_returnflag order by l_returnflag
select o_year, sum(case when nation = 'BRAZIL' then volume else 0 end) / sum(volume) as mkt_share from (select extract(year from o_orderdate) as o_year, l_extendedprice * (1 - l_discount) as volume, n2.n_name as nation from part, lineitem, orders, nation n2 where p_partkey = l_partkey) as all_nations group by o_year
select s_acctbal from part where p_size = 15 and ps_supplycost = (select min(ps_supplycost) from partsupp where p_partkey = ps_partkey) order by s_acctbal desc limit 100
select 100.00 * sum(case when p_type like 'PROMO%' then l_extendedprice else 0 end) from lineitem where l_shipdate >= date '1995-09-01' and l_shipdate < date '1995-09-01' + interval '1' month
# Forms of expressions
SELECT 1
SELECT 1 FROM DUAL
SELECT NULL
SELECT TRUE
SELECT FALSE
SELECT \N
SELECT 1.5
SELECT 1e5
SELECT 0x4d
SELECT x'4d'
SELECT 0b01
SELECT b'01'
SELECT 'a' 'b'
SELECT N'n'
SELECT _utf8mb4'x'
SELECT _utf8mb4 x'4d'
SELECT _binary 'y' COLLATE binary
SELECT a = b FROM t
SELECT a <> b FROM t
SELECT a != b FROM t
SELECT a <=> b FROM t
SELECT a < b FROM t
SELECT a <= b FROM t
SELECT a > b FROM t
SELECT a >= b FROM t
SELECT NOT a FROM t
SELECT !a FROM t
SELECT a AND b FROM t
SELECT a && b FROM t
SELECT a OR b FROM t
SELECT a XOR b FROM t
SELECT a IS NULL FROM t
SELECT a IS NOT NULL FROM t
SELECT a IS TRUE FROM t
SELECT a IS NOT TRUE FROM t
SELECT a IS FALSE FROM t
SELECT a IS NOT FALSE FROM t
SELECT a IS UNKNOWN FROM t
SELECT a IS NOT UNKNOWN FROM t
SELECT a + b * c - d / e FROM t
SELECT (a + b) * (c - d) FROM t
SELECT a - (b - c) FROM t
SELECT a / (b / c) FROM t
SELECT a % b FROM t
SELECT a MOD b FROM t
SELECT a DIV b FROM t
SELECT -(-a) FROM t
SELECT - - a FROM t
SELECT +a FROM t
SELECT a | b & c ^ d FROM t
SELECT a >> 1 << 2 FROM t
SELECT ~(a + b) FROM t
SELECT !(a) FROM t
SELECT NOT (a = b) = c FROM t
SELECT (NOT a) = b FROM t
SELECT a = (b = c) FROM t
SELECT (a = b) = c FROM t
SELECT a IN (1) IN (0) FROM t
SELECT a BETWEEN b AND c AND d FROM t
SELECT NOT a BETWEEN 1 AND 2 FROM t
SELECT a NOT BETWEEN b AND c FROM t
SELECT a NOT IN (1, 2) FROM t
SELECT (a, b) = (1, 2) FROM t
SELECT ROW(a, b) = ROW(1, 2) FROM t
SELECT a LIKE 'x' OR b RLIKE 'y' OR c NOT REGEXP 'z' FROM t
SELECT a COLLATE utf8mb4_bin = 'x', (a = 'x') COLLATE utf8mb4_bin, BINARY a = 'x', BINARY (a = 'x'), a SOUNDS LIKE b FROM t
SELECT DATE '2026-01-01' FROM t
SELECT TIME '10:00:00' FROM t
SELECT TIMESTAMP '2026-01-01 10:00:00' FROM t
SELECT a + INTERVAL 1 DAY FROM t
SELECT INTERVAL 1 DAY + a FROM t
SELECT a - INTERVAL b + 1 HOUR FROM t
SELECT DATE_ADD(a, INTERVAL 1 MONTH) FROM t
SELECT DATE_SUB(a, INTERVAL '1:1' MINUTE_SECOND) FROM t
SELECT ADDDATE(a, 5) FROM t
SELECT ADDDATE(a, INTERVAL 5 DAY) FROM t
SELECT SUBDATE(a, 1) FROM t
SELECT EXTRACT(YEAR_MONTH FROM a) FROM t
SELECT TIMESTAMPDIFF(SECOND, a, b) FROM t
SELECT TIMESTAMPADD(WEEK, 1, a) FROM t
SELECT DATE(a) FROM t
SELECT TIME(a) FROM t
SELECT TIMESTAMP(a) FROM t
SELECT TIMESTAMP(a, b) FROM t
SELECT YEAR(a) FROM t
SELECT GET_FORMAT(DATE, 'EUR') FROM t
SELECT STR_TO_DATE(a, '%d') FROM t
SELECT DATEDIFF(a, b) FROM t
SELECT UNIX_TIMESTAMP() FROM t
SELECT FROM_UNIXTIME(5) FROM t
SELECT TRIM(a) FROM t
SELECT TRIM(BOTH 'x' FROM a) FROM t
SELECT TRIM(LEADING FROM a) FROM t
SELECT TRIM('x' FROM a) FROM t
SELECT LTRIM(a) FROM t
SELECT RTRIM(a) FROM t
SELECT SUBSTRING(a, 1, 2) FROM t
SELECT SUBSTRING(a FROM 2) FROM t
SELECT SUBSTR(a FROM 2 FOR 3) FROM t
SELECT MID(a, 1, 2) FROM t
SELECT POSITION('x' IN a) FROM t
SELECT LOCATE('x', a, 2) FROM t
SELECT CHAR(65, 66) FROM t
SELECT CHAR(65 USING utf8mb4) FROM t
SELECT INSERT(a, 1, 2, 'x') FROM t
SELECT REPLACE(a, 'x', 'y') FROM t
SELECT LEFT(a, 1) FROM t
SELECT RIGHT(a, 2) FROM t
SELECT REPEAT(a, 3) FROM t
SELECT MOD(a, 2) FROM t
SELECT ASCII(a) FROM t
SELECT IF(a, b, c) FROM t
SELECT IFNULL(a, b) FROM t
SELECT NULLIF(a, b) FROM t
SELECT COALESCE(a, b, c) FROM t
SELECT GREATEST(a, b) FROM t
SELECT LEAST(a, b) FROM t
SELECT INTERVAL(a, 1, 2) FROM t
SELECT CASE a WHEN 1 THEN 2 END FROM t
SELECT CASE WHEN a THEN 1 ELSE 2 END FROM t
SELECT ISNULL(a) FROM t
SELECT a IS NULL + 1 FROM t
SELECT MATCH (a, b) AGAINST ('x') FROM t
SELECT MATCH (a) AGAINST ('x' IN BOOLEAN MODE) FROM t
SELECT MATCH (a) AGAINST ('x' IN NATURAL LANGUAGE MODE) FROM t
SELECT MATCH (a) AGAINST ('x' IN NATURAL LANGUAGE MODE WITH QUERY EXPANSION) FROM t
SELECT MATCH (a) AGAINST ('x' WITH QUERY EXPANSION) FROM t
SELECT MATCH a AGAINST ('x') FROM t
SELECT COUNT(*) FROM t
SELECT COUNT(a) FROM t
SELECT COUNT(DISTINCT a, b) FROM t
SELECT COUNT(ALL a) FROM t
SELECT SUM(DISTINCT a) FROM t
SELECT AVG(ALL a) FROM t
SELECT MIN(a) FROM t
SELECT MAX(DISTINCT a) FROM t
SELECT BIT_AND(a) FROM t
SELECT BIT_OR(a) FROM t
SELECT BIT_XOR(a) FROM t
SELECT STD(a) FROM t
SELECT STDDEV(a) FROM t
SELECT STDDEV_POP(a) FROM t
SELECT STDDEV_SAMP(a) FROM t
SELECT VAR_POP(a) FROM t
SELECT VAR_SAMP(a) FROM t
SELECT VARIANCE(a) FROM t
SELECT GROUP_CONCAT(a) FROM t
SELECT GROUP_CONCAT(DISTINCT a, b ORDER BY c, d DESC SEPARATOR '-') FROM t
SELECT GROUP_CONCAT(a LIMIT 1) FROM t
SELECT ANY_VALUE(a) FROM t
SELECT JSON_ARRAYAGG(a) FROM t
SELECT JSON_OBJECTAGG(a, b) FROM t
SELECT JSON_OBJECT('a', 1) FROM t
SELECT JSON_ARRAY(1, 'x') FROM t
SELECT JSON_SET(a, '$.b', 1) FROM t
SELECT JSON_INSERT(a, '$.b', 1) FROM t
SELECT JSON_REPLACE(a, '$.b', 1) FROM t
SELECT JSON_REMOVE(a, '$.b') FROM t
SELECT JSON_ARRAY_APPEND(a, '$', 1) FROM t
SELECT JSON_ARRAY_INSERT(a, '$[0]', 1) FROM t
SELECT JSON_MERGE_PATCH(a, b) FROM t
SELECT JSON_MERGE_PRESERVE(a, b) FROM t
SELECT JSON_CONTAINS(a, '1', '$.b') FROM t
SELECT JSON_CONTAINS_PATH(a, 'one', '$.b', '$.c') FROM t
SELECT JSON_KEYS(a) FROM t
SELECT JSON_LENGTH(a) FROM t
SELECT JSON_DEPTH(a) FROM t
SELECT JSON_VALID(a) FROM t
SELECT JSON_TYPE(a) FROM t
SELECT JSON_QUOTE(a) FROM t
SELECT JSON_UNQUOTE(a) FROM t
SELECT JSON_SEARCH(a, 'all', 'x') FROM t
SELECT JSON_OVERLAPS(a, b) FROM t
SELECT JSON_PRETTY(a) FROM t
SELECT JSON_VALUE(a, '$.b') FROM t
SELECT JSON_VALUE(a, '$.b' RETURNING CHAR DEFAULT 'x' ON EMPTY ERROR ON ERROR) FROM t
SELECT 5 MEMBER OF (a) FROM t
SELECT j.x FROM t, JSON_TABLE(t.a, '$[*]' COLUMNS (n FOR ORDINALITY, x INT PATH '$.x' DEFAULT '5' ON EMPTY NULL ON ERROR, y VARCHAR(10) PATH '$.y', z INT EXISTS PATH '$.z', NESTED PATH '$.w[*]' COLUMNS (v INT PATH '$'))) AS j
SELECT REGEXP_LIKE(a, 'x') FROM t
SELECT REGEXP_INSTR(a, 'x', 1) FROM t
SELECT REGEXP_REPLACE(a, 'x', 'y') FROM t
SELECT REGEXP_SUBSTR(a, 'x') FROM t
SELECT EXTRACTVALUE(a, '/b') FROM t
SELECT UPDATEXML(a, '/b', 'c') FROM t
SELECT WEIGHT_STRING(a) FROM t
SELECT WEIGHT_STRING(a AS CHAR(5)) FROM t
SELECT GET_LOCK('a', 1) FROM t
SELECT RELEASE_LOCK('a') FROM t
SELECT IS_FREE_LOCK('a') FROM t
SELECT IS_USED_LOCK('a') FROM t
SELECT RELEASE_ALL_LOCKS() FROM t
SELECT @a
SELECT @`b c`
SELECT @a := 5
SELECT @@sql_mode
SELECT @@session.sql_mode
SELECT @@global.max_connections
SELECT @@`autocommit`
SELECT s.t.a
SELECT `s`.`t`.*
SELECT t.*
SELECT `a``b`
SELECT `select`
SELECT `é` FROM s.t
SELECT f(a) FROM t
SELECT s.f(a) FROM t
SELECT `f`(a) FROM t
SELECT f (a) FROM t
SELECT uuid() FROM t
SELECT a.b FROM t
SELECT a AS 'x' FROM t
SELECT a 'y' FROM t
SELECT a "z" FROM t
SELECT a AS w FROM t
SELECT a v FROM t
SELECT 1 AS `count` FROM t
SELECT a AS `a b` FROM t
SELECT VALUES(a), DEFAULT(a) FROM t
SELECT first_value(a) RESPECT NULLS OVER (ORDER BY b) FROM t WINDOW w AS (ORDER BY b), x AS (w)
SELECT nth_value(a, 2) FROM FIRST OVER w FROM t WINDOW w AS (ORDER BY b), x AS (w)
SELECT sum(a) OVER (w ROWS 2 PRECEDING) FROM t WINDOW w AS (ORDER BY b), x AS (w)
SELECT count(*) OVER () FROM t WINDOW w AS (ORDER BY b), x AS (w)
SELECT ST_AsText(a) FROM t
SELECT ST_GeomFromText('POINT(1 1)') FROM t
SELECT POINT(1, 2) FROM t
SELECT ST_X(a) FROM t
SELECT ST_Distance(a, b) FROM t
# Clauses
SELECT ALL a FROM t
SELECT DISTINCTROW a FROM t
SELECT STRAIGHT_JOIN a FROM t
SELECT HIGH_PRIORITY a FROM t
SELECT SQL_SMALL_RESULT a FROM t
SELECT SQL_BIG_RESULT SQL_BUFFER_RESULT a FROM t
SELECT SQL_NO_CACHE a FROM t
SELECT SQL_CACHE a FROM t
SELECT /*+ MAX_EXECUTION_TIME(1000) */ a FROM t
SELECT a FROM t USE INDEX (i, j) IGNORE INDEX FOR ORDER BY (k) FORCE INDEX FOR JOIN (PRIMARY)
SELECT a FROM t USE INDEX ()
SELECT a FROM t USE KEY (i)
SELECT a FROM t PARTITION (p0, p1) AS x WHERE b
SELECT a FROM t, u CROSS JOIN v, w STRAIGHT_JOIN x ON w.a = x.a
SELECT a FROM t JOIN u USING (b, c) NATURAL JOIN v NATURAL LEFT JOIN w NATURAL RIGHT JOIN x RIGHT JOIN y ON 1
SELECT a FROM t LEFT JOIN (u, v) ON t.a = u.a
SELECT a FROM t LEFT JOIN u JOIN v ON u.a = v.a ON t.a = u.a
SELECT a FROM (t)
SELECT a FROM (SELECT 1 AS a) AS d (b)
SELECT a FROM LATERAL (SELECT t.b) AS d
SELECT a FROM t, LATERAL (SELECT t.b) AS d
SELECT a FROM (VALUES ROW(1, 2), ROW(3, 4)) AS v (a, b)
SELECT a FROM t GROUP BY a, b + 1 WITH ROLLUP HAVING a > 1 ORDER BY a DESC, RAND() LIMIT 5
SELECT a FROM t GROUP BY a DESC
SELECT a FROM t LIMIT 1, 2
SELECT a FROM t LIMIT 2 OFFSET 1
SELECT a FROM t OFFSET 1 ROW FETCH NEXT 5 ROWS ONLY
SELECT a INTO @x FROM t
SELECT a, b FROM t LIMIT 1 INTO @x, @y
SELECT a INTO OUTFILE '/tmp/x' FIELDS TERMINATED BY ',' FROM t
TABLE t
TABLE t ORDER BY a LIMIT 5
VALUES ROW(1, 'a'), ROW(2, 'b') ORDER BY 1
SELECT * FROM t WHERE a IN (SELECT b FROM u WHERE u.c = t.c) AND (SELECT COUNT(*) FROM v) > 1
SELECT * FROM t WHERE (a, b) IN (SELECT c, d FROM u) AND ROW(1, 2) NOT IN (SELECT 1, 2)
SELECT * FROM t FOR SYSTEM_TIME AS OF '2026-01-01'
SELECT a FROM t PROCEDURE ANALYSE()
WITH a AS (SELECT 1 AS x), b (y) AS (SELECT x + 1 FROM a) SELECT * FROM a, b
SELECT 1 WHERE 1 = 1
SELECT 1 LIMIT 1
SELECT 'a' = 'a' COLLATE utf8mb4_general_ci
SELECT a.`b` FROM `dual` a
SELECT NEXT VALUE FOR s
SELECT NEXTVAL(s), LASTVAL(s)
SELECT MEDIAN(a) OVER (PARTITION BY b), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a) OVER (PARTITION BY b) FROM t
EXPLAIN SELECT a FROM t
EXPLAIN FORMAT=JSON SELECT a FROM t
EXPLAIN EXTENDED SELECT a FROM t
EXPLAIN ANALYZE SELECT a FROM t
ANALYZE SELECT a FROM t
ANALYZE FORMAT=JSON SELECT a FROM t
DESCRIBE t
DESC t a
