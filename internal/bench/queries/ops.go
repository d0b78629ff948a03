package queries

// Ops is one question of each kind of operation, over the tables of Scan.
var Ops = Set{
	Name:        "ops",
	About:       "one row, a range, a sum, groups, a join, a pattern: one question each",
	Definitions: Scan.Definitions,
	Questions: []Question{
		{"point", "SELECT kind, amount, price, note FROM sale WHERE id = 77"},
		{"point by layer", "SELECT id, amount, note FROM sale WHERE place = 77"},
		{"range", "SELECT id, amount FROM sale WHERE place BETWEEN 100 AND 199"},
		{"range, sorted", "SELECT id, amount FROM sale WHERE place BETWEEN 100 AND 199 ORDER BY place"},
		{"sum", "SELECT SUM(amount), SUM(price) FROM sale"},
		{"group", "SELECT kind, COUNT(*), SUM(amount) FROM sale GROUP BY kind"},
		{"join", "SELECT b.city, SUM(p.amount) FROM purchase p JOIN buyer b ON b.id = p.buyer GROUP BY b.city"},
		{"like", "SELECT COUNT(*) FROM sale WHERE note LIKE '%late again%'"},
	},
	rows: scanRows,
}
