package generate

import "math/rand/v2"

// Statement is one statement of a workload.
type Statement struct {
	SQL     string
	Params  string // of a prepared statement, in the words of the oracle's corpus; "" if it has literals
	Ordered bool   // the order of the rows is determined
}

// Workload is what one seed makes.
type Workload struct {
	Seed       uint64
	Statements []Statement
}

// New makes a workload of so many statements, the definition of its table included.
func New(seed uint64, statements int) Workload {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x7475_6e69_6321))}
	g.table = newTable(g)
	all := []Statement{{SQL: "SET sql_mode = '" + g.chooseMode() + "'"}, {SQL: g.table.definition()}}
	for range rowsAtStart {
		all = append(all, g.insert())
	}
	for len(all) < statements-1 {
		all = append(all, g.statement())
	}
	all = append(all, Statement{SQL: "SELECT * FROM t ORDER BY pk", Ordered: true})
	return Workload{Seed: seed, Statements: all}
}

// rowsAtStart is how many INSERTs come before anything else.
const rowsAtStart = 8

// generator draws everything from one source.
type generator struct {
	*rand.Rand
	table  *table
	strict bool
	nextPK int
	added  int  // columns, by ALTER TABLE
	open   bool // a transaction may be
}

// chooseMode draws an sql_mode and remembers whether values must fit.
func (g *generator) chooseMode() string {
	g.strict = g.chance(3, 4)
	if g.strict {
		return "STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO"
	}
	return ""
}

// chance is true n times in m.
func (g *generator) chance(n, m int) bool { return g.IntN(m) < n }

func pick[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

// share is how often a form of statement is drawn, out of the sum of all.
type share struct {
	weight int
	make   func(*generator) Statement
}

var shares = []share{
	{24, (*generator).insert},
	{4, (*generator).replace},
	{6, (*generator).upsert},
	{12, (*generator).update},
	{5, (*generator).remove},
	{26, (*generator).selectRows},
	{8, (*generator).selectExpressions},
	{8, (*generator).selectAggregates},
	{8, (*generator).selectGroups},
	{3, (*generator).transaction},
	{1, (*generator).mode},
	{1, (*generator).alter},
}

func (g *generator) statement() Statement {
	total := 0
	for _, s := range shares {
		total += s.weight
	}
	n := g.IntN(total)
	for _, s := range shares {
		if n -= s.weight; n < 0 {
			return s.make(g)
		}
	}
	panic("the weights add up")
}

func (g *generator) mode() Statement {
	return Statement{SQL: "SET sql_mode = '" + g.chooseMode() + "'"}
}

func (g *generator) transaction() Statement {
	text := pick(g, "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s")
	g.open = text == "BEGIN" || g.open && text == "SAVEPOINT s"
	return Statement{SQL: text}
}
