'use strict';

// Work on the pool of Sequelize; see README.md.

const { DataTypes, Sequelize } = require('sequelize');

const env = process.env;
const workers = Number(env.POOL_WORKERS);

const sequelize = new Sequelize(env.POOL_DATABASE, env.POOL_USER, env.POOL_PASSWORD, {
  dialect: 'mysql',
  host: env.POOL_HOST,
  port: Number(env.POOL_PORT),
  logging: false,
  pool: { max: workers },
});
require(env.POOL_SETTING)(sequelize);

const Done = sequelize.define('Done', {
  worker: { type: DataTypes.INTEGER, primaryKey: true },
  n: { type: DataTypes.INTEGER, primaryKey: true },
  number: DataTypes.BIGINT,
  note: DataTypes.STRING(40),
}, { tableName: env.POOL_TABLE, timestamps: false });

let stopped = false;
const stop = new Promise((resolve) => {
  process.stdin.on('end', () => { stopped = true; resolve(); }).resume();
});

function row(worker, n, note) {
  return { worker, n, number: worker * 1000000 + n, note };
}

async function transaction(worker, n) {
  await sequelize.transaction(async (t) => {
    await Done.create(row(worker, n, 'a note'), { transaction: t });
    const count = await Done.count({ where: { worker, n, note: 'a note' }, transaction: t });
    if (count !== 1) {
      throw new Error(`${count} rows`);
    }
  });
}

async function single(worker, n) {
  await Done.create(row(worker, n, 'by itself'));
}

async function work(worker) {
  for (let n = 0; !stopped; n += 1) {
    try {
      await (n % 3 === 2 ? single : transaction)(worker, n);
      console.log(`ok ${worker} ${n}`);
    } catch (error) { // whatever it is, the work is not done
      console.log(`failed ${worker} ${n} ${error.name}: ${String(error.message).replace(/\s+/g, ' ')}`);
    }
    if (worker % 4 === 0) {
      await Promise.race([stop, new Promise((resolve) => { setTimeout(resolve, 1500); })]);
    }
  }
}

Promise.all(Array.from({ length: workers }, (_, worker) => work(worker))).then(() => sequelize.close());
