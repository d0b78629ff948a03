'use strict';
// Errors and results.

const { assert, check, connected, execute, mysql, value, wants } = require('./harness');

check('error.text', () => connected(async (c) => {
  await execute(c, 'CREATE TABLE error_text (id INT PRIMARY KEY)', 'INSERT INTO error_text VALUES (1)');
  await wants(c.query('INSERT INTO error_text VALUES (1)'), 1062, '23000');
  await wants(c.query('SELEKT 1'), 1064, '42000');
  await wants(c.query('SELECT * FROM no_such_table'), 1146, '42S02');
  assert.equal(await value(c, 'SELECT 1'), 1);
}));

check('error.prepared', () => connected(async (c) => {
  await execute(c, 'CREATE TABLE error_prepared (id INT PRIMARY KEY)');
  await c.execute('INSERT INTO error_prepared VALUES (?)', [1]);
  await wants(c.execute('INSERT INTO error_prepared VALUES (?)', [1]), 1062, '23000');
  await wants(c.execute('SELEKT ?', [1]), 1064, '42000');
  await wants(c.execute('SELECT ? FROM no_such_table', [1]), 1146, '42S02');
  await c.execute('INSERT INTO error_prepared VALUES (?)', [2]);
}));

// Three rows inserted; the UPDATE matches three and changes one.
const affected = (table, updated) => async (c) => {
  await execute(c, `CREATE TABLE ${table} (id INT PRIMARY KEY, v INT)`);
  const rows = async (sql) => (await c.query(sql))[0].affectedRows;
  assert.equal(await rows(`INSERT INTO ${table} VALUES (1, 0), (2, 7), (3, 7)`), 3);
  const [update] = await c.query(`UPDATE ${table} SET v = 7`);
  assert.deepEqual([update.affectedRows, update.info], [updated, 'Rows matched: 3  Changed: 1  Warnings: 0']);
  assert.equal(await rows(`DELETE FROM ${table} WHERE id > 1`), 2);
};

check('result.affected_rows', () => connected((c) => affected('affected', 1)(c)));
check('result.found_rows', () => connected((c) => affected('found', 3)(c), { flags: ['FOUND_ROWS'] }));

check('result.last_insert_id', () => connected(async (c) => {
  await execute(c, 'CREATE TABLE inserts (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, v INT) AUTO_INCREMENT = 4000000000');
  const insert = async (rows) => (await c.query(`INSERT INTO inserts (v) VALUES ${rows}`))[0].insertId;
  assert.equal(await insert('(1)'), 4000000000);
  assert.equal(await insert('(2), (3), (4)'), 4000000001);
  assert.equal((await c.execute('INSERT INTO inserts (v) VALUES (?)', [5]))[0].insertId, 4000000004);
}));

check('result.warnings', () => connected(async (c) => {
  await execute(c, 'CREATE TABLE warned (v TINYINT)', "SET sql_mode = ''");
  const [inserted] = await c.query('INSERT INTO warned VALUES (300), (1), (-300)');
  assert.equal(inserted.warningStatus, 2);
  const [shown] = await c.query('SHOW WARNINGS');
  assert.deepEqual(shown.map((w) => [w.Level, w.Code]), [['Warning', 1264], ['Warning', 1264]]);
}));

check('result.metadata', () => connected(async (c) => {
  await execute(c, `CREATE TABLE described (id BIGINT UNSIGNED NOT NULL PRIMARY KEY, name VARCHAR(30) CHARACTER SET utf8mb4,
    price DECIMAL(12,4))`);
  const sql = 'SELECT id, name AS `an alias`, price FROM described AS d';
  const { LONGLONG, VAR_STRING, NEWDECIMAL } = mysql.Types;
  for (const [, fields] of [await c.query(sql), await c.execute(sql)]) {
    assert.deepEqual(fields.map((f) => [f.name, f.orgName, f.table, f.orgTable, f.columnType, f.columnLength, f.decimals]), [
      ['id', 'id', 'd', 'described', LONGLONG, 20, 0],
      ['an alias', 'name', 'd', 'described', VAR_STRING, 120, 0],
      ['price', 'price', 'd', 'described', NEWDECIMAL, 14, 4],
    ]);
  }
}));

check('multi.statements', () => connected(async (c) => {
  await execute(c, 'CREATE TABLE multi (id INT PRIMARY KEY)');
  const [results] = await c.query("SELECT 1 AS a; INSERT INTO multi VALUES (1), (2); SELECT COUNT(*) AS n FROM multi; SELECT 'last' AS z");
  assert.deepEqual([results[0], results[1].affectedRows, results[2], results[3]], [[{ a: 1 }], 2, [{ n: 2 }], [{ z: 'last' }]]);
  await wants(c.query('INSERT INTO multi VALUES (3); INSERT INTO multi VALUES (3); INSERT INTO multi VALUES (4)'), 1062, '23000');
  assert.equal(await value(c, 'SELECT GROUP_CONCAT(id ORDER BY id) FROM multi'), '1,2,3');
}, { multipleStatements: true }));

check('multi.results', () => connected(async (c) => {
  await execute(c, "CREATE PROCEDURE two_results(n INT) BEGIN SELECT n; SELECT n + 1 AS m, 'two' AS t; END");
  for (const [results] of [await c.query('CALL two_results(7)'), await c.execute('CALL two_results(?)', [7])]) {
    assert.deepEqual(results.slice(0, 2), [[{ n: 7 }], [{ m: 8, t: 'two' }]]);
  }
  assert.equal(await value(c, 'SELECT 1'), 1);
}));

check('multi.out_params', () => connected(async (c) => {
  await execute(c, `CREATE PROCEDURE out_params(IN a INT, OUT b VARCHAR(20), INOUT c INT)
    BEGIN SET b = CONCAT('b', a), c = c + a; END`, 'SET @c = 40', 'CALL out_params(2, @b, @c)');
  assert.equal(await value(c, "SELECT CONCAT(@b, ' ', @c)"), 'b2 42');
}));
