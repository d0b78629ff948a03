package eval

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"tunic/internal/eval/aggregate"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/grouping"
	"tunic/internal/eval/program"
	"tunic/internal/eval/supported"
	"tunic/internal/sql/ast"
)

// aggregates are the operations that are measured for every class of column; %1
// is the argument.
var aggregates = map[string][]string{
	"COUNT": {"COUNT(%1)"}, "COUNT DISTINCT": {"COUNT(DISTINCT %1)", "COUNT(DISTINCT %1, i)", "COUNT(DISTINCT t, %1)"},
	"SUM": {"SUM(%1)"}, "SUM DISTINCT": {"SUM(DISTINCT %1)"},
	"AVG": {"AVG(%1)"}, "AVG DISTINCT": {"AVG(DISTINCT %1)"},
	"MIN": {"MIN(%1)"}, "MAX": {"MAX(%1)"},
	"BIT_AND": {"BIT_AND(%1)"}, "BIT_OR": {"BIT_OR(%1)"}, "BIT_XOR": {"BIT_XOR(%1)"},
	"STDDEV_POP": {"STD(%1)", "STDDEV(%1)"}, "STDDEV_SAMP": {"STDDEV_SAMP(%1)"},
	"VAR_POP": {"VARIANCE(%1)", "VAR_POP(%1)"}, "VAR_SAMP": {"VAR_SAMP(%1)"},
	"GROUP_CONCAT":          {"GROUP_CONCAT(%1 SEPARATOR '|')", "GROUP_CONCAT('<', %1, i, '>')"},
	"GROUP_CONCAT DISTINCT": {"GROUP_CONCAT(DISTINCT %1)", "GROUP_CONCAT(DISTINCT %1 ORDER BY db SEPARATOR '')", "GROUP_CONCAT(DISTINCT %1, i SEPARATOR '; ')"},
	"JSON_ARRAYAGG":         {"JSON_ARRAYAGG(%1)"}, "JSON_OBJECTAGG": {"JSON_OBJECTAGG(i, %1)", "JSON_OBJECTAGG(CONCAT(t, ti), %1)"},
	"GROUP_CONCAT ORDER BY": {"GROUP_CONCAT(CONCAT_WS('/', i, t) ORDER BY %1)", "GROUP_CONCAT(CONCAT_WS('/', i, t) ORDER BY %1 DESC, i)"},
}

// TestAggregatesOfExpressions compares aggregates of what is computed, as reports
// have them.
func TestAggregatesOfExpressions(t *testing.T) {
	forEach(t, func(t *testing.T, o *oracle) {
		for _, text := range []string{
			"SUM(CONCAT(d, ''))", "AVG(CONCAT(i, ''))", "STD(CONCAT(i, ''))", "BIT_OR(CONCAT(ti, ''))", "SUM(CAST(u AS BINARY))", "AVG(CONCAT(ti, '.5'))", "MAX(e)", "MIN(s)", "COUNT(1)", "JSON_ARRAYAGG(i > 0)", "JSON_ARRAYAGG(JSON_OBJECT('a', i, 't', t))", "JSON_OBJECTAGG(COALESCE(t, 'none'), JSON_EXTRACT(j, '$.a'))", "GROUP_CONCAT(i + 1, t SEPARATOR \"\\n;\")", "GROUP_CONCAT(DISTINCT UPPER(t) ORDER BY LENGTH(t), d DESC)", "STD(i * 2)", "BIT_OR(i + ti)", "SUM(t + 0)", "GROUP_CONCAT(t, i, d ORDER BY t, i DESC)", "SUM(IF(i > 0, d, 0))", "SUM(CASE WHEN i > 0 THEN 1 ELSE 0 END)", "SUM(i * d)", "AVG(i + 1)", "SUM(d / 3)", "AVG(d * 2)",
			"MAX(CONCAT(t, 'x'))", "MIN(COALESCE(d, 0.00))", "COUNT(NULLIF(i, 5))", "COUNT(DISTINCT i, d)", "COUNT(DISTINCT t, tb)",
			"SUM(i > 0)", "AVG(IFNULL(i, 0))", "MAX(d + dd)", "SUM(DISTINCT d)", "COUNT(*)", "MAX(YEAR(da))", "SUM(db * 2)", "SUM(IFNULL(d, 0))",
		} {
			var v verdict
			if o.measureAggregate(t, text, &v); v.differs != "" {
				t.Errorf("%s: %s", text, v.differs)
			}
			t.Logf("%s: %d equal, %s", text, v.compared, v.refused)
		}
	})
}

// groupings are the rows of which aggregates are compared: how many, from the
// first.
var groupings = []int{rowCount, rowCount - 1, 7, 5, 3, 1, 0}

// measureAggregates compares all aggregates of columns with the server's.
func (o *oracle) measureAggregates(t *testing.T, found func(*probe, *verdict)) {
	for _, name := range slices.Sorted(maps.Keys(aggregates)) {
		if *operation != "" && !isChosen(strings.Fields(name)[0]) {
			continue
		}
		counts := map[string]int{}
		for _, class := range slices.Sorted(maps.Keys(besides())) {
			p := probe{operation: operationCase{name: name}, classes: []string{class}}
			var v verdict
			for _, column := range besides()[class] {
				for _, template := range aggregates[name] {
					o.measureAggregate(t, strings.ReplaceAll(template, "%1", column), &v)
				}
			}
			found(&p, &v)
			counts[v.String()]++
			if *operation != "" {
				fmt.Printf("%s: %s: %s: %s\n", o.flavor, name, class, &v)
			}
			if supported.Is(o.flavor, name, class) && !*rewrite && v.differs != "" {
				t.Errorf("%s of %s: the list says exact, but the %s differs", name, class, v.differs)
			}
		}
		t.Logf("%s: %v", name, counts)
	}
}

func (o *oracle) measureAggregate(t *testing.T, text string, v *verdict) {
	t.Helper()
	e, ok := parseExpr(t, text).(ast.AggrFunc)
	if !ok {
		t.Fatalf("%s is no aggregate", text)
	}
	c := compilation.New(o, o.session, compile)
	c.Observe = func(string, string) {}
	a, err := grouping.Aggregate(c, e)
	if err != nil {
		if !isRefusal(err) {
			t.Fatal(err)
		}
		v.refused = "refused"
		return
	}
	for _, rows := range groupings {
		out := o.aggregateRows(t, a, rows)
		k := &compiled{text: text, x: a.Out, results: []outcomeOfRow{out}}
		r := o.query(t, fmt.Sprintf("SELECT %s FROM v WHERE id < %d", text, rows))
		codes := o.warnings(t)
		if r.err != nil {
			k.compareRow(0, nil, r.err, codes, v)
			continue
		}
		k.compareRow(0, r.rows[0][0], nil, codes, v)
		if d := typeDifference(a.Type(), r); d != "" && out.err == nil {
			v.differ("type", text, d)
		}
	}
}

func (o *oracle) aggregateRows(t *testing.T, a *aggregate.Aggregate, rows int) (out outcomeOfRow) {
	t.Helper()
	acc, err := a.Start(program.Inputs{Env: o.env, Now: moment})
	if isRefusal(err) {
		return outcomeOfRow{err: err}
	}
	if err != nil {
		t.Fatal(err)
	}
	var g aggregate.Group
	for _, row := range o.rows[:rows] {
		if err := acc.Add(&g, row); err != nil {
			out.err = err
			return out
		}
	}
	if g.Bytes() != 0 && !a.Holds() {
		t.Errorf("%s holds %d bytes, and says that it holds none", a.Operation(), g.Bytes())
	}
	out.conditions = acc.Conditions()
	res, err := acc.Result(&g)
	if err != nil {
		out.err = err
		return out
	}
	if out.null = res.Null(); !out.null {
		out.text, out.err = res.AppendText([]byte{})
	}
	return out
}
