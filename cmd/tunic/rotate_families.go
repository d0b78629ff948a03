package main

import (
	"fmt"
	"io"
	"strings"

	"tunic/internal/migrate"
	"tunic/internal/rotation"
)

// printFamilies prints what was done, or would be.
func printFamilies(out io.Writer, all []rotation.Grouped, dryRun bool) error {
	var b strings.Builder
	tables, columns := 0, 0
	for i := range all {
		t := &all[i]
		if len(t.Moves) == 0 && t.Failed == nil {
			continue
		}
		fmt.Fprintf(&b, "%s.%s  about %s\n", t.Schema, t.Name, plural(t.Rows, "row"))
		for _, m := range t.Moves {
			fmt.Fprintf(&b, "    %s  %s to %s\n", m.Column, placeOf(m.From), placeOf(m.To))
		}
		switch {
		case t.Gone:
			b.WriteString("    was dropped meanwhile\n")
		case t.Failed != nil:
			problem, _, _ := migrate.Failure(t.Failed)
			fmt.Fprintf(&b, "    failed: %s\n", problem)
		case t.Hindrance != rotation.None:
			fmt.Fprintf(&b, "    %s\n", t.Hindrance)
		case !t.Done && !dryRun:
			b.WriteString("    not done: run the command again\n")
		default:
			tables, columns = tables+1, columns+len(t.Moves)
		}
	}
	done := "brought into their families"
	if dryRun {
		done = "would be brought into their families"
	}
	fmt.Fprintf(&b, "%s of %s %s\n", plural(int64(columns), "column"), plural(int64(tables), "table"), done)
	_, err := io.WriteString(out, b.String())
	return err
}

// placeOf is where a column is, in words.
func placeOf(family string) string {
	if family == "" {
		return "by itself"
	}
	return family
}

// groupedTable is a table as JSON.
type groupedTable struct {
	Schema    string        `json:"schema"`
	Table     string        `json:"table"`
	Columns   []groupedMove `json:"columns"`
	Hindrance string        `json:"hindrance,omitempty"`
	Failed    string        `json:"failed,omitempty"`
	Gone      bool          `json:"dropped,omitempty"`
	Done      bool          `json:"done,omitempty"`
}

type groupedMove struct {
	Name string `json:"name"`
	From string `json:"from_family"`
	To   string `json:"to_family"`
}

func groupedOf(all []rotation.Grouped) (tables []groupedTable) {
	tables = []groupedTable{}
	for i := range all {
		t := &all[i]
		one := groupedTable{Schema: t.Schema, Table: t.Name, Columns: []groupedMove{}, Hindrance: string(t.Hindrance), Gone: t.Gone, Done: t.Done}
		for _, m := range t.Moves {
			one.Columns = append(one.Columns, groupedMove{m.Column, m.From, m.To})
		}
		if t.Failed != nil {
			one.Failed, _, _ = migrate.Failure(t.Failed)
		}
		tables = append(tables, one)
	}
	return tables
}
