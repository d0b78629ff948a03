'use strict';

// The models of a library: books, their authors, members who borrow them.

const { DataTypes, Model } = require('sequelize');
const sequelize = require('./database');

class Author extends Model {}
Author.init({
  name: { type: DataTypes.STRING(80), allowNull: false, validate: { notEmpty: true } },
  born: DataTypes.DATEONLY,
  details: DataTypes.JSON,
}, { sequelize, modelName: 'author' });

class Book extends Model {}
Book.init({
  isbn: { type: DataTypes.STRING(20), allowNull: false, unique: 'isbn' },
  title: { type: DataTypes.STRING(120), allowNull: false },
  pages: { type: DataTypes.INTEGER.UNSIGNED, defaultValue: 100 },
  price: { type: DataTypes.DECIMAL(8, 2), allowNull: false },
  weight: DataTypes.DOUBLE,
  language: { type: DataTypes.ENUM('de', 'en', 'fr'), defaultValue: 'en' },
  cover: DataTypes.BLOB,
  text: DataTypes.TEXT,
  key: { type: DataTypes.UUID },
  serial: DataTypes.BIGINT,
  shown: {
    type: DataTypes.VIRTUAL,
    get() { return `${this.title} (${this.pages})`; },
  },
}, {
  sequelize,
  modelName: 'book',
  paranoid: true,
  version: true,
  scopes: { german: { where: { language: 'de' } } },
});

class Member extends Model {}
Member.init({
  email: { type: DataTypes.STRING(100), allowNull: false, unique: 'email' },
  name: { type: DataTypes.STRING(60), allowNull: false },
  active: { type: DataTypes.BOOLEAN, defaultValue: true },
  points: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
  settings: { type: DataTypes.JSON },
  opens: DataTypes.TIME,
  parentId: { type: DataTypes.INTEGER, field: 'parent_id' },
}, { sequelize, modelName: 'member' });

class Loan extends Model {}
Loan.init({
  from: { type: DataTypes.DATE(3), allowNull: false },
  until: DataTypes.DATE,
  fee: { type: DataTypes.DECIMAL(6, 2), defaultValue: '0.00' },
}, { sequelize, modelName: 'loan' });

class Wrote extends Model {}
Wrote.init({
  share: { type: DataTypes.INTEGER, defaultValue: 100 },
}, { sequelize, modelName: 'wrote', tableName: 'wrote', timestamps: false });

Author.belongsToMany(Book, { through: Wrote });
Book.belongsToMany(Author, { through: Wrote });
Book.hasMany(Loan, { onDelete: 'CASCADE' });
Loan.belongsTo(Book);
Member.hasMany(Loan, { onDelete: 'CASCADE' });
Loan.belongsTo(Member);
Member.belongsTo(Member, { as: 'parent', foreignKey: 'parentId' });

module.exports = { sequelize, Author, Book, Member, Loan, Wrote };
