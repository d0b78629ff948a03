package queries

import (
	_ "embed" // the texts of TPC-H
	"fmt"
	"strconv"
	"strings"
)

//go:embed tpch_tables.sql
var tpchTables string

//go:embed tpch.sql
var tpchQuestions string

// TPCH is the set of TPC-H: the tables of the specification with keys over its foreign
// keys, rows that are drawn as it says (tpch_load.go), and its questions.
var TPCH = Set{
	Name: "tpch", About: "TPC-H's 22 questions, over ROWS lineitems and as many rows of the other tables as go with them",
	Definitions: tpchStatements(tpchTables), Questions: tpchAsked(tpchQuestions),
	rows: tpchRows, at: tpchAt,
}

// tpchStatements are those of a text: each ends with a line that ends with a semicolon.
func tpchStatements(text string) (all []string) {
	for part := range strings.SplitSeq(text, ";\n") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

// tpchAsked are the questions of a text, each with a line "-- name: columns" before it.
func tpchAsked(text string) (all []Question) {
	for _, part := range tpchStatements(text) {
		comments, asked, _ := strings.Cut("\n"+part, "\nSELECT ")
		asked = "SELECT " + asked
		if before, with, found := strings.Cut(comments, "\nWITH "); found {
			comments, asked = before, "WITH "+with+"\n"+asked
		}
		name, columns, _ := strings.Cut(comments[strings.LastIndex(comments, "\n-- ")+len("\n-- "):], ":")
		q := Question{Name: name, Text: strings.TrimSpace(asked)}
		for word := range strings.FieldsSeq(columns) {
			n, err := strconv.Atoi(word)
			if err != nil {
				panic(err) // the text is this package's own
			}
			q.Order = append(q.Order, n)
		}
		all = append(all, q)
	}
	return all
}

// tpchAt fills in what depends on the scale: a scale of 1 has 10,000 suppliers.
func tpchAt(size int, text string) string {
	return strings.ReplaceAll(text, "{fraction}", fmt.Sprintf("%.10f", 1/float64(newTPCH(size, nil).suppliers)))
}
