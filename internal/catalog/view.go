package catalog

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// View is what makes a Table a view over protected tables. Its Columns are what the view
// shows, none of them protected; its Twin is a view over the twins of its tables. At the
// server stands a view of its name without a row, from which the server tells who may
// read it.
type View struct {
	// Query is what the view is of, in the form in which tunic prints statements: names
	// of tables have their schemas, and what a * stood for is written out.
	Query string
	// Shown is the same as the server prints it, with the schemas of tables.
	Shown string
	// Algorithm is UNDEFINED, MERGE or TEMPTABLE; Security is DEFINER or INVOKER; Check is
	// CASCADED, LOCAL or "".
	Algorithm, Security, Check string
	// Definer is the account, as `name`@`host`.
	Definer string
	// Charset and Collation are of the session that has defined it.
	Charset, Collation string
	// Updatable says that the server would write rows through it.
	Updatable bool
	// Over are the tables and views that it reads.
	Over []ViewOver
	// Facts are what information_schema.COLUMNS says of each column, by the names of its
	// columns in upper case, where it differs from what the stored view has there. One
	// that is NULL is not there.
	Facts []map[string]string
}

// ViewOver is a table or view that a view reads.
type ViewOver struct {
	Schema string `json:"schema"`
	Name   string `json:"name"`
	// Twin is the twin that it had when the view's own twin was made; "" of a plain table.
	Twin string `json:"twin,omitempty"`
}

// View finds a view over protected tables; nil if there is none of that name.
func (c *Catalog) View(schema, name string) *Table { return c.views[c.key(schema, name)] }

// Views are all views over protected tables, in no order.
func (c *Catalog) Views() iter.Seq[*Table] { return maps.Values(c.views) }

// Outdated reports whether what a view reads has another definition than when its twin
// was made, which then is not what it was, or is none.
func (c *Catalog) Outdated(v *Table) bool {
	return slices.ContainsFunc(v.View.Over, func(of ViewOver) bool { return c.twin(of.Schema, of.Name) != of.Twin })
}

// twin is the twin of a table or view, "" if there is none.
func (c *Catalog) twin(schema, name string) string {
	if t := c.Table(schema, name); t != nil {
		return t.Twin
	}
	if v := c.View(schema, name); v != nil {
		return v.Twin
	}
	return ""
}

// ViewsOf are those of a schema, in the order of their names.
func (c *Catalog) ViewsOf(schema string) (found []*Table) {
	for v := range c.Views() {
		if c.SameName(v.Schema, schema) {
			found = append(found, v)
		}
	}
	slices.SortFunc(found, func(a, b *Table) int { return strings.Compare(a.Name, b.Name) })
	return found
}

// Knows reports whether a table or view is defined as t says.
func (c *Catalog) Knows(t *Table) bool {
	if t.View != nil {
		return t.Is(c.View(t.Schema, t.Name))
	}
	return t.Is(c.Table(t.Schema, t.Name))
}

// checkView is check of a view.
func (t *Table) checkView() error {
	if t.ID.IsZero() || t.Schema == "" || t.Name == "" || t.Twin == "" || t.View.Query == "" || len(t.Columns) == 0 || len(t.Keys) > 0 || t.Fenced {
		return fmt.Errorf("%w: a view lacks a name, an ID, a query or columns, or has keys or a fence", ErrContent)
	}
	if len(t.View.Facts) != len(t.Columns) {
		return fmt.Errorf("%w: a view with facts of other columns", ErrContent)
	}
	seen := map[string]bool{}
	for i := range t.Columns {
		c := &t.Columns[i]
		n := strings.ToLower(c.Name)
		if c.Name == "" || seen[n] || c.Protected() || len(c.Layers) > 0 || c.Backfilling {
			return fmt.Errorf("%w: a column of a view", ErrContent)
		}
		seen[n] = true
	}
	return nil
}

// writtenView is the written form of a View.
type writtenView struct {
	Query     string              `json:"query"`
	Shown     string              `json:"shown"`
	Algorithm string              `json:"algorithm"`
	Security  string              `json:"security"`
	Check     string              `json:"check,omitempty"`
	Definer   string              `json:"definer"`
	Charset   string              `json:"charset"`
	Collation string              `json:"collation"`
	Updatable bool                `json:"updatable,omitempty"`
	Over      []ViewOver          `json:"over"`
	Facts     []map[string]string `json:"facts"`
}

func (v *View) written() *writtenView {
	if v == nil {
		return nil
	}
	w := writtenView(*v)
	return &w
}

func (w *writtenView) view() *View {
	if w == nil {
		return nil
	}
	v := View(*w)
	return &v
}
