'use strict';
// Transactions.

const { assert, check, connected, execute, value } = require('./harness');

check('tx.commit', () => connected(async (one, two) => {
  await execute(one, 'CREATE TABLE tx_commit (id INT PRIMARY KEY)');
  await one.beginTransaction();
  await one.execute('INSERT INTO tx_commit VALUES (?)', [1]);
  assert.equal(await value(two, 'SELECT COUNT(*) FROM tx_commit'), 0);
  await one.commit();
  assert.equal(await value(two, 'SELECT COUNT(*) FROM tx_commit'), 1);
}));

check('tx.rollback', () => connected(async (c) => {
  await execute(c, 'CREATE TABLE tx_rollback (id INT PRIMARY KEY)');
  await c.beginTransaction();
  await execute(c, 'INSERT INTO tx_rollback VALUES (1)');
  await c.rollback();
  assert.equal(await value(c, 'SELECT COUNT(*) FROM tx_rollback'), 0);
}));

check('tx.savepoint', () => connected(async (c) => {
  await execute(c, 'CREATE TABLE tx_savepoint (id INT PRIMARY KEY)', 'START TRANSACTION',
    'INSERT INTO tx_savepoint VALUES (1)', 'SAVEPOINT here', 'INSERT INTO tx_savepoint VALUES (2)',
    'ROLLBACK TO SAVEPOINT here', 'COMMIT');
  assert.equal(await value(c, 'SELECT GROUP_CONCAT(id) FROM tx_savepoint'), '1');
}));

check('tx.isolation', () => connected(async (one, two) => {
  await execute(one, 'CREATE TABLE tx_isolation (id INT PRIMARY KEY)');
  for (const [row, [level, seen]] of [['READ COMMITTED', 1], ['REPEATABLE READ', 0]].entries()) {
    await execute(one, `SET SESSION TRANSACTION ISOLATION LEVEL ${level}`, 'START TRANSACTION');
    const before = await value(one, 'SELECT COUNT(*) FROM tx_isolation');
    await execute(two, `INSERT INTO tx_isolation VALUES (${row})`);
    assert.equal(await value(one, 'SELECT COUNT(*) FROM tx_isolation') - before, seen, level);
    await execute(one, 'COMMIT');
  }
}));
