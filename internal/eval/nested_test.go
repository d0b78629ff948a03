package eval

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tunic/internal/value"
)

var nestedCount = flag.Int("nested", 0, "how many nested expressions are compared with each server; 0 is TUNIC_EVAL_NESTED, or 400")

func countOfNested() int {
	if *nestedCount > 0 {
		return *nestedCount
	}
	if n, err := strconv.Atoi(os.Getenv("TUNIC_EVAL_NESTED")); err == nil {
		return n
	}
	return 400
}

// generator writes random expressions of the measured operations: what is exact
// of columns has to stay so of results.
type generator struct {
	rng      *rand.Rand
	operands []string
}

func newGenerator(seed uint64) *generator {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 1))}
	for _, class := range slices.Sorted(maps.Keys(operandsOf)) {
		g.operands = append(g.operands, operandsOf[class]...)
	}
	return g
}

func (g *generator) expr(depth int) string {
	if depth == 0 || g.rng.IntN(5) == 0 {
		return g.operands[g.rng.IntN(len(g.operands))]
	}
	op := operations[g.rng.IntN(len(operations))]
	text := op.templates[g.rng.IntN(len(op.templates))]
	for i := range op.operands {
		text = strings.ReplaceAll(text, fmt.Sprintf("%%%d", i+1), g.argument(op, i, depth-1))
	}
	return "(" + text + ")"
}

func (g *generator) argument(op operationCase, i, depth int) string {
	if op.classes == nil || depth > 0 && i == 0 {
		return g.expr(depth)
	}
	spelled := op.spelled
	if spelled == nil {
		spelled = operandsOf
	}
	of := spelled[op.classes[i][g.rng.IntN(len(op.classes[i]))]]
	return of[g.rng.IntN(len(of))]
}

// TestNested compares random nested expressions with the servers.
func TestNested(t *testing.T) {
	seed := *seedFlag
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	for _, f := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(f.String(), func(t *testing.T) {
			t.Parallel()
			o := connect(t, f)
			g := newGenerator(seed)
			compared, refused := 0, 0
			for compared < countOfNested() && refused < 100*countOfNested() {
				text := g.expr(2 + g.rng.IntN(2))
				var v verdict
				k := o.prepare(t, nil, text, &v)
				if k == nil {
					refused++
					continue
				}
				compared++
				if o.compareOne(t, k, &v); v.differs != "" {
					t.Errorf("%s differs: %s", v.differs, text)
				}
			}
			t.Logf("%d compared, %d refused", compared, refused)
		})
	}
}

// compareOne compares one expression on all rows at once if that raises nothing,
// else row by row.
func (o *oracle) compareOne(t *testing.T, k *compiled, v *verdict) {
	t.Helper()
	r := o.query(t, "SELECT "+k.text+" FROM v ORDER BY id")
	if r.err == nil {
		if codes := o.warnings(t); codes == nil {
			o.compareColumn(k, r, nil, v)
			return
		}
	}
	o.compareRows(t, k, v)
}
