package value

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// row is a stored value with its number in the table.
type row struct {
	id        int
	canonical []byte
}

// fill stores every sample that gives a new value, as Assign has it, and returns
// the rows.
func (o *oracle) fill(t *testing.T, column *Type, name string, list []sample) (rows []row) {
	t.Helper()
	env, verb := o.environment(t, "")
	suffix := ""
	if column.Kind == Timestamp {
		suffix = " NULL DEFAULT NULL"
	}
	o.exec(t, "DROP TABLE IF EXISTS t")
	o.exec(t, "CREATE TABLE t (id INT PRIMARY KEY, c "+name+suffix+") CHARSET utf8mb4 COLLATE "+collationOf(column))
	seen := map[string]bool{}
	for id, s := range list {
		canonical, outcome := Assign(nil, column, &s.source, env)
		if outcome.Null || outcome.Failed() || seen[string(canonical)] {
			continue
		}
		seen[string(canonical)] = true
		rows = append(rows, row{id, canonical})
		if r := o.attempt(t, fmt.Sprintf("%s INTO t VALUES (%d, %s)", verb, id, s.sql)); r.err != nil {
			t.Fatal(r.err)
		}
	}
	return rows
}

func collationOf(column *Type) string {
	if column.Collation != nil {
		return column.Collation.Name
	}
	return "utf8mb4_general_ci"
}

// comparedTypes adds collations to the columns that are stored into.
func comparedTypes(t *testing.T, o *oracle) (types []*Type, names []string) {
	t.Helper()
	add := func(name, collation string) {
		c := o.collation(t, collation)
		column, err := Parse(name, c)
		if err != nil {
			t.Fatal(err)
		}
		types, names = append(types, column), append(names, name)
	}
	for _, name := range columnTypes {
		add(name, "utf8mb4_general_ci")
	}
	for _, collation := range []string{"utf8mb4_bin", "utf8mb4_unicode_ci", "utf8mb4_unicode_520_ci"} {
		add("varchar(200)", collation)
		add("char(5)", collation)
		add("enum('a','b','c d','3')", collation)
	}
	if o.flavor == MariaDB {
		add("decimal(38,38)", "utf8mb4_general_ci")
		add("uuid", "utf8mb4_general_ci")
		add("inet4", "utf8mb4_general_ci")
		add("inet6", "utf8mb4_general_ci")
	} else {
		add("varchar(200)", "utf8mb4_0900_ai_ci")
		add("char(5)", "utf8mb4_0900_ai_ci")
	}
	return types, names
}

// TestCompareAsServersDo asks the servers which rows are equal to, less than and
// greater than each literal that Comparand serves, and in which order all rows
// are.
func TestCompareAsServersDo(t *testing.T) {
	forEachServer(t, func(t *testing.T, o *oracle) {
		o.exec(t, "SET group_concat_max_len = 1000000")
		types, names := comparedTypes(t, o)
		for i, column := range types {
			if *onlyType != "" && !strings.HasPrefix(names[i], *onlyType) {
				continue
			}
			t.Run(names[i]+"_"+collationOf(column), func(t *testing.T) {
				list := samples(o.collation(t, "utf8mb4_general_ci"))
				rows := o.fill(t, column, names[i], list)
				env, _ := o.environment(t, "")
				d := &differences{t: t}
				for i, s := range list {
					if i%3 != 0 && !*all {
						continue
					}
					d.compareWith(o, column, env, s, rows)
				}
				d.compareOrder(o, column, rows)
				d.report()
			})
		}
	})
}

// compareWith compares one literal with all rows.
func (d *differences) compareWith(o *oracle, column *Type, env *Env, s sample, rows []row) {
	d.t.Helper()
	literal, exactness := Comparand(nil, column, &s.source, env)
	if exactness == NotServable || !Ordered(column) {
		return
	}
	d.cases++
	for _, operator := range []string{"=", "<", ">"} {
		if operator != "=" && (exactness == ExactEquality || exactness == Never) {
			continue
		}
		var ours []string
		for _, r := range rows {
			if holds(column, r.canonical, operator, literal, exactness) {
				ours = append(ours, strconv.Itoa(r.id))
			}
		}
		query := fmt.Sprintf("SELECT GROUP_CONCAT(id ORDER BY id) FROM t WHERE c %s %s", operator, s.sql)
		theirs := o.column(d.t, query)
		if got := strings.Join(ours, ","); theirs[0] != got {
			d.add("%s %s (%v):\n  server %.120s\n  here   %.120s", operator, s, exactness, theirs[0], got)
		}
	}
}

// holds evaluates a comparison the way stored forms do: by the equality and order
// inputs alone, but for strings, whose prefix is not enough.
func holds(column *Type, value []byte, operator string, literal []byte, e Exactness) bool {
	switch e {
	case Below:
		return operator == ">"
	case Above:
		return operator == "<"
	case Never, Unknown:
		return false
	default:
	}
	if operator == "=" {
		return e != Between && bytes.Equal(AppendEquality(nil, column, value), AppendEquality(nil, column, literal))
	}
	n := Compare(column, value, literal)
	if OrderExact(column) {
		n = bytes.Compare(AppendOrder(nil, column, value), AppendOrder(nil, column, literal))
	}
	if operator == ">" {
		return n > 0
	}
	return n < 0 || n == 0 && e == Between
}

// compareOrder compares the order of all rows, ties by number.
func (d *differences) compareOrder(o *oracle, column *Type, rows []row) {
	d.t.Helper()
	if !Ordered(column) {
		return
	}
	d.cases++
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b row) int {
		if n := bytes.Compare(AppendOrder(nil, column, a.canonical), AppendOrder(nil, column, b.canonical)); n != 0 || OrderExact(column) {
			return n
		}
		return Compare(column, a.canonical, b.canonical)
	})
	// A tail of the key that is unique makes the server's order total.
	ours := make([]string, len(sorted))
	for i, r := range sorted {
		ours[i] = strconv.Itoa(r.id)
	}
	theirs := o.column(d.t, "SELECT id FROM t ORDER BY c, id")
	for i := range min(len(theirs), len(ours)) {
		if theirs[i] != ours[i] {
			d.add("order at %d:\n  server %v\n  here   %v", i, theirs[i:min(i+12, len(theirs))], ours[i:min(i+12, len(ours))])
			return
		}
	}
	if len(theirs) != len(ours) {
		d.add("%d rows, here %d", len(theirs), len(ours))
	}
}

// column returns the first column of a result, "" for NULL.
func (o *oracle) column(t *testing.T, query string) (cells []string) {
	t.Helper()
	rows, err := o.QueryContext(t.Context(), query)
	if err != nil {
		return []string{"error: " + err.Error()}
	}
	defer rows.Close()
	for rows.Next() {
		var cell *string
		if err := rows.Scan(&cell); err != nil {
			t.Fatal(err)
		}
		if cell == nil {
			cell = new(string)
		}
		cells = append(cells, *cell)
	}
	return cells
}
