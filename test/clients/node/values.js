'use strict';
// Values of all types, and character sets.

const fs = require('node:fs');
const { assert, check, connected, env, execute, value } = require('./harness');

// The lines of types.tsv, grouped by column type.
function samples() {
  const groups = new Map();
  for (const line of fs.readFileSync(env.types, 'utf8').trimEnd().split('\n')) {
    if (line.startsWith('#')) continue;
    const [column, kind, literal, text] = line.split('\t');
    if (!groups.has(column)) groups.set(column, []);
    groups.get(column).push({ column, kind, literal, text: text === '(empty)' ? '' : text });
  }
  return [...groups.values()];
}

// What a program passes for a value. Integers that a number cannot hold are
// passed as BigInt.
function argument({ kind, text }) {
  switch (kind) {
    case 'int': case 'uint': return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
    case 'float': case 'year': return Number(text);
    case 'bytes': return Buffer.from(text, 'hex');
    default: return text;
  }
}

// In the binary protocol the driver does not write the zeros that end a fraction.
const withoutZeros = (text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

function compare({ column, kind, text }, got) {
  if (kind.endsWith('time')) [got, text] = [withoutZeros(got), withoutZeros(text)];
  if (kind === 'float') got = got === Number(text) ? text : got;
  else if (Buffer.isBuffer(got)) got = got.toString('hex').toUpperCase();
  else if (kind === 'year') got = String(got).padStart(4, '0');
  assert.equal(String(got), column === 'GEOMETRY' ? '[object Object]' : text, column);
}

// Dates as text, since those with a zero in them are none to JavaScript; 64-bit
// integers as text, since a number has 53 bits.
const exact = { dateStrings: true, supportBigNumbers: true, bigNumberStrings: true, jsonStrings: true };

const eachType = (prefix, write, read) => connected(async (c) => {
  await execute(c, "SET sql_mode = '', time_zone = '+00:00'");
  for (const [n, rows] of samples().entries()) {
    const table = `types_${prefix}_${n}`;
    await execute(c, `CREATE TABLE ${table} (id INT PRIMARY KEY, v ${rows[0].column})`);
    for (const [id, sample] of rows.entries()) await write(c, table, id, sample);
    await c.query(`INSERT INTO ${table} VALUES (999, NULL)`);
    const [got] = await read(c, `SELECT v FROM ${table} ORDER BY id`);
    assert.equal(got.length, rows.length + 1);
    rows.forEach((sample, id) => compare(sample, got[id].v));
    assert.equal(got.at(-1).v, null);
    if (rows[0].column === 'GEOMETRY') assert.deepEqual(got[0].v, { x: 1, y: 2 });
  }
}, exact);

check('types.text', () => eachType('text',
  (c, table, id, { literal }) => c.query(`INSERT INTO ${table} VALUES (${id}, ${literal})`),
  (c, sql) => c.query(sql)));

check('types.binary', () => eachType('binary',
  (c, table, id, sample) => c.execute(`INSERT INTO ${table} VALUES (?, ?)`, [id, argument(sample)]),
  (c, sql) => c.execute(sql)));

const charset = (name, collation, text, stored) => check(`charset.${name}`, () => connected(async (c) => {
  const table = `charset_${name}`;
  await execute(c, `CREATE TABLE ${table} (v VARCHAR(10) CHARACTER SET utf8mb4)`, `INSERT INTO ${table} VALUES ('${text}')`);
  assert.equal(await value(c, `SELECT HEX(v) FROM ${table}`), stored);
  assert.equal(await value(c, `SELECT v FROM ${table}`), text);
  assert.equal(await value(c, `SELECT v FROM ${table} WHERE v = ?`, [text]), text);
  assert.equal(await value(c, 'SELECT @@character_set_client'), name);
}, { charset: collation }));

charset('latin1', 'LATIN1_SWEDISH_CI', 'café', '636166C3A9');
charset('gbk', 'GBK_CHINESE_CI', '縗', 'E7B897');
