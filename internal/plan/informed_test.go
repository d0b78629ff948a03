package plan

import (
	"errors"
	"regexp"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/build"
	"tunic/internal/plan/plantest"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value/charset"
)

// informs is information_schema.columns, as far as it is needed.
func informs() *catalog.Table {
	var columns []catalog.Column
	for _, name := range []string{"TABLE_NAME", "COLUMN_NAME", "COLUMN_DEFAULT"} {
		t, err := catalog.TypesOf(charset.MySQL)("varchar(64)", "utf8mb3_bin", false)
		if err != nil {
			panic(err)
		}
		columns = append(columns, catalog.Column{Name: name, TypeText: "varchar(64)", Type: t})
	}
	return catalog.NewPlain("information_schema", "columns", columns)
}

// TestInformed: information_schema beside protected tables is read where the answer is the
// server's own, and no condition goes to the server that it would decide by a word.
func TestInformed(t *testing.T) {
	const of = " FROM person p JOIN information_schema.columns c ON c.table_name = 'person' "
	for _, c := range []struct {
		text           string
		mysql, mariaDB bool
	}{
		{"SELECT p.note, c.column_default" + of + "ORDER BY c.column_name", true, true},
		{"SELECT p.note" + of + "WHERE c.table_name = p.note", true, true},
		{"SELECT p.note" + of + "WHERE c.column_default = 'x'", false, true},
		{"SELECT CONCAT(c.column_name, 'x')" + of, false, true},
		{"SELECT 1 FROM person p WHERE p.note IN (SELECT column_name FROM information_schema.columns)", false, true},
		{"SELECT 1 FROM person p JOIN information_schema.innodb_columns c", false, false},
		{"SELECT 1 FROM person p JOIN mysql.user u", false, false},
		{"INSERT INTO person (id, note) SELECT 1, column_name FROM information_schema.columns", false, false},
		{"UPDATE person SET age = 1 WHERE note IN (SELECT column_name FROM information_schema.columns)", false, false},
	} {
		for m, want := range map[sql.Modes]bool{0: c.mysql, sql.MariaDB: c.mariaDB} {
			var fp sql.Fingerprinter
			fp.Record(true)
			fp.Fingerprint([]byte(c.text), m)
			read, err := sql.Parse([]byte(c.text), m)
			if err != nil {
				t.Fatal(err)
			}
			tree, err := read[0].TreeWithPlaces(fp.Literals())
			if err != nil {
				t.Fatal(err)
			}
			run, err := build.Build(tree, plantest.Tables(t), "test", m, informs())
			_, beyond := errors.AsType[*resolve.Beyond](err)
			_, refused := errors.AsType[*sqlerr.Error](err)
			if (err == nil) != want || err != nil && !beyond && !refused {
				t.Errorf("%s (modes %d): %v", c.text, m, err)
			}
			if err != nil {
				continue
			}
			if !run.Informs() {
				t.Errorf("%s: is not told of", c.text)
			}
			stored, err := InformationOf(plantest.Tables(t), []byte(withoutHoles(run.Remote.String())), m)
			if err != nil || len(stored.Edits) == 0 || !stored.Within {
				t.Errorf("%s: %v, %+v", c.text, err, stored)
			}
		}
	}
}

var holes = regexp.MustCompile(`:[sp][0-9]+`)

// withoutHoles puts a literal in the place of what a statement is filled with.
func withoutHoles(text string) string { return holes.ReplaceAllString(text, "'x'") }
