package ddl

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/racetest"
)

// TestPlainServer: what is defined through tunic is, to the client, what the plain
// server would have. Everything that a client can see of the definition is
// compared: errors by number, SHOW CREATE TABLE, types, and warnings.
func TestPlainServer(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		plain := b.connect("plain")
		for _, file := range corpusFiles(t) {
			for _, c := range readCorpus(b.t, file) {
				b.definer.SetPolicy(c.policy)
				b.compareCase(plain, c.statement)
			}
		}
	})
}

// compareCase runs a statement on both sides.
func (b *bench) compareCase(plain *client, statement string) {
	b.t.Helper()
	result, err := b.do(statement)
	if refused(err) {
		return // a refusal of tunic's own; the golden files show it
	}
	want := plain.Exec(b.t.Context(), strings.ReplaceAll(statement, "other_schema", "other_plain"))
	if numberOf(err) != numberOf(want) {
		b.t.Errorf("%s\nthrough tunic: %v\nplain: %v", statement, err, want)
		return
	}
	if err != nil {
		return
	}
	b.compareWarnings(plain, statement, result)
	for _, table := range b.ofStatement(statement, result) {
		b.compareTable(plain, statement, table, result.Temporary != nil)
	}
}

func (b *bench) compareWarnings(plain *client, statement string, result Result) {
	b.t.Helper()
	rows, err := plain.Query(b.t.Context(), "SHOW WARNINGS")
	if err != nil {
		b.t.Fatal(err)
	}
	numbers := func(all []service.Warning) (out []string) {
		for _, w := range all {
			out = append(out, fmt.Sprint(w.Level, w.Number))
		}
		return out
	}
	want := service.ReadWarnings(rows, func(s string) string { return s })
	if diff := cmp.Diff(numbers(want), numbers(result.Warnings)); diff != "" {
		b.t.Errorf("%s: warnings (-plain +tunic):\n%s%v", statement, diff, want)
	}
}

// ofStatement are the protected tables that a statement names.
func (b *bench) ofStatement(statement string, result Result) (found []*catalog.Table) {
	if result.Temporary != nil {
		return []*catalog.Table{result.Temporary}
	}
	names := map[string]bool{}
	for _, t := range showcreate.Tokens(statement) {
		names[strings.Trim(t.Of(statement), "`")] = true
	}
	for t := range b.ledger.Catalog().Tables() {
		if names[t.Name] {
			found = append(found, t)
		}
	}
	return found
}

// keyOrders are tables whose keys come in another order: the tree does not tell
// whether a key or a foreign key, which makes one, was written first.
var keyOrders = map[string]bool{"c2": true}

func sortedLines(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, ",\n", "\n"), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// compareTable compares the catalog's table with the plain server's.
func (b *bench) compareTable(plain *client, statement string, t *catalog.Table, temporary bool) {
	b.t.Helper()
	schema := t.Schema
	switch schema {
	case "shop":
		schema = "plain"
	case "other_schema":
		schema = "other_plain"
	}
	name := identifier.Quoted(schema) + "." + identifier.Quoted(t.Name)
	rows, err := plain.Query(b.t.Context(), "SHOW CREATE TABLE "+name)
	if err != nil {
		b.t.Errorf("%s: %v", statement, err)
		return
	}
	want := service.Text(rows[0][1])
	if at := showcreate.OptionAutoIncrement(want); !at.Empty() {
		want = showcreate.Edited(want, showcreate.Edit{Span: at})
	}
	if keyOrders[t.Name] {
		want, t = sortedLines(want), &catalog.Table{Definition: sortedLines(t.Definition), Columns: t.Columns, Name: t.Name}
	}
	if diff := cmp.Diff(want, t.Definition); diff != "" {
		b.t.Errorf("%s: definition (-plain +tunic):\n%s", statement, diff)
	}
	if temporary {
		return // information_schema does not show it
	}
	rows, err = plain.Query(b.t.Context(), "SELECT COLUMN_NAME, COLUMN_TYPE, COLLATION_NAME, IS_NULLABLE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = '"+
		schema+"' AND TABLE_NAME = '"+t.Name+"' ORDER BY ORDINAL_POSITION")
	if err != nil {
		b.t.Fatal(err)
	}
	var columns, own [][4]string
	for _, r := range rows {
		columns = append(columns, [4]string{service.Text(r[0]), service.Text(r[1]), service.Text(r[2]), service.Text(r[3])})
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		nullable := "YES"
		if c.Type.NotNull {
			nullable = "NO"
		}
		own = append(own, [4]string{c.Name, c.TypeText, c.CollationName, nullable})
	}
	if diff := cmp.Diff(columns, own); diff != "" {
		b.t.Errorf("%s: columns (-plain +tunic):\n%s", statement, diff)
	}
}
