'use strict';
// Getting in, with and without TLS, and with every authentication plug-in.

const crypto = require('node:crypto');
const { assert, check, connected, env, execute, mysql, settings, Skip, tls, value, wants } = require('./harness');

const selectOne = async (c) => assert.equal(await value(c, 'SELECT 1'), 1);

check('connect.plain', () => connected(selectOne));

check('connect.tls', () => connected(async (c) => {
  assert.ok(c.connection.stream.encrypted);
  await selectOne(c);
}, tls()));

check('connect.tls_untrusted', () => assert.rejects(
  connected(selectOne, tls(env.other_ca)), { message: /self[- ]signed|unable to (get|verify)/ }));

check('connect.attributes', () => connected(async (c) => {
  assert.equal(await value(c, `SELECT attr_value FROM performance_schema.session_account_connect_attrs
    WHERE processlist_id = CONNECTION_ID() AND attr_name = 'shoe_size'`), '42');
}, { connectAttributes: { shoe_size: '42' } }));

check('connect.wrong_password', () => wants(connected(selectOne, { password: env.password + 'x' }), 1045, '28000'));
check('connect.unknown_database', () => wants(connected(selectOne, { database: 'no_such_database' }), 1049, '42000'));

check('connect.zlib', () => connected(async (c) => {
  const before = c.connection.stream.bytesRead;
  assert.equal(await value(c, "SELECT REPEAT('a', 1000000)"), 'a'.repeat(1e6));
  const bytes = c.connection.stream.bytesRead - before;
  assert.ok(bytes < 1e5, `a million equal bytes came as ${bytes}`);
  const random = crypto.randomBytes(300_000);
  assert.ok(random.equals(await value(c, 'SELECT CAST(? AS BINARY)', [random])));
}, { compress: true }));

check('connect.parallel', async () => {
  const sessions = 50;
  const all = await Promise.all(Array.from({ length: sessions }, () => mysql.createConnection(settings())));
  const ids = new Set();
  await Promise.all(all.map((c, n) => execute(c, `SET @mine = ${n}, SESSION group_concat_max_len = ${5000 + n}`)));
  await Promise.all(all.map(async (c, n) => {
    for (let i = 0; i < 10; i++) {
      assert.equal(await value(c, "SELECT CONCAT(@mine, ' ', @@group_concat_max_len)"), `${n} ${5000 + n}`);
    }
    ids.add(await value(c, 'SELECT CONNECTION_ID()'));
  }));
  await Promise.all(all.map((c) => c.end()));
  assert.equal(ids.size, sessions);
});

const account = (plugin, password = env.account_password) => ({ user: `${env.account}_${plugin}`, password });

function login(name, plugin, flavor, options = () => ({})) {
  check(name, () => {
    if (env.flavor !== flavor) throw new Skip(`${env.flavor} has no account of this plugin`);
    return connected(async (c) => {
      assert.equal(await value(c, 'SELECT CURRENT_USER()'), `${env.account}_${plugin}@%`);
    }, { ...account(plugin), ...options() });
  });
}

check('login.empty_password', () => connected(selectOne, account('empty', '')));
login('login.native', 'native', 'mariadb');
login('login.sha2_tls', 'sha2', 'mysql', tls);
login('login.sha2_cached', 'sha2', 'mysql');
login('login.sha2_rsa', 'sha2_rsa', 'mysql');
login('login.sha256_tls', 'sha256', 'mysql', tls);
login('login.sha256_rsa', 'sha256', 'mysql');

check('login.refused', async () => {
  const plugins = { mariadb: ['native', 'empty'], mysql: ['sha2', 'sha2_rsa', 'sha256', 'empty'] };
  for (const plugin of plugins[env.flavor]) {
    await wants(connected(selectOne, account(plugin, env.account_password + 'x')), 1045, '28000');
  }
});
