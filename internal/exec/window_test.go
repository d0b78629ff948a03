package exec

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/budget"
	"tunic/internal/eval"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// framed is a frame that a test has drawn.
type framed struct {
	rows, divided bool
	from, to      int // distances; far for what is unbounded
	over          string
}

// far is a distance that no row of a test has from another.
const far = 1 << 20

func drawFrame(t *rapid.T) framed {
	f := framed{rows: rapid.Bool().Draw(t, "rows"), divided: rapid.Bool().Draw(t, "divided")}
	var start, end string
	start, f.from = drawBound(t, "start", "UNBOUNDED PRECEDING", -far)
	end, f.to = drawBound(t, "end", "UNBOUNDED FOLLOWING", far)
	f.over = fmt.Sprintf("(%sORDER BY k %s BETWEEN %s AND %s)",
		map[bool]string{true: "PARTITION BY s "}[f.divided], map[bool]string{true: "ROWS", false: "RANGE"}[f.rows], start, end)
	return f
}

func drawBound(t *rapid.T, name, unbounded string, distance int) (string, int) {
	n := rapid.IntRange(0, 4).Draw(t, name)
	switch rapid.IntRange(0, 3).Draw(t, name+" kind") {
	case 0:
		return unbounded, distance
	case 1:
		return "CURRENT ROW", 0
	case 2:
		return fmt.Sprintf("%d PRECEDING", n), -n
	default:
		return fmt.Sprintf("%d FOLLOWING", n), n
	}
}

// has reports whether the frame of row i has row j in it, of rows in their order. A NULL
// is a peer of others, and before all numbers.
func (f *framed) has(rows []pairRow, i, j int) bool {
	a, b := rows[i], rows[j]
	distance := j - i
	switch {
	case f.divided && *a.s != *b.s:
		return false
	case f.rows:
	case a.k == nil && b.k == nil:
		return true
	case a.k == nil:
		return f.to == far
	case b.k == nil:
		return f.from == -far
	default:
		distance = int(*b.k - *a.k)
	}
	return f.from <= distance && distance <= f.to
}

// drawDivided are rows of two partitions in their order.
func drawDivided(t *rapid.T, divided bool) []pairRow {
	rows := drawRows(t)
	for i := range rows {
		s := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "partition")
		rows[i].s = &s
	}
	slices.SortStableFunc(rows, func(a, b pairRow) int {
		if divided && *a.s != *b.s {
			return cmp.Compare(*a.s, *b.s)
		}
		return compareInts(a.k, b.k)
	})
	return rows
}

// lastNumber is a number of 8 bytes or more.
func lastNumber(v []byte) *int64 {
	if v == nil {
		return nil
	}
	n := int64(binary.BigEndian.Uint64(v[len(v)-8:]))
	return &n
}

// TestFrames: aggregate functions over any frame are those of the rows that are in it,
// however it is made of the frame before.
func TestFrames(t *testing.T) {
	functions := []string{"COUNT(v)", "SUM(v)", "MIN(v)", "MAX(v)", "BIT_XOR(k)", "BIT_OR(k)"}
	rapid.Check(t, func(t *rapid.T) {
		f := drawFrame(t)
		rows := drawDivided(t, f.divided)
		text := "SELECT k"
		for _, name := range functions {
			text += ", " + name + " OVER " + f.over
		}
		got, err := newBench(t, budget.Budget{}).run(t, text+" FROM pairs", rows)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(rows) {
			t.Fatalf("%d rows, want %d", len(got), len(rows))
		}
		for i, row := range got {
			want := f.aggregates(rows, i)
			for j, v := range row[len(row)-len(functions):] {
				if n := lastNumber(v); compareInts(n, want[j]) != 0 {
					t.Fatalf("%s: row %d: %s is %v, want %v", text, i, functions[j], numbers(eval.Row{v}), numbers(eval.Row{canonicalInt(want[j])}))
				}
			}
		}
	})
}

// aggregates are the results of the functions of TestFrames for a row.
func (f *framed) aggregates(rows []pairRow, i int) []*int64 {
	var count, exclusive, inclusive int64
	var sum, least, most *int64
	for j, r := range rows {
		if !f.has(rows, i, j) {
			continue
		}
		if r.k != nil {
			exclusive, inclusive = exclusive^*r.k, inclusive|*r.k
		}
		if r.v == nil {
			continue
		}
		count++
		total := *r.v
		if sum != nil {
			total += *sum
		}
		sum = &total
		if least == nil || *r.v < *least {
			least = r.v
		}
		if most == nil || *r.v > *most {
			most = r.v
		}
	}
	return []*int64{&count, sum, least, most, &exclusive, &inclusive}
}

// TestFramesBudget: rows are kept in the budget, and frames that have to be computed anew
// for each row end before they take long.
func TestFramesBudget(t *testing.T) {
	rows := make([]pairRow, 1000)
	for i := range rows {
		k, s := int64(i), strings.Repeat("x", 100)
		rows[i] = pairRow{&k, &k, &s}
	}
	for text, c := range map[string]struct {
		budget budget.Budget
		want   *sqlerr.Error
	}{
		"SELECT s, ROW_NUMBER() OVER (ORDER BY k) FROM pairs":                                                 {budget.Budget{Bytes: 100_000}, sqlerr.LocalBytes(0, "")},
		"SELECT MIN(v) OVER (ORDER BY k ROWS BETWEEN 500 PRECEDING AND CURRENT ROW) FROM pairs":               {budget.Budget{Rows: 1000}, sqlerr.LocalCombinations(0, "")},
		"SELECT SUM(v) OVER (ORDER BY k ROWS BETWEEN 500 PRECEDING AND CURRENT ROW) FROM pairs":               {budget.Budget{Rows: 1000}, nil},
		"SELECT MIN(v) OVER (ORDER BY k ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM pairs":         {budget.Budget{Rows: 1000}, nil},
		"SELECT MAX(v) OVER (ORDER BY k ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM pairs": {budget.Budget{Rows: 1000}, nil},
	} {
		_, err := newBench(t, c.budget).run(t, text, rows)
		refused, ok := errors.AsType[*sqlerr.Error](err)
		if (c.want == nil) != (err == nil) || c.want != nil && (!ok || refused.Code != c.want.Code) {
			t.Errorf("%s: %v, want %v", text, err, c.want)
		}
	}
}

// TestWindowsRefused: what servers compute in ways that are theirs alone is refused, and
// the same without it is not.
func TestWindowsRefused(t *testing.T) {
	const both, mariadb, neither = "both", "MariaDB", ""
	for text, where := range map[string]string{
		"SELECT SUM(v + 0e0) OVER (ORDER BY k ROWS 1 PRECEDING) FROM pairs":                                        both,
		"SELECT SUM(v + 0e0) OVER (ORDER BY k) FROM pairs":                                                         neither,
		"SELECT STD(v) OVER () FROM pairs":                                                                         both,
		"SELECT JSON_ARRAYAGG(v) OVER () FROM pairs":                                                               both,
		"SELECT BIT_OR(v) OVER (ORDER BY k) FROM pairs":                                                            mariadb,
		"SELECT COUNT(*) OVER (), RANK() OVER (ORDER BY k), RANK() OVER (PARTITION BY v ORDER BY k) FROM pairs":    mariadb,
		"SELECT COUNT(*) OVER (), RANK() OVER (ORDER BY k), RANK() OVER (ORDER BY k, v) FROM pairs":                neither,
		"SELECT RANK() OVER (ORDER BY k), RANK() OVER (ORDER BY k DESC), RANK() OVER (ORDER BY v) FROM pairs":      neither,
		"SELECT COUNT(*) OVER (ORDER BY k RANGE BETWEEN 1 PRECEDING AND 2 PRECEDING) FROM pairs":                   mariadb,
		"SELECT COUNT(*) OVER (ORDER BY k RANGE BETWEEN 2 PRECEDING AND 1 PRECEDING) FROM pairs":                   neither,
		"SELECT AVG(AVG(v)) OVER () FROM pairs GROUP BY k":                                                         both,
		"SELECT RANK() OVER (ORDER BY AVG(v)) FROM pairs GROUP BY k":                                               neither,
		"SELECT COUNT(*) OVER (ORDER BY k ROWS BETWEEN 3 FOLLOWING AND 2 PRECEDING) FROM pairs":                    mariadb,
		"SELECT NTILE(0) OVER (ORDER BY k) FROM pairs":                                                             both,
		"SELECT COUNT(*) OVER (ORDER BY s RANGE 1 PRECEDING) FROM pairs":                                           both,
		"SELECT COUNT(*) OVER (ORDER BY k, v RANGE 1 PRECEDING) FROM pairs":                                        both,
		"SELECT COUNT(*) OVER (ORDER BY k RANGE BETWEEN 1 PRECEDING AND 9223372036854775807 FOLLOWING) FROM pairs": both,
	} {
		for _, flavor := range []value.Flavor{value.MySQL, value.MariaDB} {
			b := newBench(t, budget.Budget{})
			b.session.env.Value.Flavor = flavor
			k, s := int64(1), "s"
			_, err := b.run(t, text, []pairRow{{&k, &k, &s}})
			_, refused := errors.AsType[*sqlerr.Error](err)
			if want := where == both || where == mariadb && flavor == value.MariaDB; refused != want || err != nil && !refused {
				t.Errorf("%v: %s: %v", flavor, text, err)
			}
		}
	}
}
