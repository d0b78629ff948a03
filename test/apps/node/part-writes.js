'use strict';

// Many rows at once, transactions, locks.

const { Op, literal } = require('sequelize');
const { step, errorOf } = require('./harness');
const { sequelize, Author, Book, Member, Loan } = require('./models');

const state = async () => (await Member.findAll({ order: ['email'] })).map((member) => [member.email, member.name, member.points]);

step('bulk-create', async () => {
  await Member.bulkCreate([0, 1, 2, 3].map((n) => ({ email: `kanari-b${n}@example.org`, name: `kanari-bulk ${n}`, points: n })));
  await Member.bulkCreate([{ email: 'kanari-b0@example.org', name: 'kanari-ignored' }, { email: 'kanari-b4@example.org', name: 'kanari-bulk 4' }], { ignoreDuplicates: true });
  await Member.bulkCreate([{ email: 'kanari-b1@example.org', name: 'kanari-twice', points: 50 }, { email: 'kanari-b5@example.org', name: 'kanari-bulk 5', points: 5 }],
    { updateOnDuplicate: ['name', 'points'] });
  return state();
});

step('bulk-update', async () => [
  await Member.update({ points: literal('points * 2 + 1') }, { where: { name: { [Op.like]: 'kanari-bulk%' } } }),
  await Member.update({ name: 'kanari-changed' }, { where: { points: { [Op.gte]: 9 }, active: true }, limit: 2 }),
  (await state()).length,
]);

step('bulk-destroy', async () => [
  await Member.destroy({ where: { email: { [Op.like]: 'kanari-b%' }, points: { [Op.lt]: 4 } } }),
  await Loan.destroy({ where: { fee: { [Op.gt]: 2.5 } } }), await Loan.count(),
]);

step('transaction-rolls-back', async () => {
  const before = await state();
  const error = await errorOf(sequelize.transaction(async (transaction) => {
    await Member.update({ points: 0 }, { where: { active: true }, transaction });
    await Member.create({ email: 'kanari-2@example.org', name: 'kanari-double' }, { transaction });
  }));
  return [error, JSON.stringify(before) === JSON.stringify(await state())];
});

step('transaction-commits', async () => {
  await sequelize.transaction({ isolationLevel: 'SERIALIZABLE' }, async (transaction) => {
    const member = await Member.findOne({ where: { email: 'kanari-3@example.org' }, lock: transaction.LOCK.UPDATE, transaction });
    const loans = await Loan.findAll({ where: { memberId: member.id }, lock: transaction.LOCK.SHARE, transaction });
    await member.update({ points: member.points + loans.length }, { transaction });
  });
  return (await Member.findOne({ where: { email: 'kanari-3@example.org' } })).points;
});

step('nested-transaction', async () => {
  const outer = await sequelize.transaction();
  await Author.create({ name: 'kanari-outer' }, { transaction: outer });
  const inner = await sequelize.transaction({ transaction: outer });
  await Author.create({ name: 'kanari-inner' }, { transaction: inner });
  await inner.rollback();
  await outer.commit();
  return Author.count({ where: { name: ['kanari-outer', 'kanari-inner'] } });
});

step('concurrent', async () => {
  await Promise.all([0, 1, 2, 3, 4, 5].map((n) => sequelize.transaction(async (transaction) => {
    await Member.increment('points', { by: n, where: { email: 'kanari-4@example.org' }, transaction });
  })));
  return (await Member.findOne({ where: { email: 'kanari-4@example.org' } })).points;
});

step('self-relation', async () => {
  const [parent, child] = await Member.findAll({ where: { email: ['kanari-0@example.org', 'kanari-1@example.org'] }, order: ['email'] });
  await child.setParent(parent);
  const found = await Member.findAll({ include: [{ association: 'parent', required: true }], order: ['email'] });
  return found.map((member) => [member.name, member.parent.name]);
});

step('cascade', async () => {
  const books = await Book.findAll({ where: { language: 'fr' } });
  for (const book of books) {
    await book.destroy({ force: true });
  }
  return [books.length, await Loan.count(), await Book.count({ paranoid: false })];
});
