package exec

import (
	"strings"
	"testing"
)

// aggregateStatements are queries whose groups are accumulated here. What the
// accumulation of rows depends on is ordered where SQL leaves it open.
var aggregateStatements = []string{
	"SELECT COUNT(1), SUM(2), MAX(3) FROM people",
	"SELECT COUNT(DISTINCT name, tag), COUNT(DISTINCT kind, age) FROM people",
	"SELECT BIT_AND(age), BIT_OR(age), BIT_XOR(age) FROM people",
	"SELECT BIT_AND(age), BIT_OR(age), BIT_XOR(age) FROM people WHERE LENGTH(name) > 100",
	"SELECT kind, BIT_OR(id), BIT_XOR(age) FROM people GROUP BY kind ORDER BY kind",
	"SELECT BIT_OR(age) & 255 FROM people",
	"SELECT STD(age), STDDEV_SAMP(age), VAR_POP(age), VAR_SAMP(age) FROM people",
	"SELECT STDDEV(amount), VARIANCE(amount), STDDEV_POP(kind + age) FROM people",
	"SELECT STD(age), VAR_SAMP(age) FROM people WHERE name = 'carol'",
	"SELECT STD(age), VAR_SAMP(age) FROM people WHERE LENGTH(name) > 100",
	"SELECT kind, STD(age) FROM people GROUP BY kind ORDER BY kind",
	"SELECT MIN(color), MAX(color), MIN(flags), MAX(flags) FROM people",
	"SELECT MAX(color) = 'red' FROM people",
	"SELECT GROUP_CONCAT(name ORDER BY id) FROM people",
	"SELECT GROUP_CONCAT(name ORDER BY name, id DESC SEPARATOR '; ') FROM people",
	"SELECT GROUP_CONCAT(age ORDER BY age, id SEPARATOR '') FROM people",
	"SELECT GROUP_CONCAT(id ORDER BY amount DESC, born, id) FROM people",
	"SELECT GROUP_CONCAT(id, ':', color, ':', flags ORDER BY color, id SEPARATOR '\\n') FROM people",
	"SELECT GROUP_CONCAT(DISTINCT age) FROM people",
	"SELECT GROUP_CONCAT(DISTINCT age ORDER BY age DESC) FROM people",
	"SELECT GROUP_CONCAT(DISTINCT amount, kind) FROM people",
	"SELECT GROUP_CONCAT(DISTINCT town SEPARATOR '''') FROM people WHERE name LIKE '%o%'",
	"SELECT kind, GROUP_CONCAT(name ORDER BY id) FROM people GROUP BY kind ORDER BY kind",
	"SELECT kind, GROUP_CONCAT(name ORDER BY id) AS n FROM people GROUP BY kind HAVING n LIKE '%a%' ORDER BY n",
	"SELECT GROUP_CONCAT(note ORDER BY id) FROM people WHERE LENGTH(name) > 100",
	"SELECT LENGTH(GROUP_CONCAT(name ORDER BY id)), UPPER(GROUP_CONCAT(tag ORDER BY id)) FROM people",
	"SELECT GROUP_CONCAT(made ORDER BY made, id), GROUP_CONCAT(at ORDER BY at, id) FROM people WHERE age > 0",
	"SELECT GROUP_CONCAT(CONCAT(name, '=', IFNULL(age, 'none')) ORDER BY id) FROM people",
	"SELECT GROUP_CONCAT(name ORDER BY age, name) FROM people WHERE age IS NULL OR age < 1",
}

// TestLocalAggregates: groups are accumulated as by a plain server.
func TestLocalAggregates(t *testing.T) {
	onPeople(t, func(p *pair) {
		for _, s := range aggregateStatements {
			p.bag(s)
		}
		if p.mariadb() {
			p.bag("SELECT GROUP_CONCAT(name ORDER BY id DESC LIMIT 3) FROM people")
			p.bag("SELECT kind, GROUP_CONCAT(DISTINCT age ORDER BY age LIMIT 1, 2) FROM people GROUP BY kind ORDER BY kind")
			p.bag("SELECT GROUP_CONCAT(age LIMIT 0) FROM people")
		}
	})
}

// TestConcatMax: a GROUP_CONCAT that the server would cut is refused, and
// group_concat_max_len is the session's.
func TestConcatMax(t *testing.T) {
	onPeople(t, func(p *pair) {
		const names = "SELECT GROUP_CONCAT(name ORDER BY id) FROM people"
		p.same("SET group_concat_max_len = 44")
		p.bag(names)
		p.same("SET group_concat_max_len = 43")
		if _, tunnel := p.text(names); tunnel.err == nil || !strings.HasPrefix(tunnel.err.Message, "TUNIC-2011") {
			p.t.Error("what the server would cut is not refused")
		}
		p.bag("SELECT kind, GROUP_CONCAT(name ORDER BY id) FROM people GROUP BY kind ORDER BY kind")
		p.same("SET SESSION group_concat_max_len = DEFAULT")
		p.bag(names)
	})
}

// TestRollup: groups of groups are those of a plain server. What ORDER BY leaves open
// is compared in any order.
func TestRollup(t *testing.T) {
	onPeople(t, func(p *pair) {
		for _, s := range []string{
			"SELECT age, COUNT(*) FROM people GROUP BY age WITH ROLLUP",
			"SELECT kind, age, COUNT(*), SUM(amount), AVG(age), MAX(age) FROM people GROUP BY kind, age WITH ROLLUP",
			"SELECT color, kind, COUNT(DISTINCT age) FROM people GROUP BY color, kind WITH ROLLUP",
			"SELECT IFNULL(age, 'all'), age + 1, age IS NULL, SUM(age) FROM people GROUP BY age WITH ROLLUP",
			"SELECT kind, age, SUM(age) FROM people GROUP BY kind, age WITH ROLLUP HAVING COUNT(*) > 1",
			"SELECT kind, SUM(age) FROM people GROUP BY kind WITH ROLLUP HAVING kind IS NULL",
			"SELECT kind, COUNT(age) FROM people WHERE LENGTH(name) > 100 GROUP BY kind WITH ROLLUP",
			"SELECT SUM(age) FROM people GROUP BY kind, color WITH ROLLUP",
			"SELECT born, made, COUNT(*) FROM people GROUP BY born, made WITH ROLLUP",
			"SELECT kind, age, SUM(amount) AS s FROM people GROUP BY kind, age WITH ROLLUP ORDER BY kind, age, s",
			"SELECT age, GROUP_CONCAT(name ORDER BY id) FROM people GROUP BY 1 WITH ROLLUP",
		} {
			p.bag(s)
		}
		p.each("SELECT age, COUNT(*) FROM people GROUP BY age WITH ROLLUP LIMIT 4", "SELECT kind, age, COUNT(*) FROM people GROUP BY kind, age WITH ROLLUP")
	})
}
