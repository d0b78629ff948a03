'use strict';

// Questions: conditions, includes, pages with counts, aggregates, documents.

const { Op, col, fn, literal, where } = require('sequelize');
const { step } = require('./harness');
const { sequelize, Author, Book, Member, Loan } = require('./models');

const isbns = async (options) => (await Book.findAll({ attributes: ['isbn'], order: ['isbn'], raw: true, ...options })).map((book) => book.isbn);

step('conditions', async () => ({
  like: await isbns({ where: { title: { [Op.like]: 'kanari-t%' } } }),
  between: await isbns({ where: { pages: { [Op.between]: [110, 150] } } }),
  in: await isbns({ where: { isbn: ['978-1', '978-2', 'none'] } }),
  or: await isbns({ where: { [Op.or]: [{ price: { [Op.lt]: 11 } }, { language: 'fr' }] } }),
  not: await isbns({ where: { language: { [Op.ne]: 'de' }, weight: { [Op.not]: null } } }),
  regexp: await isbns({ where: { title: { [Op.regexp]: 'e [2-5]$' } } }),
  lower: await isbns({ where: where(fn('lower', col('title')), 'kanari-title 5') }),
  serial: await isbns({ where: { serial: '7731415926535897935' } }),
  bytes: await isbns({ where: { cover: Buffer.from([0, 5, 255]) } }),
  substring: await isbns({ where: { text: { [Op.substring]: 'text kanari' }, title: { [Op.startsWith]: 'kanari-' } } }),
}));

step('documents', async () => {
  const names = async (condition) => (await Member.findAll({ where: condition, order: ['email'] })).map((member) => member.name);
  return [
    await names({ 'settings.theme': 'kanari-dark' }), await names({ settings: { theme: 'light' } }),
    await names({ settings: { sizes: { 0: 2 } } }), await names({ settings: { theme: { [Op.like]: 'kanari%' }, sizes: { 0: { [Op.gte]: 3 } } } }),
    await names(sequelize.where(fn('JSON_EXTRACT', col('settings'), literal("'$.sizes[0]'")), { [Op.gt]: 2 })),
    await names({ settings: null }),
  ];
});

step('pages-with-counts', async () => {
  const pages = [];
  for (let offset = 0; offset < 12; offset += 4) {
    const { count, rows } = await Book.findAndCountAll({ order: [['price', 'DESC'], ['isbn', 'ASC']], limit: 4, offset });
    pages.push([count, rows.map((book) => [book.isbn, book.price])]);
  }
  return pages;
});

step('pages-of-includes', async () => {
  const { count, rows } = await Book.findAndCountAll({
    include: [{ model: Author, where: { name: { [Op.like]: 'kanari-author%' } } }], distinct: true, order: [['isbn', 'DESC']], limit: 3, offset: 1,
  });
  return [count, rows.map((book) => [book.isbn, book.authors.map((author) => author.name).sort()])];
});

step('include', async () => {
  const members = await Member.findAll({
    include: [{ model: Loan, include: [{ model: Book, attributes: ['title'] }] }],
    order: [['email', 'ASC'], [Loan, 'from', 'ASC']],
  });
  return members.map((member) => [member.email, member.loans.map((loan) => [loan.from, loan.fee, loan.book.title])]);
});

step('include-separately', async () => {
  const members = await Member.findAll({ include: [{ model: Loan, separate: true, order: [['from', 'DESC']], limit: 2 }], order: ['email'] });
  return members.map((member) => [member.email, member.loans.map((loan) => loan.from)]);
});

step('required-include', async () => {
  const loans = await Loan.findAll({
    include: [{ model: Member, required: true, where: { active: true } }, { model: Book.scope('german'), required: true }], order: [['from', 'ASC']],
  });
  return loans.map((loan) => [loan.member.name, loan.book.title]);
});

step('aggregates', async () => [
  await Book.sum('pages'), await Book.max('price'), await Book.min('title'),
  await Book.aggregate('price', 'avg', { dataType: 'string' }),
  await Book.count({ where: { language: 'de' } }), await Loan.count({ distinct: true, col: 'member_id' }),
]);

step('group-by', async () => {
  const languages = await Book.findAll({
    attributes: ['language', [fn('COUNT', col('id')), 'n'], [fn('SUM', col('price')), 'sum'], [fn('MAX', col('pages')), 'most']],
    group: ['language'], having: literal('COUNT(id) > 2'), order: [['language', 'ASC']], raw: true,
  });
  const borrowed = await Loan.findAll({
    attributes: ['member.name', [fn('SUM', col('fee')), 'fees']], include: [{ model: Member, attributes: [] }],
    group: ['member.name'], order: [[col('fees'), 'DESC']], raw: true,
  });
  return [languages, borrowed];
});

step('expressions', async () => Book.findAll({
  attributes: [
    [fn('upper', col('title')), 'upper'], [fn('length', col('text')), 'length'], [literal('price * 2'), 'twice'], [fn('concat', col('isbn'), '/', col('title')), 'both'],
    [literal('CASE WHEN pages > 130 THEN \'long\' ELSE \'short\' END'), 'size'], [fn('coalesce', col('weight'), 0), 'weight'],
  ],
  order: ['isbn'],
  raw: true,
}));

step('subqueries', async () => isbns({
  where: { id: { [Op.in]: literal('(SELECT book_id FROM loans WHERE fee > 1.50)') } },
}));

step('raw-queries', async () => {
  const rows = await sequelize.query(
    'SELECT b.title, COUNT(l.id) AS n FROM books b LEFT JOIN loans l ON l.book_id = b.id WHERE b.title LIKE :like GROUP BY b.id, b.title ORDER BY n DESC, b.title',
    { replacements: { like: 'kanari-%' }, type: sequelize.QueryTypes.SELECT });
  const bound = await sequelize.query('SELECT name FROM members WHERE points > $1 ORDER BY name', { bind: [5], type: sequelize.QueryTypes.SELECT });
  return [rows, bound];
});

step('nulls-and-order', async () => (await Book.findAll({ order: [['weight', 'ASC'], ['isbn', 'ASC']] })).map((book) => [book.isbn, book.weight]));
