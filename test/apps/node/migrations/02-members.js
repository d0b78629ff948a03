'use strict';

// Members get settings, points and parents; titles get longer.

const { DataTypes } = require('sequelize');

exports.up = async ({ context }) => {
  await context.renameColumn('members', 'full_name', 'name');
  await context.addColumn('members', 'points', { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 });
  await context.addColumn('members', 'settings', { type: DataTypes.JSON });
  await context.addColumn('members', 'opens', { type: DataTypes.TIME });
  await context.addColumn('members', 'parent_id', { type: DataTypes.INTEGER });
  await context.addConstraint('members', {
    type: 'foreign key', name: 'members_parent', fields: ['parent_id'], references: { table: 'members', field: 'id' },
  });
  await context.addIndex('members', ['email'], { unique: true, name: 'email' });
  await context.addIndex('loans', { fields: ['from', 'until'], name: 'loans_from' });
  await context.changeColumn('books', 'title', { type: DataTypes.STRING(120), allowNull: false });
  await context.changeColumn('books', 'language', { type: DataTypes.ENUM('de', 'en', 'fr'), defaultValue: 'en' });
  await context.bulkUpdate('members', { points: 5 }, { active: true });
};

exports.down = async ({ context }) => {
  await context.changeColumn('books', 'title', { type: DataTypes.STRING(60), allowNull: false });
  await context.removeIndex('loans', 'loans_from');
  await context.removeIndex('members', 'email');
  await context.removeConstraint('members', 'members_parent');
  for (const column of ['parent_id', 'opens', 'settings', 'points']) {
    await context.removeColumn('members', column);
  }
  await context.renameColumn('members', 'name', 'full_name');
};
