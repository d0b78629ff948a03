package procedure

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"tunic/internal/advice"
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/ddl/revision"
	"tunic/internal/identifier"
	"tunic/internal/jobs"
	"tunic/internal/layers"
	"tunic/internal/ledger"
	"tunic/internal/policy"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Call is a call under way.
type Call struct {
	Client    ddl.Client
	Catalog   func() *catalog.Catalog // that there is now
	Jobs      *jobs.Runner
	Advisor   *advice.Advisor // nil where nobody counts
	Log       *slog.Logger
	Procedure string
	Schema    string      // of tables whose name has none
	UTF8      func() bool // texts of the client's are in UTF-8
}

// argument is the value of an argument.
type argument struct {
	text string
	null bool
}

func (c *Call) wrong() error { return sqlerr.ProcedureArguments(c.Procedure) }

// Do carries it out. using are the values of parameters.
func (c *Call) Do(ctx context.Context, args []sql.Arg, using []binding.Variable) (*catalog.Job, error) {
	values, err := c.values(args, using)
	if err != nil {
		return nil, err
	}
	switch c.Procedure {
	case "add_layer", "drop_layer":
		return c.layer(ctx, values)
	default:
		return c.control(ctx, values)
	}
}

// values are the arguments' values.
func (c *Call) values(args []sql.Arg, using []binding.Variable) (out []argument, err error) {
	for _, a := range args {
		switch a.Kind {
		case sql.ArgNull:
			out = append(out, argument{null: true})
		case sql.ArgParam:
			if len(using) == 0 {
				return nil, c.wrong()
			}
			v, ok := given(&using[0])
			if !ok {
				return nil, c.wrong()
			}
			out, using = append(out, v), using[1:]
		default:
			out = append(out, argument{text: string(a.Text)})
		}
	}
	for _, v := range out {
		if !utf8.ValidString(v.text) || !c.UTF8() && strings.ContainsFunc(v.text, func(r rune) bool { return r >= utf8.RuneSelf }) {
			return nil, c.wrong()
		}
	}
	return out, nil
}

// given is the value of a parameter: a text or a whole number.
func given(v *binding.Variable) (a argument, ok bool) {
	switch s := v.Source; {
	case v.Null:
		return argument{null: true}, true
	case v.Secret || v.Key:
		return a, false
	case s.Form == value.FormString:
		return argument{text: string(s.Bytes)}, true
	case s.Form == value.FormInt && s.Number <= math.MaxInt64, s.Form == value.FormUint:
		return argument{text: strconv.FormatUint(s.Number, 10)}, true
	}
	return a, false
}

// layer asks for a layer to be added or dropped.
func (c *Call) layer(ctx context.Context, args []argument) (*catalog.Job, error) {
	if len(args) < 3 || len(args) > 4 || args[0].null || args[1].null || args[2].null {
		return nil, c.wrong()
	}
	reason := ""
	if len(args) == 4 {
		reason = args[3].text
	}
	layer, grain, ok := c.layerNamed(args[2].text)
	schema, table, named := c.table(args[0].text)
	if !ok || !named || len(reason) > reasonMax {
		return nil, c.wrong()
	}
	t, err := c.mayAlter(ctx, schema, table)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, sqlerr.LayerPlain(table)
	}
	column := columnNamed(t, args[1].text)
	switch {
	case column < 0:
		return nil, unknownColumn(args[1].text, table)
	case !t.Columns[column].Protected():
		return nil, sqlerr.LayerPlain(t.Columns[column].Name)
	}
	if err := c.judged(ctx, t, column, layer, grain, reason); err != nil {
		return nil, err
	}
	var job *catalog.Job
	if c.Procedure == "drop_layer" {
		job, err = c.Jobs.AskDrop(ctx, t, column, layer, reason)
	} else {
		job, err = c.Jobs.AskAdd(ctx, t, column, layer, grain, reason)
	}
	if err != nil {
		return nil, layerRefusal(err, t, column, layer)
	}
	return job, nil
}

// reasonMax is the longest reason, in bytes.
const reasonMax = 1000

var layerWords = map[string]policy.Capabilities{"equality": policy.Equality, "order": policy.Order}

// layerNamed reads the word for a layer, behind which the grain of one that is added may stand:
// order/day.
func (c *Call) layerNamed(text string) (layer policy.Capabilities, grain policy.Grain, ok bool) {
	word, rest, grained := strings.Cut(strings.ToLower(text), "/")
	layer, ok = layerWords[word]
	if !ok || !grained {
		return layer, grain, ok
	}
	grain, err := policy.ParseGrain(rest)
	return layer, grain, err == nil && layer == policy.Order && c.Procedure == "add_layer"
}

// layerWord is the word for a layer.
func layerWord(layer policy.Capabilities) string {
	if layer == policy.Order {
		return "order"
	}
	return "equality"
}

// columnNamed finds a column by its name, in quotes or not; -1 without one.
func columnNamed(t *catalog.Table, name string) int {
	if at := t.Column(name); at >= 0 || !strings.Contains(name, "`") {
		return at
	}
	if parts, ok := sql.SplitName(name); ok && len(parts) == 1 {
		return t.Column(parts[0])
	}
	return -1
}

// unknownColumn is what the servers say of it.
func unknownColumn(column, table string) *sqlerr.Error {
	return &sqlerr.Error{Number: 1054, State: "42S22", Message: "Unknown column '" + column + "' in '" + table + "'"}
}

// table reads the name of a table, db.table or table, in quotes or not. What has no schema
// is in the session's.
func (c *Call) table(name string) (schema, table string, ok bool) {
	parts, ok := sql.SplitName(name)
	switch {
	case !ok || len(parts) > 2:
		return "", "", false
	case len(parts) == 2:
		return parts[0], parts[1], parts[0] != "" && parts[1] != ""
	default:
		schema = c.Schema
		return schema, parts[0], schema != "" && parts[0] != ""
	}
}

// mayAlter is what the server says of an account that may not alter a table, and of a table
// that it does not have. t is nil of one that is not protected. A temporary table of the
// session's would hide the one that is meant.
func (c *Call) mayAlter(ctx context.Context, schema, table string) (t *catalog.Table, err error) {
	if strings.EqualFold(schema, catalog.Schema) {
		return nil, sqlerr.OwnSchema()
	}
	name := identifier.Quoted(schema) + "." + identifier.Quoted(table)
	if err := c.Client.Exec(ctx, "ALTER TABLE "+name); err != nil {
		return nil, err
	}
	shown, err := c.Client.Query(ctx, "SHOW CREATE TABLE "+name)
	switch {
	case err != nil:
		return nil, err
	case len(shown) != 1 || len(shown[0]) < 2 || shown[0][1] == nil || !strings.HasPrefix(*shown[0][1], "CREATE TABLE "):
		return nil, sqlerr.LayerPlain(table)
	}
	return c.Catalog().Table(schema, table), nil
}

// layerRefusal is why a layer is not added or dropped, for the client.
func layerRefusal(err error, t *catalog.Table, column int, layer policy.Capabilities) error {
	name, word := t.Columns[column].Name, layerWord(layer)
	if busy, ok := errors.AsType[*jobs.BusyError](err); ok {
		return sqlerr.JobBusy(busy.Job, name, word)
	}
	switch {
	case errors.Is(err, jobs.ErrThere):
		if l := t.Columns[column].Layer(layer); l != nil && l.Grain != (policy.Grain{}) {
			word += "/" + l.Grain.String()
		}
		return sqlerr.LayerThere(name, word)
	case errors.Is(err, jobs.ErrAbsent):
		return sqlerr.LayerAbsent(name, word)
	case errors.Is(err, revision.ErrCeiling):
		return sqlerr.LayerCeiling(name, word)
	case errors.Is(err, revision.ErrKeyStands):
		return sqlerr.LayerStands(name, word)
	case errors.Is(err, layers.ErrNoKey):
		return sqlerr.LayerKey(t.Name)
	}
	return err
}

// control pauses, resumes or cancels a job.
func (c *Call) control(ctx context.Context, args []argument) (*catalog.Job, error) {
	if len(args) != 1 || args[0].null {
		return nil, c.wrong()
	}
	id, err := strconv.ParseUint(args[0].text, 10, 64)
	if err != nil {
		return nil, c.wrong()
	}
	job := c.Catalog().Job(id)
	if job == nil || job.Table.IsZero() {
		return nil, sqlerr.NoJob(id)
	}
	if err := c.mayControl(ctx, job); err != nil {
		return nil, err
	}
	do := map[string]func(*jobs.Runner) (*catalog.Job, error){
		"pause":  func(r *jobs.Runner) (*catalog.Job, error) { return r.Pause(ctx, id) },
		"resume": func(r *jobs.Runner) (*catalog.Job, error) { return r.Resume(ctx, id) },
		"cancel": func(r *jobs.Runner) (*catalog.Job, error) { return r.Cancel(ctx, id) },
	}[c.Procedure]
	now, err := do(c.Jobs)
	switch {
	case errors.Is(err, ledger.ErrNoJob):
		return nil, sqlerr.NoJob(id)
	case errors.Is(err, jobs.ErrEnded):
		return nil, sqlerr.JobEnded(id)
	case errors.Is(err, jobs.ErrFinal):
		return nil, sqlerr.JobFinal(id)
	case errors.Is(err, jobs.ErrKind):
		return nil, sqlerr.JobUnknown(id)
	}
	return now, err
}

// mayControl finds out whether the client may alter the table of a job. Of one that is
// gone the server says that there is none, to who may alter what had its name.
func (c *Call) mayControl(ctx context.Context, job *catalog.Job) error {
	schema, table := job.Schema, job.Name
	t := c.Catalog().ByID(job.Table)
	if t != nil {
		schema, table = t.Schema, t.Name
	}
	_, err := c.mayAlter(ctx, schema, table)
	e, said := errors.AsType[*sqlerr.Error](err)
	const noTable = 1146
	if said && e.Code == 0 && e.Number == noTable && t == nil {
		return nil
	}
	return err
}
