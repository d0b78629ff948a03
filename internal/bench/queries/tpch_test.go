package queries

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// table is the rows of a table of TPC-H, a value by its column's name, without quotes.
type table []map[string]string

// tables draws those of a size.
func tables(t *testing.T, size int) map[string]table {
	t.Helper()
	columns := map[string][]string{}
	for _, definition := range TPCH.Definitions {
		name, rest, _ := strings.Cut(strings.TrimPrefix(definition, "CREATE TABLE "), " (")
		rest, _, _ = strings.Cut(rest, ", PRIMARY KEY")
		for part := range strings.SplitSeq(rest, ", ") {
			column, _, _ := strings.Cut(part, " ")
			columns[name] = append(columns[name], column)
		}
	}
	all := map[string]table{}
	err := TPCH.rows(size, func(name, values string) error {
		row := map[string]string{}
		for i, v := range strings.Split(values, ", ") {
			row[columns[name][i]] = strings.Trim(v, "'")
		}
		all[name] = append(all[name], row)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// cents is an amount.
func cents(t *testing.T, amount string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.ReplaceAll(amount, ".", ""))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestTPCHTables: there are as many rows as the scale says, of which each refers to one that
// there is before it.
func TestTPCHTables(t *testing.T) {
	all := tables(t, 60_000)
	for name, want := range map[string]int{
		"region": 5, "nation": 25, "supplier": 100, "part": 2000, "partsupp": 8000, "customer": 1500, "orders": 15_000,
	} {
		if got := len(all[name]); got != want {
			t.Errorf("%d rows of %s, want %d", got, name, want)
		}
	}
	if got := len(all["lineitem"]); got < 58_000 || got > 62_000 {
		t.Errorf("%d lineitems", got)
	}
	for _, size := range []int{200, 3000, 20_000} {
		all := tables(t, size)
		seen := map[string]bool{}
		for name, columns := range map[string]string{
			"region": "r_regionkey", "nation": "n_nationkey", "part": "p_partkey", "supplier": "s_suppkey", "customer": "c_custkey",
			"partsupp": "ps_partkey ps_suppkey", "orders": "o_orderkey", "lineitem": "l_orderkey l_linenumber",
		} {
			for _, row := range all[name] {
				key := name
				for column := range strings.FieldsSeq(columns) {
					key += " " + row[column]
				}
				if seen[key] {
					t.Fatalf("%s is there twice", key)
				}
				seen[key] = true
			}
		}
		for _, l := range all["lineitem"] {
			if !seen["orders "+l["l_orderkey"]] || !seen["partsupp "+l["l_partkey"]+" "+l["l_suppkey"]] {
				t.Fatalf("%d: refers to nothing: %v", size, l)
			}
		}
		for _, o := range all["orders"] {
			if n, _ := strconv.Atoi(o["o_custkey"]); n%3 == 0 || !seen["customer "+o["o_custkey"]] {
				t.Fatalf("%d: of customer %d", size, n)
			}
		}
	}
}

// TestTPCHLines: states, returns and totals follow from dates and lines (4.2.3).
func TestTPCHLines(t *testing.T) {
	all := tables(t, 20_000)
	totals, states, prices := map[string]int{}, map[string]string{}, map[string]int{}
	for _, p := range all["part"] {
		prices[p["p_partkey"]] = cents(t, p["p_retailprice"])
	}
	ordered := map[string]string{}
	for _, o := range all["orders"] {
		ordered[o["o_orderkey"]] = o["o_orderdate"]
	}
	returned := map[string]int{}
	for _, l := range all["lineitem"] {
		key, price := l["l_orderkey"], cents(t, l["l_extendedprice"])
		if quantity, _ := strconv.Atoi(l["l_quantity"]); price != quantity*prices[l["l_partkey"]] {
			t.Fatalf("price: %v", l)
		}
		totals[key] += price * (100 - cents(t, l["l_discount"])) * (100 + cents(t, l["l_tax"])) / 10_000
		states[key] += l["l_linestatus"]
		returned[l["l_returnflag"]]++
		if (l["l_shipdate"] > "1995-06-17") != (l["l_linestatus"] == "O") || (l["l_receiptdate"] > "1995-06-17") != (l["l_returnflag"] == "N") ||
			l["l_receiptdate"] <= l["l_shipdate"] || l["l_shipdate"] <= ordered[key] || l["l_commitdate"] <= ordered[key] || l["l_receiptdate"] > "1998-12-31" {
			t.Fatalf("dates: %v", l)
		}
	}
	if r, a := returned["R"], returned["A"]; r < a*9/10 || a < r*9/10 {
		t.Errorf("%v", returned)
	}
	for _, o := range all["orders"] {
		want, lines := "P", states[o["o_orderkey"]]
		if strings.Trim(lines, "O") == "" || strings.Trim(lines, "F") == "" {
			want = lines[:1]
		}
		if got := o["o_orderstatus"]; got != want || cents(t, o["o_totalprice"]) != totals[o["o_orderkey"]] {
			t.Fatalf("%v has %s, %d", o, lines, totals[o["o_orderkey"]])
		}
	}
}

// TestTPCHWords: phones are of the nation, and some comments say what questions ask for.
func TestTPCHWords(t *testing.T) {
	all := tables(t, 60_000)
	has := func(comment, first, second string) int {
		_, behind, found := strings.Cut(comment, first)
		if found && strings.Contains(behind, second) {
			return 1
		}
		return 0
	}
	special, complaints, recommends, longest := 0, 0, 0, 0
	for _, o := range all["orders"] {
		special += has(o["o_comment"], "special", "requests")
	}
	for _, s := range all["supplier"] {
		complaints += has(s["s_comment"], "Customer", "Complaints")
		recommends += has(s["s_comment"], "Customer", "Recommends")
		longest = max(longest, len(s["s_comment"]))
		if n, _ := strconv.Atoi(s["s_nationkey"]); !strings.HasPrefix(s["s_phone"], fmt.Sprintf("%d-", 10+n)) {
			t.Errorf("%v", s)
		}
	}
	if special < 75 || special > 300 || complaints != 1 || recommends != 1 || longest > 101 {
		t.Errorf("%d of 15,000 special requests; %d complaints and %d recommendations; %d letters", special, complaints, recommends, longest)
	}
	for _, p := range all["part"] {
		names := strings.Fields(p["p_name"])
		slices.Sort(names)
		if len(slices.Compact(names)) != 5 || p["p_mfgr"][len("Manufacturer#"):] != p["p_brand"][len("Brand#"):len("Brand#")+1] {
			t.Fatalf("%v", p)
		}
	}
}

// TestTPCHQuestions: there are 22, each with a name, and what depends on the scale is there.
func TestTPCHQuestions(t *testing.T) {
	names := map[string]bool{}
	for _, q := range TPCH.At(60_000) {
		names[q.Name] = true
		if strings.ContainsAny(q.Text, "{;") || strings.Contains(q.Text, "--") || q.Name == "" {
			t.Errorf("%q: %s", q.Name, q.Text)
		}
		if q.Name == "stock" && !strings.Contains(q.Text, "* 0.0100000000 FROM") {
			t.Error(q.Text)
		}
	}
	if len(names) != 22 {
		t.Errorf("%d names", len(names))
	}
}
