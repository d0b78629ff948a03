package queries

// Ops is one question of each kind of operation, over the tables of Scan.
var Ops = Set{
	Name:        "ops",
	About:       "one row, a range, a sum, groups, a join of two tables with a tenth of the rows each, a pattern: one question each",
	Definitions: Scan.Definitions,
	Questions: []Question{
		{Name: "point", Text: "SELECT kind, amount, price, note FROM sale WHERE id = 77"},
		{Name: "point by layer", Text: "SELECT id, amount, note FROM sale WHERE place = 77"},
		{Name: "range", Text: "SELECT id, amount FROM sale WHERE place BETWEEN 100 AND 199"},
		{Name: "range, sorted", Text: "SELECT id, amount, place FROM sale WHERE place BETWEEN 100 AND 199 ORDER BY place", Order: []int{3}},
		{Name: "sum", Text: "SELECT SUM(amount), SUM(price) FROM sale"},
		{Name: "group", Text: "SELECT kind, COUNT(*), SUM(amount) FROM sale GROUP BY kind"},
		{Name: "join of a tenth", Text: "SELECT b.city, SUM(p.amount) FROM purchase p JOIN buyer b ON b.id = p.buyer GROUP BY b.city"},
		{Name: "like", Text: "SELECT COUNT(*) FROM sale WHERE note LIKE '%late again%'"},
	},
	rows: scanRows,
}
