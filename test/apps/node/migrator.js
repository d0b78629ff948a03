'use strict';

// The migrations of the scenario, kept account of by Umzug in a table of its own.

const path = require('node:path');
const { SequelizeStorage, Umzug } = require('umzug');
const sequelize = require('./database');

module.exports = new Umzug({
  migrations: { glob: ['migrations/*.js', { cwd: path.resolve(__dirname) }] },
  context: sequelize.getQueryInterface(),
  storage: new SequelizeStorage({ sequelize }),
  logger: undefined,
});
