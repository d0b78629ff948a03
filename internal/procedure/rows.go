package procedure

import (
	"context"
	"strconv"
	"time"

	"tunic/internal/advice"
	"tunic/internal/catalog"
	"tunic/internal/jobs"
	"tunic/internal/policy"
	"tunic/internal/show"
)

// Rows are the rows of tables of tunic's own.
type Rows struct {
	Life    context.Context         // of who asks
	Fresh   func()                  // reads what other tunics have written
	Catalog func() *catalog.Catalog // that there is now
	Runner  *jobs.Runner
	Advisor *advice.Advisor
}

// listPatience is how long the progress of jobs is waited for.
const listPatience = 10 * time.Second

// Jobs implements show.OwnRows.
func (o *Rows) Jobs() (rows []show.OwnRow, err error) {
	o.Fresh()
	ctx, cancel := context.WithTimeout(o.Life, listPatience)
	defer cancel()
	all, err := o.Runner.List(ctx)
	if err != nil {
		return nil, err
	}
	c := o.Catalog()
	for i := range all {
		j := &all[i]
		row := show.OwnRow{Schema: j.Schema, Table: j.Name, Gone: true}
		if t := c.ByID(j.Table); t != nil {
			row = show.OwnRow{Schema: t.Schema, Table: t.Name, Moving: j.Works()}
		}
		layer := ""
		if j.Layer != 0 {
			layer = layerWord(j.Layer)
		}
		row.Cells = []*string{
			whole(j.ID), &j.Kind, &row.Schema, &row.Table, some(j.ColumnName), some(layer), some(j.State.String()), some(j.Stage), some(j.Cause),
			whole(j.Done), whole(j.Expected), nil, some(j.Reason), some(j.Asked.Format(time.DateTime)),
		}
		if j.Error != 0 {
			row.Cells[11] = whole(uint64(j.Error))
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// Layers implements show.OwnRows.
func (o *Rows) Layers() (rows []show.OwnRow, err error) {
	o.Fresh()
	c := o.Catalog()
	for t := range c.Tables() {
		for i := range t.Columns {
			for _, layer := range policy.Each() {
				if told, ok := o.Advisor.Of(t, i, layer); ok {
					rows = append(rows, layerRow(c, t, &t.Columns[i], &told))
				}
			}
		}
	}
	return rows, nil
}

// layerRow is a layer that is there or is missed.
func layerRow(c *catalog.Catalog, t *catalog.Table, column *catalog.Column, told *advice.Advice) show.OwnRow {
	name := &column.Name
	if column.Shadows != "" { // tunic encrypt fills it for the column that clients know
		name = &column.Shadows
	}
	var scheme *string
	if l := column.Layer(told.Layer); l != nil {
		scheme = some(schemeWord(l))
	}
	return show.OwnRow{Schema: t.Schema, Table: t.Name, Moving: len(c.JobsOf(t.ID)) > 0, Cells: []*string{
		&t.Schema, &t.Name, name, some(layerWord(told.Layer)), scheme, &told.State, jobAt(c, t.ID, column.ID, told.Layer),
		&told.Ceiling, whole(uint64(told.Statements)), whole(uint64(max(told.Rows, 0))), some(told.Advice), some(told.Reason),
	}}
}

// schemeWord is how a layer is made: ord1, or ord1/day of one that sorts by days.
func schemeWord(l *catalog.Layer) string {
	if l.Grain == (policy.Grain{}) {
		return l.Scheme.String()
	}
	return l.Scheme.String() + "/" + l.Grain.String()
}

// jobAt is the live job that is about a layer.
func jobAt(c *catalog.Catalog, table, column catalog.ID, layer policy.Capabilities) *string {
	for _, j := range c.JobsOf(table) {
		if j.Column == column && j.Layer == layer {
			return whole(j.ID)
		}
	}
	return nil
}

// some is a text; nil of the empty one.
func some(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func whole(n uint64) *string { return some(strconv.FormatUint(n, 10)) }
