package migrate

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOwnViewsComeBack: views of tunic's over a table that is to be encrypted are told of by their logical definitions. Dropped
// and made again by what is printed, they show the rows that they showed.
func TestOwnViewsComeBack(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.server, "CREATE TABLE shop.country (code CHAR(2) PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(40) NOT NULL, since DATE NOT NULL, size DECIMAL(9,2))",
			"INSERT INTO shop.country VALUES ('de', 'Germany', '1949-05-23', 357.59), ('fr', 'France', '0843-08-10', NULL)",
			"CREATE SQL SECURITY INVOKER VIEW shop.plain AS SELECT code, name FROM shop.country")
		b.exec(b.tunics[0], "CREATE TABLE client (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL, country CHAR(2), born DATE NOT NULL)",
			"INSERT INTO client VALUES (1, 'Ann', 'de', '1990-01-02'), (2, 'Bo', 'fr', '1991-03-04'), (3, 'Cy', 'de', '1992-05-06')",
			"CREATE VIEW clv AS SELECT c.id, c.name, c.born, k.name AS country, k.since, COALESCE(k.size, 0) AS size FROM client c JOIN country k ON k.code = c.country WHERE c.name <> 'Bo\\'s'",
			"CREATE SQL SECURITY INVOKER VIEW above (`the id`, country) AS SELECT id, country FROM clv WHERE id > 1",
			"CREATE VIEW checked AS SELECT id, name FROM client WHERE country IN (SELECT code FROM country) WITH CASCADED CHECK OPTION",
			"CREATE VIEW gone AS SELECT c.id, k.name FROM client c JOIN country k ON k.code = c.country", "DROP VIEW gone")
		views := []string{"SELECT * FROM clv ORDER BY id", "SELECT * FROM above ORDER BY 1", "SELECT * FROM checked ORDER BY id", "SELECT * FROM plain ORDER BY code", "SHOW CREATE VIEW above"}
		var before [][]string
		for _, q := range views {
			before = append(before, b.rows(q))
		}
		restore := b.withoutViews("country", "shop.plain", "shop.clv", "shop.above", "shop.checked")
		if n := strings.Count(strings.Join(restore, ";"), "SQL SECURITY INVOKER VIEW"); n != 2 {
			b.t.Errorf("%d views are the invoker's: %v", n, restore)
		}
		w, end := b.work("country")
		defer end()
		if report, err := w.Encrypt(b.t.Context()); err != nil || report.At != Finished {
			b.t.Fatalf("%+v, %v", report, err)
		}
		b.exec(b.tunics[0], restore...)
		for i, q := range views {
			if diff := cmp.Diff(before[i], b.rows(q)); diff != "" || len(before[i]) == 0 {
				b.t.Errorf("%s: %s", q, diff)
			}
		}
	})
}

// withoutViews takes away the views that hinder a table by what is printed, and returns the SQL for afterwards.
func (b *bench) withoutViews(table string, want ...string) (restore []string) {
	b.t.Helper()
	var names []string
	found := b.hindering(table)
	for _, f := range found {
		names = append(names, f.Of)
		if said := strings.Join(append(slices.Clone(f.Remove), f.Restore...), " "); strings.Contains(said, "_tunic") || strings.Contains(said, "tunic$") {
			b.t.Errorf("%s", said)
		}
		at := b.server
		if f.Through {
			at = b.tunics[0]
		}
		b.exec(at, f.Remove...)
		restore = append(restore, f.Restore...)
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(names))); diff != "" {
		b.t.Error(diff)
	}
	return restore
}

// rows are those of a query through tunic.
func (b *bench) rows(query string) (all []string) {
	b.t.Helper()
	rows, err := b.tunics[0].QueryContext(b.t.Context(), query)
	if err != nil {
		b.t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		b.t.Fatal(err)
	}
	for rows.Next() {
		texts := make([]string, len(columns))
		into := make([]any, len(columns))
		for i := range texts {
			into[i] = &texts[i]
		}
		if err := rows.Scan(into...); err != nil {
			b.t.Fatal(err)
		}
		all = append(all, strings.Join(append(columns[:len(columns):len(columns)], texts...), " | "))
	}
	if err := rows.Err(); err != nil {
		b.t.Fatal(err)
	}
	return all
}
