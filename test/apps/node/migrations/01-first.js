'use strict';

// The first tables, as they were before members had settings and parents.

const { DataTypes } = require('sequelize');

const id = { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true };
const stamps = {
  created_at: { type: DataTypes.DATE, allowNull: false },
  updated_at: { type: DataTypes.DATE, allowNull: false },
};
const reference = (model, rule) => ({
  type: DataTypes.INTEGER, references: { model, key: 'id' }, onDelete: rule, onUpdate: 'NO ACTION',
});

exports.up = async ({ context }) => {
  await context.createTable('authors', {
    id,
    name: { type: DataTypes.STRING(80), allowNull: false },
    born: DataTypes.DATEONLY,
    details: DataTypes.JSON,
    ...stamps,
  });
  await context.createTable('books', {
    id,
    isbn: { type: DataTypes.STRING(20), allowNull: false, unique: true },
    title: { type: DataTypes.STRING(60), allowNull: false },
    pages: { type: DataTypes.INTEGER.UNSIGNED, defaultValue: 100 },
    price: { type: DataTypes.DECIMAL(8, 2), allowNull: false },
    weight: DataTypes.DOUBLE,
    language: { type: DataTypes.ENUM('de', 'en'), defaultValue: 'en' },
    cover: DataTypes.BLOB,
    text: DataTypes.TEXT,
    key: DataTypes.UUID,
    serial: DataTypes.BIGINT,
    version: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
    ...stamps,
    deleted_at: DataTypes.DATE,
  });
  await context.createTable('members', {
    id,
    email: { type: DataTypes.STRING(100), allowNull: false },
    full_name: { type: DataTypes.STRING(60), allowNull: false },
    active: { type: DataTypes.BOOLEAN, defaultValue: true },
    ...stamps,
  });
  await context.createTable('loans', {
    id,
    from: { type: DataTypes.DATE(3), allowNull: false },
    until: DataTypes.DATE,
    fee: { type: DataTypes.DECIMAL(6, 2), defaultValue: '0.00' },
    book_id: reference('books', 'CASCADE'),
    member_id: reference('members', 'CASCADE'),
    ...stamps,
  });
  await context.createTable('wrote', {
    share: { type: DataTypes.INTEGER, defaultValue: 100 },
    author_id: { ...reference('authors', 'CASCADE'), primaryKey: true },
    book_id: { ...reference('books', 'CASCADE'), primaryKey: true },
  });
};

exports.down = async ({ context }) => {
  for (const table of ['wrote', 'loans', 'members', 'books', 'authors']) {
    await context.dropTable(table);
  }
};
