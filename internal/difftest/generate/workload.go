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
	Shape      *Shape
	Statements []Statement
}

// Shape is what a workload is about.
type Shape struct {
	Name   string
	tables int
	shares []share
}

// Shapes are all shapes there are. A seed makes a workload of each.
var Shapes = []*Shape{
	{Name: "table", tables: 1, shares: aboutOne},
	{Name: "tables", tables: 3, shares: aboutSeveral},
}

// Several reports whether statements are about more than one table.
func (s *Shape) Several() bool { return s.tables > 1 }

// New makes a workload of so many statements, the definitions of its tables included.
func New(seed uint64, shape *Shape, statements int) Workload {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x7475_6e69_6321))}
	g.define(shape.tables)
	all := []Statement{{SQL: "SET sql_mode = '" + g.chooseMode() + "'"}}
	for _, t := range g.tables {
		all = append(all, Statement{SQL: t.definition()})
	}
	for _, t := range g.tables {
		g.table = t
		for range rowsAtStart {
			all = append(all, g.insert())
		}
	}
	for len(all) < statements-len(g.tables) {
		all = append(all, g.statement(shape.shares))
	}
	for _, t := range g.tables {
		all = append(all, Statement{SQL: "SELECT * FROM " + t.name + " ORDER BY pk", Ordered: true})
	}
	return Workload{Seed: seed, Shape: shape, Statements: all}
}

// rowsAtStart is how many INSERTs a table gets before anything else.
const rowsAtStart = 8

// generator draws everything from one source.
type generator struct {
	*rand.Rand
	tables []*table
	table  *table // the one that a statement is about
	strict bool
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

// share is how often a form of statement is drawn, out of the sum of all. What tunic
// refuses costs nothing but that it is counted, so that a new form is a line here.
type share struct {
	weight int
	make   func(*generator) Statement
}

// aboutOne are the forms of statements about one table.
var aboutOne = []share{
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

// aboutSeveral are the forms where there are several tables to speak of.
var aboutSeveral = []share{
	{16, (*generator).insert},
	{2, (*generator).replace},
	{3, (*generator).upsert},
	{4, (*generator).update},
	{2, (*generator).remove},
	{4, (*generator).selectRows},
	{16, (*generator).selectJoin},
	{8, (*generator).selectJoinGroups},
	{12, (*generator).selectBySubquery},
	{5, (*generator).selectSubqueries},
	{5, (*generator).selectDerived},
	{4, (*generator).selectCommon},
	{6, (*generator).selectSet},
	{6, (*generator).selectWindows},
	{4, (*generator).updateBySubquery},
	{3, (*generator).removeBySubquery},
	{3, (*generator).updateJoined},
	{2, (*generator).removeJoined},
	{4, (*generator).insertSelect},
	{2, (*generator).transaction},
	{1, (*generator).mode},
	{3, (*generator).change},
}

func (g *generator) statement(shares []share) Statement {
	total := 0
	for _, s := range shares {
		total += s.weight
	}
	if len(g.tables) > 1 {
		g.table = pick(g, g.tables...)
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
