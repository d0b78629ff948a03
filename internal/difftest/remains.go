package difftest

import (
	"context"
	"fmt"

	"tunic/internal/identifier"
)

// remains compares what a script leaves in its database, table by table, each
// side through its own way to the server. A statement that claims success
// without effect shows here even if nothing in the script reads its table.
//
// It is read as an ordinary client reads, whatever the configuration was: with
// CLIENT_NO_SCHEMA no statement may name a table with its schema, as SHOW TABLES
// does inside the server, and MySQL lets no client of old in with a password of
// today. The list of tables must come: two sides that both refuse it would agree.
func (r *Runner) remains(ctx context.Context, script *Script, config *Config, pair [2]*side) {
	spec := SessionSpec{Name: "remains", User: "root", Password: "root"}
	plain := findConfig("text")
	caps := plain.agreed(r.offered[0] & r.offered[1])
	for _, s := range pair {
		s.close()
	}
	late := [2]*side{newSide(pair[0].target, plain, caps), newSide(pair[1].target, plain, caps)}
	defer late[0].close()
	defer late[1].close()
	tables := &Step{File: script.Name, Name: "remains", Session: spec, SQL: "SHOW FULL TABLES"}
	replies := both(ctx, late, tables)
	if number, broken := outcome(replies[0]); number != 0 || broken != "" {
		problem := fmt.Sprintf("the plain server does not list its tables: error %d %s", number, broken)
		r.report.fail(Failure{Config: config.Name, Step: tables, Problem: problem})
	}
	replies[0] = r.mask(tables, replies[0])
	replies[1] = r.mask(tables, replies[1])
	differences, count := Compare(replies[0], replies[1], false)
	r.report.Comparisons += count
	r.note(script.Name, config, tables, differences)
	for _, name := range baseTables(replies[0]) {
		step := &Step{File: script.Name, Name: "remains", Session: spec, SQL: "SELECT * FROM " + identifier.Quoted(name)}
		r.step(ctx, script, config, step, late)
	}
}

// baseTables are the names in the answer to SHOW FULL TABLES that are no views.
func baseTables(replies []Reply) []string {
	var names []string
	for _, reply := range replies {
		for _, result := range reply.Results {
			for _, row := range result.Rows {
				if len(row.Cells) == 2 && string(row.Cells[1].Bytes) != "VIEW" {
					names = append(names, string(row.Cells[0].Bytes))
				}
			}
		}
	}
	return names
}
