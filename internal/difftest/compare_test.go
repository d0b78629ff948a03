package difftest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tunic/internal/wire"
)

// row is a row of text cells; "NULL" is one.
func row(cells ...string) Row {
	r := Row{Raw: []byte(strings.Join(cells, ","))}
	for _, c := range cells {
		r.Cells = append(r.Cells, wire.Cell{Bytes: []byte(c), Null: c == "NULL"})
	}
	return r
}

func replyOf(label string, results ...Result) []Reply {
	return []Reply{{Label: label, Results: results}}
}

func columnsNamed(names ...string) []wire.ColumnDefinition {
	var all []wire.ColumnDefinition
	for _, n := range names {
		all = append(all, wire.ColumnDefinition{Name: []byte(n)})
	}
	return all
}

func fieldNames(differences []Difference) []string {
	names := make([]string, len(differences))
	for i, d := range differences {
		names[i] = d.Field
	}
	return names
}

func TestCompare(t *testing.T) {
	ok := Result{Fields: []Field{{"affected", "1"}, {"status", "autocommit"}}, Raw: [][]byte{{0, 1}}}
	set := func(rows ...Row) Result { return Result{Fields: []Field{{"rows", itoa(len(rows))}}, Rows: rows} }
	tests := []struct {
		name            string
		direct, proxied []Reply
		ordered         bool
		want            []string
	}{
		{name: "equal", direct: replyOf("query", ok), proxied: replyOf("query", ok)},
		{
			name: "a field", direct: replyOf("query", ok),
			proxied: replyOf("query", Result{Fields: []Field{{"affected", "2"}, {"status", "autocommit"}}}),
			want:    []string{"query.0.affected"},
		},
		{
			name: "a field that only one side has", direct: replyOf("query", ok),
			proxied: replyOf("query", Result{Fields: []Field{{"affected", "1"}, {"info", "x"}}}),
			want:    []string{"query.0.status", "query.0.info"},
		},
		{
			name: "a byte that no field shows", direct: replyOf("query", ok),
			proxied: replyOf("query", Result{Fields: ok.Fields, Raw: [][]byte{{0, 2}}}),
			want:    []string{"query.0.packet.0"},
		},
		{
			name: "a packet more", direct: replyOf("query", ok),
			proxied: replyOf("query", Result{Fields: ok.Fields, Raw: [][]byte{{0, 1}, {2}}}),
			want:    []string{"query.0.packets"},
		},
		{
			name: "masked packets", direct: replyOf("query", ok), proxied: replyOf("query", Result{Fields: ok.Fields}),
		},
		{name: "a result less", direct: replyOf("query", ok, ok), proxied: replyOf("query", ok), want: []string{"query.results"}},
		{name: "another way", direct: replyOf("query", ok), proxied: replyOf("login", ok), want: []string{"replies"}},
		{
			name: "an end", direct: []Reply{{Label: "query"}}, proxied: []Reply{{Label: "query", Broken: "connection closed"}},
			want: []string{"query.connection"},
		},
		{
			name: "another order", direct: replyOf("query", set(row("1"), row("2"), row("2"))),
			proxied: replyOf("query", set(row("2"), row("1"), row("2"))),
		},
		{
			name: "another order where it counts", ordered: true, direct: replyOf("query", set(row("1"), row("2"))),
			proxied: replyOf("query", set(row("2"), row("1"))),
			want:    []string{"query.0.row.0.cell.0", "query.0.row.1.cell.0"},
		},
		{
			name: "a row twice", direct: replyOf("query", set(row("1"), row("2"))),
			proxied: replyOf("query", set(row("1"), row("1"))),
			want:    []string{"query.0.rows-only-here"},
		},
		{
			name: "NULL is no text", ordered: true, direct: replyOf("query", set(row("NULL"))),
			proxied: replyOf("query", set(Row{Cells: []wire.Cell{{Bytes: []byte("NULL")}}, Raw: []byte("x")})),
			want:    []string{"query.0.row.0.cell.0"},
		},
		{
			name: "the same cells in other bytes", ordered: true, direct: replyOf("query", set(row("1"))),
			proxied: replyOf("query", set(Row{Cells: row("1").Cells, Raw: []byte("other")})),
			want:    []string{"query.0.row.0.raw"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			differences, count := Compare(test.direct, test.proxied, test.ordered)
			if got := fieldNames(differences); !slices.Equal(got, test.want) && len(got)+len(test.want) > 0 {
				t.Errorf("got %v, want %v", got, test.want)
			}
			if count == 0 {
				t.Error("nothing was compared")
			}
		})
	}
}

// A connection found closed while sending and one found closed while reading are
// the same to a client.
func TestDropEmpty(t *testing.T) {
	some := Result{Raw: [][]byte{{0}}}
	for _, results := range [][]Result{nil, {{}}, {some}, {some, {}}} {
		reply := Reply{Results: results}
		reply.dropEmpty()
		for _, r := range reply.Results {
			if len(r.Raw) == 0 {
				t.Errorf("%v: an empty result is left", results)
			}
		}
		if want := len(slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return len(r.Raw) == 0 })); len(reply.Results) != want {
			t.Errorf("%v: %d results left, want %d", results, len(reply.Results), want)
		}
	}
}

// maskedBy are what rules mask, by their names.
var maskedBy = map[string]struct {
	label  string
	result func(n int) Result // of one side and the other
}{
	"statistics": {"query", func(n int) Result {
		return Result{Columns: columnsNamed("Rows"), Rows: []Row{row(itoa(n))}}
	}},
	"created-time": {"query", func(n int) Result {
		return Result{Columns: columnsNamed("Create_time"), Rows: []Row{row(itoa(n))}}
	}},
	"process-list": {"command", func(n int) Result {
		r := Result{Columns: columnsNamed("Id", "User"), Rows: []Row{row(itoa(n), "app")}}
		if n == 2 {
			r.Rows = append(r.Rows, row("9", "tunic_service"))
		}
		r.set("rows", len(r.Rows))
		return r
	}},
	"numbers": {"query", func(n int) Result {
		return Result{Fields: []Field{{"error.message", fmt.Sprintf("thread %d", n)}}}
	}},
	"statement-number": {"prepare", func(n int) Result {
		return Result{
			Fields: []Field{{"statement", itoa(n)}},
			Raw:    [][]byte{{0, byte(n), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}},
		}
	}},
	"tracked-order": {"query", func(n int) Result {
		first, second := "a", "b"
		if n == 2 {
			first, second = second, first
		}
		return Result{
			Fields: []Field{{"track.0", first}, {"track.1", second}},
			Raw:    [][]byte{[]byte(first + second)},
		}
	}},
	"statement-count": {"query", func(n int) Result {
		return Result{
			Fields: []Field{{"track.0", fmt.Sprintf(`system-variable "statement_id" "%d"`, n)}},
			Raw:    [][]byte{{byte(n)}},
		}
	}},
	"index-use": {"query", func(n int) Result {
		return Result{Fields: []Field{{"status", []string{"", "no-good-index cursor no-index", "cursor"}[n]}}, Raw: [][]byte{{byte(n)}}}
	}},
	"grouped-flags": {"query", func(n int) Result {
		flags := []uint16{0, 0x8001, 0x0081}[n]
		return Result{
			Fields:  []Field{{"column.0.flags", fmt.Sprintf("0x%04x", flags)}},
			Columns: []wire.ColumnDefinition{{Charset: 63, Flags: flags}}, Raw: [][]byte{{byte(n)}},
		}
	}},
	"origin": {"query", func(n int) Result {
		flags := []uint16{0, 0x4003, 0}[n]
		return Result{
			Fields: []Field{
				{"column.0.flags", fmt.Sprintf("0x%04x", flags)},
				{"column.0.org-table", []string{"", "t", ""}[n]},
				{"column.0.length", []string{"", "11", "21"}[n]},
				{"column.0.type", []string{"", "long", "longlong"}[n]},
			},
			Columns: []wire.ColumnDefinition{{Type: []wire.Type{0, wire.TypeLong, wire.TypeLongLong}[n], Flags: flags}},
			Raw:     [][]byte{{byte(n)}},
		}
	}},
	"no-row-matched": {"query", func(n int) Result {
		info := []string{"", "none", `"Rows matched: 0  Changed: 0  Warnings: 0"`}[n]
		return Result{Fields: []Field{{"info", info}}, Raw: [][]byte{{byte(n)}}}
	}},
	"replaced-same": {"query", func(n int) Result {
		return Result{
			Fields: []Field{
				{"affected", []string{"", "3", "4"}[n]},
				{"info", []string{"", `"Records: 2  Duplicates: 1  Warnings: 0"`, `"Records: 2  Duplicates: 2  Warnings: 0"`}[n]},
			},
			Raw: [][]byte{{byte(n)}},
		}
	}},
	"rows-before-error": {"query", func(n int) Result {
		r := Result{ErrNumber: 1690}
		for i := range n {
			r.Rows = append(r.Rows, row(itoa(i)))
		}
		r.set("rows", len(r.Rows))
		return r
	}},
	"unknown-error": {"warnings", func(n int) Result {
		r := Result{Columns: columnsNamed("Level", "Code", "Message"), Rows: []Row{row("Error", "1048", "x")}}
		if n == 2 {
			r.Rows = append(r.Rows, row("Error", "1105", "Unknown error"))
		}
		r.set("rows", len(r.Rows))
		return r
	}},
	"plan-warnings": {"warnings", func(n int) Result {
		r := Result{Columns: columnsNamed("Level", "Code", "Message"), Rows: []Row{row("Warning", "1062", "x")}}
		if n == 2 {
			r.Rows = append(r.Rows, row("Warning", "1292", "Incorrect date value: '0000-00-00' for column 'd' at row 1"))
		}
		r.set("rows", len(r.Rows))
		return r
	}},
	"remembered-login": {"login", func(n int) Result {
		return Result{Fields: []Field{{fmt.Sprintf("auth.%d", n), "more"}}}
	}},
	"decoy": {"login", func(n int) Result {
		return Result{Fields: []Field{{fmt.Sprintf("auth.%d", n), "switch"}}}
	}},
}

// TestRules applies every rule to a pair of replies that differ in what the rule
// is about, and in one thing besides, which must remain.
func TestRules(t *testing.T) {
	for _, rule := range Rules {
		t.Run(rule.Name, func(t *testing.T) {
			test, ok := maskedBy[rule.Name]
			if !ok {
				t.Fatal("the rule has no test")
			}
			sides := [2][]Reply{}
			for i := range sides {
				result := test.result(i + 1)
				result.set("other", i)
				sides[i] = replyOf(test.label, result)
			}
			if before, _ := Compare(sides[0], sides[1], true); len(before) < 2 {
				t.Fatalf("the sides differ in %v only", fieldNames(before))
			}
			sides[0], sides[1] = rule.apply(sides[0]), rule.apply(sides[1])
			after, _ := Compare(sides[0], sides[1], true)
			if got := fieldNames(after); !slices.Equal(got, []string{test.label + ".0.other"}) {
				t.Errorf("left: %v", got)
			}
			if rule.Reason == "" {
				t.Error("the rule has no reason")
			}
		})
	}
}

// A list of warnings that is empty without those of a plan is not asked for, and the
// count before it is that of the rest.
func TestPlanWarningsAreNotCounted(t *testing.T) {
	date := row("Warning", "1292", "Incorrect datetime value: '0000-00-00 00:00:00' for column 'd' at row 1")
	year := row("Warning", "1292", "Truncated incorrect datetime value: '2024'")
	other := row("Warning", "1292", "Incorrect date value: 'x' for column 'd' at row 1")
	answer := func(rows ...Row) []Reply {
		n := len(rows)
		ok := Result{Warnings: uint16(n)}
		ok.set("warnings", n)
		ok.set("info", fmt.Sprintf("Records: 1  Duplicates: 1  Warnings: %d", n))
		replies := replyOf("query", ok)
		if n > 0 {
			list := Result{Columns: columnsNamed("Level", "Code", "Message"), Rows: rows}
			list.set("rows", n)
			replies = append(replies, Reply{Label: warningsLabel, Results: []Result{list}})
		}
		return replies
	}
	for _, test := range []struct{ with, without []Reply }{
		{answer(date, other, year), answer(other)},
		{answer(date), answer()},
	} {
		if differences, _ := Compare(dropPlanWarnings(test.with), dropPlanWarnings(test.without), true); len(differences) > 0 {
			t.Errorf("differences: %v", fieldNames(differences))
		}
	}
	if differences, _ := Compare(dropPlanWarnings(answer(other, other)), dropPlanWarnings(answer(other)), true); len(differences) == 0 {
		t.Error("other warnings are not compared")
	}
}
