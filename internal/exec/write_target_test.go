package exec

import (
	"fmt"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/exec/change"
	"tunic/internal/recipe"
	"tunic/internal/value"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// sales is a table beside that of stock, whose rows refer to it.
func (r *rig) sales() {
	r.table(
		"sales", []col{
			{name: "no", typ: "INT", protect: "equality"},
			{name: "item", typ: "INT", protect: "sealed", null: true},
			{name: "n", typ: "INT", protect: "order", null: true},
			{name: "price", typ: "DECIMAL(10,2)", protect: "sealed", null: true},
			{name: "place", typ: "VARCHAR(12)", protect: "plain", null: true},
		}, primary("no"),
	)
}

var sold = []string{
	"INSERT INTO sales (no, item, n, price, place) VALUES (1, 1, 5, 1.50, 'x'), (2, 2, 7, 2.00, 'y'), (3, 4, NULL, NULL, NULL), (4, 9, 1, 0.10, 'z')",
}

// severalTables are statements that write rows which they find in several tables.
var severalTables = []string{
	"UPDATE stock JOIN sales ON sales.item = stock.id SET stock.k = stock.k - sales.n",
	"UPDATE stock JOIN sales ON sales.item = stock.id SET stock.k = sales.n, stock.name = 'sold', stock.town = 'gone'",
	"UPDATE stock LEFT JOIN sales ON sales.item = stock.id SET stock.name = 'left', sales.n = 0",
	"UPDATE stock s, sales t SET s.town = t.place WHERE t.item = s.id AND t.n > 1",
	"UPDATE stock s, sales t SET s.k = s.k + 0, t.n = t.n WHERE t.item = s.id",
	"UPDATE stock s JOIN sales t ON t.item = s.id SET s.price = t.price / 3, t.place = 'there'",
	"UPDATE stock s JOIN sales t ON t.item = s.id SET s.k = 99999999999",
	"UPDATE IGNORE stock s JOIN sales t ON t.item = s.id SET s.k = 99999999999 WHERE s.id = 2",
	"UPDATE stock s JOIN sales t ON t.item = s.id SET s.name = CONCAT(s.name, ' with a long tail') WHERE s.id = 1",
	"UPDATE stock s JOIN sales t ON t.item = s.id SET t.place = 'much longer than it may be' WHERE s.id = 1",
	"UPDATE stock s JOIN sales t ON t.item = s.id SET s.code = 'c' WHERE t.no = 1",
	"UPDATE stock s JOIN sales t ON t.item = s.id SET s.code = NULL WHERE t.no = 1",
	"UPDATE stock s JOIN sales t ON t.item = s.id SET s.big = DEFAULT, s.k = DEFAULT WHERE t.no = 1",
	"UPDATE stock s JOIN sales t ON t.item = s.id SET s.k = 1 WHERE s.id = 99",
	"UPDATE stock SET k = (SELECT MAX(n) FROM sales), name = 'q' WHERE id < 3 ORDER BY id",
	"UPDATE stock SET price = (SELECT SUM(price) FROM sales WHERE item = stock.id) ORDER BY id LIMIT 2",
	"UPDATE stock SET price = (SELECT AVG(price) FROM sales WHERE item = 2)",
	"UPDATE stock JOIN sales ON sales.item = stock.id SET stock.rate = stock.rate * 2, stock.day = DATE_ADD(stock.day, INTERVAL sales.n DAY)",
	"DELETE stock FROM stock JOIN sales ON sales.item = stock.id",
	"DELETE stock, sales FROM stock JOIN sales ON sales.item = stock.id WHERE sales.n IS NOT NULL",
	"DELETE FROM a, b USING stock AS a LEFT JOIN sales AS b ON b.item = a.id",
	"DELETE s FROM stock s WHERE s.name LIKE '%o%'",
	"DELETE s FROM stock s JOIN stock t ON s.id < t.id",
	"DELETE sales FROM sales LEFT JOIN stock ON stock.id = sales.item WHERE stock.id IS NULL",
	"DELETE stock FROM stock JOIN sales ON sales.item = stock.id WHERE stock.id = 99",
}

// TestIgnoredErrors: MySQL leaves a row as it is whose change has an error, and does not
// count it; MariaDB counts it or not, as it has planned, so that tunic refuses it.
func TestIgnoredErrors(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		const statement = "UPDATE IGNORE stock s JOIN sales t ON t.item = s.id SET s.code = 'c', t.n = 12 WHERE t.no = 1"
		r.stock()
		r.sales()
		p := r.pair(t, wiretest.ClientCaps)
		p.each(filled...)
		p.each(sold...)
		if r.flavor == value.MySQL {
			p.wrote(statement)
		} else if _, tunnel := p.text(statement); tunnel.err == nil {
			t.Error("it is not refused")
		} else {
			p.text("UPDATE sales SET n = 5 WHERE no = 1") // as it still is through tunic
		}
		p.each(allStock, "SELECT * FROM sales ORDER BY no")
	})
}

// byTwoNames sets columns of one row by two names of its table.
const byTwoNames = "UPDATE stock s JOIN stock t ON s.id + 1 = t.id SET s.k = t.k, t.name = s.name"

// TestFamilyByTwoNames: columns of one family, which are written together, are not set by two names of their table.
func TestFamilyByTwoNames(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.families = true
		r.stock()
		p := r.pair(t, wiretest.ClientCaps)
		p.each(filled...)
		p.each("COMMIT")
		if _, err := p.tunnel.Query(byTwoNames); err == nil || !strings.Contains(err.Error(), "by two names of its table") {
			t.Errorf("not refused: %v", err)
		}
		p.each("ROLLBACK", allStock)
	})
}

// TestWritesOfSeveralTables: statements that find rows in several tables leave the rows
// that a plain server does, and say the same of it, to clients of several kinds.
func TestWritesOfSeveralTables(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		r.sales()
		single := wiretest.ClientCaps &^ wire.ClientMultiStatements
		for i, caps := range []wire.Capability{wiretest.ClientCaps, single | wire.ClientFoundRows} {
			mode := []string{"STRICT_TRANS_TABLES", ""}[i]
			t.Run(fmt.Sprintf("found rows %v, mode %q", caps.Has(wire.ClientFoundRows), mode), func(t *testing.T) {
				p := r.pair(t, caps)
				p.each(fmt.Sprintf("SET sql_mode = '%s', autocommit = %d", mode, i))
				statements := severalTables
				if !r.families {
					statements = append([]string{byTwoNames}, statements...)
				}
				for _, s := range statements {
					p.each("DELETE FROM stock", "DELETE FROM sales")
					p.each(filled...)
					p.each(sold...)
					p.each("COMMIT")
					p.wrote(s)
					p.each(allStock, "SELECT * FROM sales ORDER BY no", "COMMIT")
				}
			})
		}
	})
}

// TestFamiliesCollide: a family is written by two names of its table also where one of them writes a column of it that takes the
// time of a change.
func TestFamiliesCollide(t *testing.T) {
	table := &catalog.Table{Columns: []catalog.Column{{Name: "id"}, {Name: "note", Family: "f$form"}, {Name: "memo"}, {Name: "at", Family: "f$form"}, {Name: "x", Family: "g$form"}}}
	writes := func(column int, stamps ...int) *targetRun {
		w := &change.Write{Write: &recipe.Write{Set: []recipe.Assignment{{Column: column}}, Stamps: stamps}}
		return &targetRun{target: &target{Target: &recipe.Target{Table: table}, writing: w}}
	}
	for _, c := range []struct {
		a, b *targetRun
		want bool
	}{
		{writes(1), writes(2), false},
		{writes(1), writes(2, 3), true},
		{writes(2, 3), writes(1), true},
		{writes(1), writes(3), true},
		{writes(1), writes(4), false},
		{writes(2), writes(2), true},
	} {
		if got := c.a.collides(c.b); got != c.want {
			t.Errorf("%v with %v beside %v with %v: %v", c.a.writing.Set, c.a.writing.Stamps, c.b.writing.Set, c.b.writing.Stamps, got)
		}
	}
}
