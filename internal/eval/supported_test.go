package eval

import (
	"bytes"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/supported"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

var (
	rewrite   = flag.Bool("rewrite", false, "measure everything and write supported.tsv")
	detail    = flag.Bool("detail", false, "with -operation: print every difference")
	operation = flag.String("operation", "", "measure these operations only, separated by commas, and print the verdicts")
	seedFlag  = flag.Uint64("seed", 1, "seed of what is drawn at random; 0 is a new one each time")
)

// operandsOf are the spellings of every class of operand, columns and literals.
var operandsOf = map[string][]string{
	"int": {"i", "bi", "ti"}, "uint": {"u", "bu"}, "year": {"y"}, "bit": {"b"},
	"decimal": {"d", "dd", "d0"}, "float": {"f"}, "double": {"db", "df"},
	"text": {"t", "tc", "tb"}, "bytes": {"vb"},
	"date": {"da"}, "time": {"tm", "tm3"}, "datetime": {"dt", "dt6"}, "timestamp": {"ts", "ts6"},
	"enum": {"e"}, "set": {"s"},
	"null'": {"NULL"}, "year'": {"YEAR(DATE'2020-01-02')"},
	"int'":     {"0", "1", "-1", "5", "2020", "20200102", "9223372036854775807"},
	"uint'":    {"18446744073709551615", "9223372036854775808"},
	"decimal'": {"0.0", "1.5", "-2.50", "0.3333", "12345678901234567890.5"},
	"double'":  {"0e0", "1.5e0", "-2.5e0", "1e300"},
	"text'":    {"''", "'a'", "'ABC'", "'a '", "'5'", "'1.5'", "'12abc'", "'ä'", "'2020-01-02'", "'2020-01-02 10:11:12.5'", "'10:11:12'", "'-10:11:12'", "'a%'", "'9007199254740993'", "'b'", "'2020-1-2'", "'a,c'"},
	"hex'":     {"0x41", "0x35"},
	"date'":    {"DATE'2020-01-02'"}, "time'": {"TIME'10:11:12'", "TIME'10:11:12.5'", "TIME'-10:59:59.5'"},
	"datetime'": {"TIMESTAMP'2020-01-02 10:11:12'", "TIMESTAMP'2020-01-02 10:11:12.500000'", "TIMESTAMP'2020-12-31 23:59:59.999999'"},
}

// operations are what is measured: %1 and on stand for operands of every class.
type operationCase struct {
	name      string
	operands  int
	templates []string
	classes   [][]string // of each operand; all if there are none
	// spelled are the spellings of operands, if they are others than operandsOf.
	spelled map[string][]string
}

// probes are all instances of an operation on operands of some classes.
type probe struct {
	operation operationCase
	classes   []string
	exprs     []string
}

func (p *probe) operandList() string { return strings.Join(p.classes, ", ") }

// probesOf makes a probe of every combination of classes.
func probesOf(op operationCase) []probe {
	names := slices.Sorted(maps.Keys(operandsOf))
	combos := [][]string{{}}
	for i := range op.operands {
		var next [][]string
		of := names
		if op.classes != nil {
			of = op.classes[i]
		}
		for _, c := range combos {
			for _, n := range of {
				next = append(next, append(slices.Clone(c), n))
			}
		}
		combos = next
	}
	var all []probe
	for _, classes := range combos {
		p := probe{operation: op, classes: classes}
		for _, spelled := range spellings(classes, op.spelled) {
			for _, t := range op.templates {
				for i, s := range spelled {
					t = strings.ReplaceAll(t, fmt.Sprintf("%%%d", i+1), s)
				}
				p.exprs = append(p.exprs, t)
			}
		}
		all = append(all, p)
	}
	return all
}

func spellings(classes []string, of map[string][]string) [][]string {
	if of == nil {
		of = operandsOf
	}
	all := [][]string{{}}
	for _, c := range classes {
		var next [][]string
		for _, a := range all {
			for _, s := range of[c] {
				next = append(next, append(slices.Clone(a), s))
			}
		}
		all = next
	}
	return all
}

// verdict is what was found of one probe.
type verdict struct {
	compared int // results that were equal
	refused  string
	differs  string
}

// exactly is the verdict on what the list has.
const exactly = "exact"

func (v *verdict) String() string {
	switch {
	case v.differs != "":
		return v.differs
	case v.compared == 0 && v.refused != "":
		return v.refused
	case v.compared == 0:
		return "nothing to compare"
	}
	return exactly
}

func (v *verdict) differ(what, expr string, more ...any) {
	if v.differs == "" {
		v.differs = what
	}
	if *detail && len(more) > 0 {
		fmt.Printf("%s: %s: %s\n", what, expr, fmt.Sprintln(more...))
	}
}

// measure compares all instances of a probe with the server.
func (o *oracle) measure(t *testing.T, p *probe) (v verdict) {
	const batch = 24
	for exprs := range slices.Chunk(p.exprs, batch) {
		if v.differs != "" && !*detail {
			break
		}
		var known []*compiled
		for _, e := range exprs {
			if k := o.prepare(t, p, e, &v); k != nil {
				known = append(known, k)
			}
		}
		if len(known) > 0 {
			o.compareBatch(t, known, &v)
		}
	}
	return v
}

// compiled is an expression, and what came of it here for every row.
type compiled struct {
	text       string
	x          *program.Expression
	results    []outcomeOfRow
	conditions int
}

type outcomeOfRow struct {
	text       []byte
	null       bool
	err        error
	conditions []value.Condition
}

func isRefusal(err error) bool {
	return errors.Is(err, sqlerr.ExpressionRefused("", "")) || errors.Is(err, sqlerr.ValueRefused(""))
}

// prepare compiles and runs an expression; nil if it is refused.
func (o *oracle) prepare(t *testing.T, p *probe, text string, v *verdict) *compiled {
	e := parseExpr(t, text)
	if e == nil {
		v.refused = "refused: no tree"
		return nil
	}
	c := compilation.New(o, o.session, compile)
	if p != nil {
		c.Observe = func(string, string) {}
	}
	x, err := coercion.Expression(c, e)
	if err != nil {
		if !isRefusal(err) {
			t.Fatalf("%s: %v", text, err)
		}
		v.refused = "refused"
		return nil
	}
	k := &compiled{text: text, x: x}
	run, err := x.Start(program.Inputs{Env: o.env, Now: moment})
	if isRefusal(err) {
		v.refused = "refused for a value"
		return nil
	}
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for _, row := range o.rows {
		k.results = append(k.results, evalRow(run, row))
	}
	k.conditions = len(run.Conditions())
	return k
}

func evalRow(run *program.Run, row program.Row) (out outcomeOfRow) {
	before := len(run.Conditions())
	res, err := run.Eval(row)
	out.conditions = slices.Clone(run.Conditions()[before:])
	if err != nil {
		out.err = err
		return out
	}
	if out.null = res.Null(); out.null {
		return out
	}
	out.text, out.err = res.AppendText([]byte{})
	return out
}

// compareBatch compares expressions that raise nothing in one query, and the
// others one by one.
func (o *oracle) compareBatch(t *testing.T, known []*compiled, v *verdict) {
	var texts []string
	for _, k := range known {
		texts = append(texts, k.text)
	}
	r := o.query(t, "SELECT "+strings.Join(texts, ", ")+" FROM v ORDER BY id")
	if r.err == nil && o.warnings(t) == nil {
		for i, k := range known {
			column := table{types: r.types[i : i+1]}
			for _, row := range r.rows {
				column.rows = append(column.rows, row[i:i+1])
			}
			o.compareColumn(k, column, nil, v)
		}
		return
	}
	for _, k := range known {
		if v.differs != "" && !*detail {
			return
		}
		r := o.query(t, "SELECT "+k.text+" FROM v ORDER BY id")
		if r.err == nil {
			if codes := o.warnings(t); codes == nil {
				o.compareColumn(k, r, nil, v)
				continue
			}
		}
		o.compareRows(t, k, v)
	}
}

// compareColumn compares all rows of a result without warnings.
func (o *oracle) compareColumn(k *compiled, r table, _ []string, v *verdict) {
	for i := range k.results {
		k.compareRow(i, r.rows[i][0], nil, nil, v)
	}
	if d := typeDifference(k.x.Type(), r); d != "" {
		v.differ("type", k.text, d)
	}
}

// compareRows asks for one row after the other.
func (o *oracle) compareRows(t *testing.T, k *compiled, v *verdict) {
	for i := range k.results {
		if isRefusal(k.results[i].err) {
			continue
		}
		r := o.query(t, fmt.Sprintf("SELECT %s FROM v WHERE id = %d", k.text, i))
		codes := o.warnings(t)
		if r.err != nil {
			k.compareRow(i, nil, r.err, codes, v)
			continue
		}
		k.compareRow(i, r.rows[0][0], nil, codes, v)
		if d := typeDifference(k.x.Type(), r); d != "" {
			v.differ("type", k.text, d)
		}
	}
}

func (k *compiled) compareRow(i int, theirs []byte, theirErr error, codes []string, v *verdict) {
	ours := &k.results[i]
	var failed *sqlerr.Error
	switch {
	case isRefusal(ours.err):
		v.refused = "refused for a value"
		return
	case ours.err != nil && theirErr != nil && errors.As(ours.err, &failed) &&
		strings.Contains(theirErr.Error(), fmt.Sprint(failed.Number)):
		v.compared++
		return
	case ours.err != nil || theirErr != nil:
		v.differ("error", k.text, "row", i, "server", theirErr, "here", ours.err, string(ours.text))
	case ours.null != (theirs == nil) || !ours.null && !k.sameText(ours.text, theirs):
		v.differ("value", k.text, "row", i, fmt.Sprintf("server %q here %q", theirs, ours.text), theirs == nil, ours.null)
	case !slices.Equal(codes, ours.codes()):
		v.differ("warnings", k.text, "row", i, "server", codes, "here", ours.codes())
	default:
		v.compared++
	}
}

// sameText compares what is sent. The driver reads doubles, so their digits are
// not compared, but the number is.
func (k *compiled) sameText(ours, theirs []byte) bool {
	bits := 64
	switch k.x.Type().Kind {
	case value.Float:
		bits = 32
	case value.Double:
	case value.Year:
		a, errA := strconv.Atoi(string(ours))
		b, errB := strconv.Atoi(string(theirs))
		return errA == nil && errB == nil && a == b
	default:
		return bytes.Equal(ours, theirs)
	}
	a, errA := strconv.ParseFloat(string(ours), bits)
	b, errB := strconv.ParseFloat(string(theirs), bits)
	return errA == nil && errB == nil && a == b
}

func (r *outcomeOfRow) codes() (all []string) {
	for _, c := range r.conditions {
		all = append(all, fmt.Sprintf("%s %d", c.Level, c.Code))
	}
	return all
}

// warnings are levels and codes of SHOW WARNINGS, but for deprecations.
func (o *oracle) warnings(t *testing.T) (all []string) {
	for _, r := range o.query(t, "SHOW WARNINGS").rows {
		if code := string(r[1]); code != "1287" {
			all = append(all, string(r[0])+" "+code)
		}
	}
	return all
}

// typeDifference compares the type of the results as far as a client can tell.
func typeDifference(ours *value.Type, r table) string {
	c := r.types[0]
	theirs, wanted := c.DatabaseTypeName(), driverName(ours)
	if d := scaleDifference(ours, c); d != "" {
		return d
	}
	if kindOfName(theirs) != kindOfName(wanted) {
		return "server " + theirs + " here " + wanted
	}
	return ""
}

func scaleDifference(ours *value.Type, c *sql.ColumnType) string {
	_, scale, ok := c.DecimalSize()
	free := scale >= class.ScaleFree
	switch inexact := ours.Kind == value.Float || ours.Kind == value.Double; {
	case !ok:
	case inexact && (ours.Length == 0) == free && (free || int(scale) == ours.Decimals):
	case !inexact && int(scale) == ours.Decimals:
	default:
		return fmt.Sprintf("scale: server %d here %d", scale, ours.Decimals)
	}
	return ""
}

func driverName(t *value.Type) string {
	name := strings.ToUpper(t.Kind.String())
	if t.Unsigned {
		name = "UNSIGNED " + name
	}
	return name
}

// kindOfName drops what differs between types that a client cannot tell apart
// by their values.
func kindOfName(name string) string {
	switch strings.TrimPrefix(name, "UNSIGNED ") {
	case "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT":
		return strings.Replace(name, strings.TrimPrefix(name, "UNSIGNED "), "INTEGER", 1)
	case "CHAR", "TEXT", "LONGTEXT", "MEDIUMTEXT", "TINYTEXT":
		return "VARCHAR"
	case "BINARY", "BLOB", "LONGBLOB", "MEDIUMBLOB", "TINYBLOB", "NULL":
		return "VARBINARY"
	case "TIMESTAMP":
		return "DATETIME"
	}
	return strings.TrimPrefix(name, "UNSIGNED ")
}

// TestSupported measures what is in the list: all of it with -rewrite, which
// writes the list, else a sample whose seed is printed.
func TestSupported(t *testing.T) {
	seed := *seedFlag
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	found := map[supported.Key]bool{}
	var lock sync.Mutex
	for _, f := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(f.String(), func(t *testing.T) {
			t.Parallel()
			o := connect(t, f)
			rng := rand.New(rand.NewPCG(seed, uint64(f)))
			note := func(p *probe, v *verdict) {
				lock.Lock()
				defer lock.Unlock()
				if v.String() == exactly {
					found[supported.Key{Flavor: f, Operation: p.operation.name, Operands: p.operandList()}] = true
				}
			}
			for _, op := range operations {
				o.measureOperation(t, op, rng, note)
			}
			o.measureAggregates(t, note)
		})
	}
	if *rewrite {
		t.Cleanup(func() { writeSupported(t, found) })
	}
}

// sampleOf is how many probes of an operation are measured without -rewrite: one
// of so many.
const sampleOf = 40

func (o *oracle) measureOperation(t *testing.T, op operationCase, rng *rand.Rand, found func(*probe, *verdict)) {
	if *operation != "" && !isChosen(op.name) {
		return
	}
	counts := map[string]int{}
	for _, p := range probesOf(op) {
		if !*rewrite && *operation == "" && rng.IntN(sampleOf) > 0 {
			continue
		}
		v := o.measure(t, &p)
		found(&p, &v)
		counts[v.String()]++
		if *operation != "" {
			fmt.Printf("%s: %s: %s: %s\n", o.flavor, op.name, p.operandList(), &v)
		}
		if known := supported.Is(o.flavor, op.name, p.operandList()); known && !*rewrite && v.differs != "" {
			t.Errorf("%s of %s: the list says exact, but the %s differs", op.name, p.operandList(), v.differs)
		}
	}
	t.Logf("%s: %v", op.name, counts)
}
