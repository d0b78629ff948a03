'use strict';

// Migrations, with rows of before, the way back, and what the schema says.

const { step } = require('./harness');
const sequelize = require('./database');
const migrator = require('./migrator');

const queries = sequelize.getQueryInterface();
const names = (migrations) => migrations.map((migration) => migration.name);
const now = new Date('2024-01-02T03:04:05Z');

step('authenticate', () => sequelize.authenticate());

step('migrate-first', async () => names(await migrator.up({ to: '01-first.js' })));

step('fill-first', async () => {
  await queries.bulkInsert('members', [0, 1, 2].map((n) => ({
    email: `kanari-old${n}@example.org`, full_name: `kanari-old ${n}`, active: n !== 1, created_at: now, updated_at: now,
  })));
  const [rows] = await sequelize.query('SELECT email, full_name, active FROM members ORDER BY email');
  return rows;
});

step('migrate-rest', async () => names(await migrator.up()));

step('first-rows-are-kept', async () => {
  const [rows] = await sequelize.query('SELECT email, name, active, points, settings, parent_id FROM members ORDER BY email');
  return rows;
});

step('migrate-back-and-forth', async () => [
  names(await migrator.down()), names(await migrator.pending()), names(await migrator.up()), names(await migrator.executed()),
]);

step('describe', async () => {
  const all = {};
  for (const table of ['authors', 'books', 'members', 'loans', 'wrote']) {
    all[table] = await queries.describeTable(table);
  }
  return all;
});

step('show-indexes', async () => {
  const indexes = await queries.showIndex('members');
  return indexes.map((index) => [index.name, index.unique, index.primary, index.fields.map((field) => field.attribute)]);
});

step('show-constraints', async () => {
  const constraints = await queries.showConstraint('loans');
  return constraints.map((constraint) => [constraint.constraintName, constraint.constraintType]).sort();
});

step('show-foreign-keys', async () => {
  const keys = await queries.getForeignKeyReferencesForTable('loans');
  return keys.map((key) => [key.columnName, key.referencedTableName, key.referencedColumnName]).sort();
});

step('show-tables', async () => (await queries.showAllTables()).map((table) => table.tableName || table).sort());

step('sync-changes-nothing', async () => {
  require('./models');
  await sequelize.sync();
  return (await queries.showAllTables()).length;
});
