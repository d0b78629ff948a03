package exec

// treeAnswers are queries and their answers, as both servers give them: the oracle has
// been asked.
var treeAnswers = []struct {
	statement string
	rows      string // with spaces between them, in any order but where it is the statement's
}{
	{"SELECT p.id, b.id FROM p JOIN b ON b.who = p.id", "1,1 1,2 3,3"},
	{"SELECT p.id, b.id FROM p LEFT JOIN b ON b.who = p.id", "1,1 1,2 2,NULL 3,3 4,NULL"},
	{"SELECT p.id, b.id FROM p LEFT JOIN b ON b.who = p.id AND b.price > 2", "1,2 2,NULL 3,NULL 4,NULL"},
	{"SELECT p.id FROM p LEFT JOIN b ON b.who = p.id WHERE b.id IS NULL", "2 4"},
	{"SELECT p.id, b.id FROM p RIGHT JOIN b ON b.who = p.id", "1,1 1,2 3,3 NULL,4 NULL,5"},
	{"SELECT p.id, b.id FROM p JOIN b ON b.name = p.name", "1,1 2,2 3,5"},
	{"SELECT p.id, b.id FROM p JOIN b ON b.price = p.money", "1,1 2,2"},
	{"SELECT p.id, b.id FROM p JOIN b ON b.price = p.age", "1,4 3,4"},
	{"SELECT p.id, b.id FROM p JOIN b ON b.day = p.born", "1,1 3,4 4,1"},
	{"SELECT p.id, b.id FROM p JOIN b ON p.money < b.price AND p.id > b.id", "4,1 4,2"},
	{"SELECT x.id, y.id FROM p x JOIN p y ON x.age = y.age AND x.id < y.id", "1,3"},
	{"SELECT p.id, b.id, n.id FROM p LEFT JOIN (b JOIN none n ON n.a = b.id) ON b.who = p.id", "1,NULL,NULL 2,NULL,NULL 3,NULL,NULL 4,NULL,NULL"},
	{"SELECT COUNT(*) FROM p, b", "20"},
	{"SELECT COUNT(*), COUNT(p.age) FROM p JOIN none n ON n.a = p.id", "0,0"},
	{"SELECT p.age, COUNT(*), SUM(b.price) FROM p JOIN b ON b.who = p.id GROUP BY p.age", "30,3,4.000"},
	{"SELECT p.id FROM p JOIN b ON b.who = p.id ORDER BY b.price DESC, b.id LIMIT 2", "1 1"},

	{"SELECT id FROM p WHERE id IN (SELECT who FROM b)", "1 3"},
	{"SELECT id FROM p WHERE id NOT IN (SELECT who FROM b)", ""},
	{"SELECT id FROM p WHERE id NOT IN (SELECT who FROM b WHERE who > 0)", "2 4"},
	{"SELECT id FROM p WHERE age NOT IN (SELECT a FROM none)", "1 2 3 4"},
	{"SELECT id, age IN (SELECT price FROM b) FROM p", "1,1 2,NULL 3,1 4,NULL"},
	{"SELECT id, age NOT IN (SELECT id FROM b) FROM p", "1,1 2,NULL 3,1 4,1"},
	{"SELECT id, (id, age) IN (SELECT who, price FROM b) FROM p", "1,NULL 2,NULL 3,NULL 4,0"},
	{"SELECT id, (id, name) NOT IN (SELECT who, name FROM b) FROM p", "1,0 2,NULL 3,NULL 4,NULL"},
	{"SELECT id, age > ALL (SELECT price FROM b), age > ANY (SELECT price FROM b) FROM p", "1,0,1 2,NULL,NULL 3,0,1 4,0,1"},
	{"SELECT id, age > ALL (SELECT a FROM none), age > ANY (SELECT a FROM none) FROM p", "1,1,0 2,1,0 3,1,0 4,1,0"},
	{"SELECT id FROM p WHERE EXISTS (SELECT 1 FROM b WHERE b.who = p.id AND b.price > 2)", "1"},
	{"SELECT id FROM p WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.price > p.money)", "3"},
	{"SELECT id, (SELECT COUNT(*) FROM b WHERE b.who = p.id) FROM p", "1,2 2,0 3,1 4,0"},
	{"SELECT id, (SELECT MAX(price) FROM b WHERE b.who = p.id) FROM p", "1,2.500 2,NULL 3,NULL 4,NULL"},
	{"SELECT id FROM p WHERE age > (SELECT AVG(price) FROM b)", "1 3"},
	{"SELECT id FROM p WHERE age = (SELECT MAX(age) FROM p) ORDER BY id DESC", "3 1"},
	{"SELECT id, (SELECT a FROM none) FROM p WHERE id < 3", "1,NULL 2,NULL"},
	{"SELECT id FROM p WHERE 1 = (SELECT COUNT(*) FROM b WHERE b.who = p.id AND EXISTS (SELECT 1 FROM p q WHERE q.id > p.id AND q.age < 10))", "3"},

	{"SELECT age FROM p UNION SELECT who FROM b", "1 3 30 7 9 NULL"},
	{"SELECT age FROM p UNION ALL SELECT who FROM b", "1 1 3 30 30 7 9 NULL NULL"},
	{"SELECT money FROM p UNION SELECT price FROM b", "-1.500 1.500 2.500 30.000 7.125 NULL"},
	{"SELECT name FROM p UNION SELECT name FROM b", "Bob NULL ann cid x"},
	{"SELECT id, NULL FROM none UNION ALL SELECT 5, name FROM p WHERE id = 2", "5,Bob"},
	{"SELECT id FROM p UNION ALL SELECT id FROM b ORDER BY id DESC LIMIT 3", "5 4 4"},
	{"(SELECT id FROM p ORDER BY id LIMIT 1) UNION ALL (SELECT id FROM b ORDER BY id DESC LIMIT 1)", "1 5"},

	{"SELECT d.n FROM (SELECT COUNT(*) AS n, age FROM p GROUP BY age) d WHERE d.n > 1", "2"},
	{"SELECT d.a + 0 FROM (SELECT AVG(age) AS a FROM p) d", "22.3333"},
	{"SELECT x.id, y.id FROM (SELECT id, age FROM p) x JOIN (SELECT id, age FROM p) y ON x.age = y.age AND x.id < y.id", "1,3"},
	{"WITH c AS (SELECT id, age FROM p WHERE age > 10) SELECT x.id, y.id FROM c x LEFT JOIN c y ON y.id > x.id", "1,3 3,NULL"},
	{"SELECT p.id, d.n FROM p, LATERAL (SELECT COUNT(*) AS n FROM b WHERE b.who = p.id) AS d", "1,2 2,0 3,1 4,0"},
}
