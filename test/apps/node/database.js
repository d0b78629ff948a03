'use strict';

// The connection of the scenario: Sequelize's pool over mysql2.

const fs = require('node:fs');
const { Sequelize } = require('sequelize');

const env = process.env;

module.exports = new Sequelize(env.APP_DATABASE, env.APP_USER, env.APP_PASSWORD, {
  dialect: 'mysql',
  host: env.APP_HOST,
  port: Number(env.APP_PORT),
  logging: false,
  timezone: '+00:00',
  pool: { max: 4 },
  define: { underscored: true },
  dialectOptions: {
    supportBigNumbers: true,
    ssl: { ca: fs.readFileSync(env.APP_CA), checkServerIdentity: () => undefined },
  },
});
