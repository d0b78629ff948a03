'use strict';

// Models and their associations: made, found, changed.

const { step, errorOf } = require('./harness');
const { sequelize, Author, Book, Member, Loan } = require('./models');

const day = (n, hour = 8) => new Date(Date.UTC(2024, 0, 1 + n, hour, 0, 0, 250));

step('fill', async () => {
  const authors = await Author.bulkCreate([0, 1, 2, 3].map((n) => ({
    name: `kanari-author ${n}`, born: n === 3 ? null : `19${40 + n}-02-03`, details: { country: n % 2 ? 'kanari-CH' : 'kanari-DE', prizes: [n, 'x'] },
  })));
  for (let n = 0; n < 10; n += 1) {
    const book = await Book.create({
      isbn: `978-${n}`, title: `kanari-${n % 3 === 0 ? 'Ärger' : 'title'} ${n}`, pages: 100 + 10 * n, price: (9.95 + n).toFixed(2),
      weight: n % 4 === 0 ? null : n / 16, language: ['de', 'en', 'fr'][n % 3], cover: n % 2 ? Buffer.from([0, n, 255]) : null,
      text: 'kanari-text '.repeat(n), key: `30000000-0000-4000-8000-00000000000${n}`, serial: `773141592653589793${n}`,
    });
    await book.addAuthors([authors[n % 4], authors[(n + 1) % 4]], { through: { share: 50 } });
  }
  const members = await Member.bulkCreate([0, 1, 2, 3, 4].map((n) => ({
    email: `kanari-${n}@example.org`, name: `kanari-member ${n}`, active: n !== 2, points: n * 3, opens: `0${n}:30:00`,
    settings: n ? { theme: n % 2 ? 'kanari-dark' : 'light', sizes: [n] } : null,
  })));
  const books = await Book.findAll({ order: ['isbn'] });
  for (let n = 0; n < 12; n += 1) {
    await Loan.create({
      bookId: books[n % 7].id, memberId: members[n % 4].id, from: day(n), until: n % 3 ? day(n + 14) : null, fee: (n / 4).toFixed(2),
    });
  }
  return [await Author.count(), await Book.count(), await Member.count(), await Loan.count()];
});

step('find-one', async () => {
  const book = await Book.findOne({ where: { isbn: '978-3' } });
  const { id, createdAt, updatedAt, ...rest } = book.get();
  return [rest, createdAt instanceof Date, book.version];
});

step('update-instance', async () => {
  const book = await Book.findOne({ where: { isbn: '978-3' } });
  await book.update({ title: 'kanari-renamed', price: '1.50' });
  await book.reload();
  return [book.title, book.price, book.version, book.shown];
});

step('optimistic-lock', async () => {
  const [a, b] = await Promise.all([Book.findOne({ where: { isbn: '978-4' } }), Book.findOne({ where: { isbn: '978-4' } })]);
  await a.update({ pages: 7 });
  return [await errorOf(b.update({ pages: 8 })), (await Book.findOne({ where: { isbn: '978-4' } })).pages];
});

step('increment', async () => {
  const member = await Member.findOne({ where: { email: 'kanari-1@example.org' } });
  await member.increment({ points: 10 });
  await Member.decrement('points', { by: 1, where: { active: true } });
  return (await Member.findAll({ order: ['email'] })).map((one) => one.points);
});

step('find-or-create', async () => {
  const found = [];
  for (let n = 0; n < 2; n += 1) {
    const [author, made] = await Author.findOrCreate({ where: { name: 'kanari-found' }, defaults: { born: '1950-05-05' } });
    found.push([author.born, made]);
  }
  return found;
});

step('upsert', async () => {
  await Member.upsert({ email: 'kanari-1@example.org', name: 'kanari-upserted', points: 77 });
  await Member.upsert({ email: 'kanari-9@example.org', name: 'kanari-new', points: 1 });
  return (await Member.findAll({ where: { points: [77, 1] }, order: ['email'] })).map((one) => [one.email, one.name, one.points]);
});

step('associations', async () => {
  const book = await Book.findOne({ where: { isbn: '978-1' } });
  const before = (await book.getAuthors({ order: ['name'] })).map((author) => [author.name, author.wrote.share]);
  const others = await Author.findAll({ where: { born: null } });
  await book.setAuthors(others);
  const after = (await book.getAuthors()).map((author) => author.name);
  return [before, after, await book.countLoans(), await book.hasAuthor(others[0])];
});

step('violations', async () => ({
  unique: await errorOf(Member.create({ email: 'kanari-2@example.org', name: 'kanari-again' })),
  missing: await errorOf(sequelize.getQueryInterface().bulkInsert('members', [{ email: 'x', created_at: day(0), updated_at: day(0) }])),
  validation: await errorOf(Author.create({ name: '' })),
  reference: await errorOf(Loan.create({ from: day(0), bookId: 999999 })),
}));

step('paranoid', async () => {
  const book = await Book.findOne({ where: { isbn: '978-9' } });
  await book.destroy();
  const counts = [await Book.count(), await Book.count({ paranoid: false })];
  await book.restore();
  return [counts, await Book.count()];
});
