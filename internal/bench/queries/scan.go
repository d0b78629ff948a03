package queries

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Scan reads whole tables: what tunic finishes itself over all of their rows, and what
// the server does with layers.
var Scan = Set{
	Name:  "scan",
	About: "a table of ROWS rows, read as a whole or by an order layer; joins of two tables with a tenth of them each",
	Definitions: []string{
		"CREATE TABLE sale (id INT NOT NULL PRIMARY KEY, kind CHAR(8) NOT NULL, amount INT NOT NULL, price DECIMAL(10,2) NOT NULL, " +
			"place INT NOT NULL COMMENT 'tunic: order', day INT NOT NULL COMMENT 'tunic: order', note VARCHAR(60) NOT NULL, KEY (place))",
		"CREATE TABLE narrow (id INT NOT NULL PRIMARY KEY, amount INT NOT NULL)",
		wideTable("wide", ""),
		wideTable("apart", " COMMENT 'tunic: sealed apart'"),
		"CREATE TABLE buyer (id INT NOT NULL PRIMARY KEY, city CHAR(8) NOT NULL, score INT NOT NULL)",
		"CREATE TABLE purchase (id INT NOT NULL PRIMARY KEY, buyer INT NOT NULL, amount INT NOT NULL, KEY (buyer), FOREIGN KEY (buyer) REFERENCES buyer (id))",
	},
	Questions: []Question{
		{Name: "count", Text: "SELECT COUNT(*) FROM sale"},
		{Name: "sum", Text: "SELECT SUM(amount) FROM sale"},
		{Name: "sum of a narrow table", Text: "SELECT SUM(amount) FROM narrow"},
		{Name: "sum of a wide table", Text: "SELECT SUM(amount) FROM wide"},
		{Name: "sum of a column apart", Text: "SELECT SUM(amount) FROM apart"},
		{Name: "average", Text: "SELECT AVG(price), MIN(amount), MAX(amount) FROM sale"},
		{Name: "filter", Text: "SELECT COUNT(*), SUM(amount) FROM sale WHERE amount BETWEEN 1000 AND 2000"},
		{Name: "like", Text: "SELECT COUNT(*) FROM sale WHERE note LIKE '%late again%'"},
		{Name: "group", Text: "SELECT kind, COUNT(*), SUM(amount) FROM sale GROUP BY kind"},
		{Name: "many groups", Text: "SELECT COUNT(*) FROM (SELECT amount, COUNT(*) AS n FROM sale GROUP BY amount) AS g"},
		{Name: "first by index", Text: "SELECT id, place, amount FROM sale ORDER BY place LIMIT 10", Order: []int{2}},
		{Name: "first by layer", Text: "SELECT id, day, amount FROM sale ORDER BY day LIMIT 10", Order: []int{2}},
		{Name: "first of sealed", Text: "SELECT id, note FROM sale ORDER BY note, id LIMIT 10", Order: []int{2, 1}},
		{Name: "range of layer", Text: "SELECT SUM(amount) FROM sale WHERE place BETWEEN 1000 AND 2000"},
		{Name: "join of a tenth, counted", Text: "SELECT COUNT(*) FROM purchase p JOIN buyer b ON b.id = p.buyer"},
		{Name: "join of a tenth, summed", Text: "SELECT SUM(p.amount + b.score) FROM purchase p JOIN buyer b ON b.id = p.buyer"},
		{Name: "join of a tenth, rows", Text: "SELECT p.id, p.amount, b.city FROM purchase p JOIN buyer b ON b.id = p.buyer"},
		{Name: "join of a tenth, grouped", Text: "SELECT b.city, COUNT(*), SUM(p.amount) FROM purchase p JOIN buyer b ON b.id = p.buyer GROUP BY b.city"},
	},
	rows: scanRows,
}

// wideTable is a table with twenty columns beside its key, of which amount has a comment.
func wideTable(name, comment string) string {
	var columns strings.Builder
	for i := range wideColumns {
		fmt.Fprintf(&columns, ", c%d INT NOT NULL", i)
	}
	return "CREATE TABLE " + name + " (id INT NOT NULL PRIMARY KEY, amount INT NOT NULL" + comment + columns.String() + ")"
}

const wideColumns = 19

// scanSeed makes the rows the same everywhere.
const scanSeed = 4

// joined is how many times more rows the table that is read has than those that are
// joined.
const joined = 10

func scanRows(size int, emit func(table, values string) error) error {
	random := rand.New(rand.NewPCG(scanSeed, uint64(size)))
	places := random.Perm(size)
	days := random.Perm(size)
	words := []string{"sent on time", "sent late", "late again and again", "returned by the buyer", "not yet sent"}
	for i := range size {
		values := fmt.Sprintf("%d, 'kind%02d', %d, %d.%02d, %d, %d, 'sale %d was %s'", i+1, random.IntN(40),
			random.IntN(100_000), random.IntN(10_000), random.IntN(100), places[i], days[i], random.IntN(size), words[random.IntN(len(words))])
		if err := emit("sale", values); err != nil {
			return err
		}
	}
	if err := summedRows(size, random, emit); err != nil {
		return err
	}
	return joinRows(size/joined, random, emit)
}

// summedRows are those of the tables that nothing but a sum is asked of, one table after the other.
func summedRows(size int, random *rand.Rand, emit func(table, values string) error) error {
	for _, table := range []string{"narrow", "wide", "apart"} {
		for i := range size {
			values := fmt.Sprintf("%d, %d", i+1, random.IntN(100_000))
			if table != "narrow" {
				values += strings.Repeat(", "+strconv.Itoa(i%977), wideColumns)
			}
			if err := emit(table, values); err != nil {
				return err
			}
		}
	}
	return nil
}

func joinRows(size int, random *rand.Rand, emit func(table, values string) error) error {
	for i := range size {
		if err := emit("buyer", fmt.Sprintf("%d, 'city%03d', %d", i+1, random.IntN(200), random.IntN(1000))); err != nil {
			return err
		}
	}
	for i := range size {
		if err := emit("purchase", fmt.Sprintf("%d, %d, %d", i+1, 1+random.IntN(size), random.IntN(1000))); err != nil {
			return err
		}
	}
	return nil
}
