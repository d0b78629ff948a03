'use strict';

// Emptying and taking down.

const { step } = require('./harness');
const { sequelize, Loan } = require('./models');
const migrator = require('./migrator');

step('truncate', async () => {
  await Loan.truncate();
  return Loan.count();
});

step('migrate-to-nothing', async () => {
  const undone = await migrator.down({ to: 0 });
  return [undone.map((migration) => migration.name), (await sequelize.getQueryInterface().showAllTables()).map((table) => table.tableName || table)];
});

step('sync-and-drop', async () => {
  await sequelize.sync({ force: true });
  const made = (await sequelize.getQueryInterface().showAllTables()).length;
  await sequelize.drop();
  return made;
});
