'use strict';
// Commands that are no statements, and KILL.

const { setTimeout: sleep } = require('node:timers/promises');
const { promisify } = require('node:util');
const { assert, check, connected, env, execute, Skip, value, wants } = require('./harness');

const plugin = env.flavor === 'mysql' ? 'sha2' : 'native';

check('command.change_user', () => connected(async (c) => {
  await execute(c, 'SET @mine = 1', 'CREATE TEMPORARY TABLE changing (id INT)');
  await c.changeUser({ user: `${env.account}_${plugin}`, password: env.account_password, database: 'clients' });
  assert.equal(await value(c, "SELECT CONCAT(CURRENT_USER(), ' ', DATABASE(), ' ', @mine IS NULL)"),
    `${env.account}_${plugin}@% clients 1`);
  await wants(c.query(`SELECT * FROM ${env.database}.changing`), 1146, '42S02');
  await c.changeUser({ user: env.user, password: env.password, database: env.database });
  assert.equal(await value(c, 'SELECT DATABASE()'), env.database);
}));

check('command.reset', () => connected(async (c) => {
  await execute(c, 'SET @mine = 1', 'CREATE TEMPORARY TABLE resetting (id INT)');
  await promisify(c.connection.reset.bind(c.connection))();
  assert.equal(await value(c, "SELECT CONCAT(DATABASE(), ' ', @mine IS NULL)"), `${env.database} 1`);
  await wants(c.query('SELECT * FROM resetting'), 1146, '42S02');
}));

check('command.ping', () => connected(async (c) => { await c.ping(); }));

check('session.track', () => connected(async (c) => {
  const [changed] = await c.query('USE test');
  assert.equal(changed.stateChanges.schema, 'test');
}));

check('query.attributes', () => {
  if (env.flavor !== 'mysql') throw new Skip('MariaDB has no query attributes');
  return connected(async (c) => {
    const sql = "SELECT mysql_query_attribute_string('colour') AS colour";
    const attributes = { colour: 'blue' };
    for (const [[row]] of [await c.query({ sql, attributes }), await c.execute({ sql, attributes })]) {
      assert.equal(row.colour, 'blue');
    }
  });
});

// Sleeping in WHERE, and not in the select list, makes KILL an error with MariaDB
// and MySQL alike.
const sleeping = 'SELECT n FROM clients.numbers WHERE SLEEP(20) = 0';

// killWhileSleeping runs sleeping on one and, once it is seen running, kill on two;
// it returns how the sleep ended.
async function killWhileSleeping(one, two, kill) {
  const id = await value(one, 'SELECT CONNECTION_ID()');
  const ended = one.query(sleeping).then(() => null, (error) => error);
  const running = `SELECT COUNT(*) FROM performance_schema.threads
    WHERE processlist_id = ${id} AND processlist_state = 'User sleep'`;
  while (!await value(two, running)) await sleep(10);
  await execute(two, `${kill} ${id}`);
  return ended;
}

check('kill.query', () => connected(async (one, two) => {
  const error = await killWhileSleeping(one, two, 'KILL QUERY');
  assert.deepEqual([error.errno, error.sqlState], [1317, '70100']);
  assert.equal(await value(one, 'SELECT 1'), 1);
}));

check('kill.connection', () => connected(async (one, two) => {
  one.on('error', () => {}); // the connection's end, told to whom it may concern
  assert.ok(await killWhileSleeping(one, two, 'KILL'));
  await assert.rejects(one.query('SELECT 1'));
  assert.equal(await value(two, 'SELECT 1'), 1);
}));
