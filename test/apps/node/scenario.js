'use strict';

// The scenario of Sequelize: a library is migrated, filled, asked and changed. Every
// step's result is one line; see ../README.md.

const { runSteps } = require('./harness');
const sequelize = require('./database');

// Each has the steps of one part, in this order.
require('./part-migrations');
require('./part-models');
require('./part-queries');
require('./part-writes');
require('./part-later');

runSteps().then(async (status) => {
  await sequelize.close();
  process.exitCode = status;
});
