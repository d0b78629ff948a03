'use strict';
// Values larger than a packet of the protocol, many rows, and files.

const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { Readable } = require('node:stream');
const { assert, check, connected, env, execute, value } = require('./harness');

const bigBytes = 20 << 20; // one packet carries less than 16 MiB

// Bytes that do not compress, the same every time.
function noise(length) {
  const cipher = crypto.createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16));
  return cipher.update(Buffer.alloc(length));
}

const big = (name, send, receive) => check(`big.${name}`, () => connected(async (c) => {
  const sent = noise(bigBytes);
  await execute(c, `CREATE TABLE big_${name} (id INT, v LONGBLOB)`);
  await send(c, `INSERT INTO big_${name} VALUES (1, ?)`, sent);
  assert.equal(await value(c, `SELECT SHA2(v, 256) FROM big_${name}`), crypto.createHash('sha256').update(sent).digest('hex'));
  const [[{ v }]] = await receive(c, `SELECT v FROM big_${name} WHERE id = 1`);
  assert.ok(sent.equals(v));
}));

big('text', (c, sql, bytes) => c.query(sql, [bytes]), (c, sql) => c.query(sql));
big('binary', (c, sql, bytes) => c.execute(sql, [bytes]), (c, sql) => c.execute(sql));

check('rows.stream', () => connected(async (c) => {
  let rows = 0, sum = 0;
  for await (const { n, label } of c.connection.query('SELECT n, label FROM clients.numbers ORDER BY n').stream()) {
    rows++;
    sum += n + label.length;
  }
  assert.deepEqual([rows, sum], [100_000, 4999950000 + 8888890]);
}));

check('rows.abandon', () => connected(async (c) => {
  const stream = c.connection.query('SELECT n, label FROM clients.numbers').stream();
  let rows = 0;
  for await (const _ of stream) if (++rows === 10) break; // which destroys the stream
  c.connection.resume();
  assert.equal(await value(c, 'SELECT 1'), 1);
}));

const load = (table) => `LOAD DATA LOCAL INFILE '${path.join(env.scratch, 'lines')}' INTO TABLE ${table}
  CHARACTER SET utf8mb4 FIELDS TERMINATED BY ','`;

check('infile.load', () => connected(async (c) => {
  await execute(c, 'CREATE TABLE infile_load (id INT PRIMARY KEY, v VARCHAR(40))');
  const lines = Array.from({ length: 10_000 }, (_, n) => `${n},line é ${n}\n`);
  const [loaded] = await c.query({ sql: load('infile_load'), infileStreamFactory: () => Readable.from(lines.map((l) => Buffer.from(l))) });
  assert.equal(loaded.affectedRows, 10_000);
  assert.equal(await value(c, 'SELECT v FROM infile_load WHERE id = 9999'), 'line é 9999');
}));

check('infile.missing', () => connected(async (c) => {
  await execute(c, 'CREATE TABLE infile_missing (id INT)');
  const missing = path.join(env.scratch, 'no-such-file');
  const query = c.query({ sql: load('infile_missing'), infileStreamFactory: () => fs.createReadStream(missing) });
  await assert.rejects(query, { code: 'ENOENT' });
  assert.equal(await value(c, 'SELECT 1'), 1);
}));

check('infile.refused', () => connected(async (c) => {
  await execute(c, 'CREATE TABLE infile_refused (id INT)');
  await assert.rejects(c.query(load('infile_refused')), /LOCAL INFILE/);
  assert.equal(await value(c, 'SELECT COUNT(*) FROM infile_refused'), 0);
}));
