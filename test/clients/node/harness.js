'use strict';
// Runs checks and reports them; knows how to reach the server.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const mysql = require('mysql2/promise');

const env = Object.fromEntries(Object.entries(process.env)
  .filter(([name]) => name.startsWith('CLIENT_'))
  .map(([name, value]) => [name.slice('CLIENT_'.length).toLowerCase(), value]));

// Why this client cannot do a check.
class Skip extends Error {}

// check returns what run() runs and reports: a function of no arguments.
const checks = [];
const check = (name, run) => checks.push({ name, run });
const skip = (reason, ...names) => names.forEach((name) => check(name, () => { throw new Skip(reason); }));

async function run() {
  for (const { name, run } of checks) {
    if (!name.startsWith(env.only ?? '')) continue;
    try {
      await run();
      console.log(`ok ${name}`);
    } catch (error) {
      if (error instanceof Skip) {
        console.log(`skip ${name}: ${error.message}`);
        continue;
      }
      process.exitCode = 1;
      const text = String(error.stack || error).replaceAll(/\s+/g, ' ').slice(0, 500);
      console.log(`not ok ${name}: ${text}`);
    }
  }
}

const settings = (options) => ({
  host: env.host, port: Number(env.port), user: env.user, password: env.password, database: env.database,
  // By default the driver asks for the rows found, not for those changed.
  flags: ['-FOUND_ROWS'],
  ...options,
});

// connected opens connections with these options, as many as use() takes, and
// closes them when it is done.
async function connected(use, options) {
  const connections = [];
  try {
    for (let n = 0; n < use.length; n++) connections.push(await mysql.createConnection(settings(options)));
    return await use(...connections);
  } finally {
    connections.forEach((connection) => connection.destroy());
  }
}

const tls = (ca = env.ca) => ({ ssl: { ca: fs.readFileSync(ca), verifyIdentity: true } });

// value is the one value that a query answers; with arguments it is prepared.
async function value(connection, sql, args) {
  const [[row]] = args ? await connection.execute({ sql, rowsAsArray: true }, args)
    : await connection.query({ sql, rowsAsArray: true });
  return row[0];
}

async function execute(connection, ...statements) {
  for (const statement of statements) await connection.query(statement);
}

// wants checks that a promise fails with this error of the server.
const wants = (promise, errno, sqlState) => assert.rejects(promise, (error) => {
  assert.deepEqual([error.errno, error.sqlState], [errno, sqlState]);
  return true;
});

module.exports = { assert, check, connected, env, execute, mysql, run, settings, skip, Skip, tls, value, wants };
