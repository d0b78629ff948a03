package recipe

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/sql"
)

// Others are the Runs that may take its place, and the one of rows that it inserts.
func (r *Run) Others() []*Run {
	all := slices.Clone(r.Alternatives[:])
	if r.Does != nil {
		all = append(all, r.Does.others()...)
	}
	return slices.DeleteFunc(all, func(other *Run) bool { return other == nil })
}

// AskFirst has the Runs that may take its place ask the same.
func (r *Run) AskFirst(texts []string) {
	r.Asks = texts
	for _, other := range r.Others() {
		other.AskFirst(texts)
	}
}

// AddTables notes the tables on the ways of cascades in it and in those that may take its place.
func (r *Run) AddTables(tables []*catalog.Table) {
	r.Tables = uniqueTables(append(slices.Clone(r.Tables), tables...))
	for _, other := range r.Others() {
		other.AddTables(tables)
	}
}

// NoteActions notes in it, and in those that may take its place, of which foreign keys it was
// planned. It is for every Run, one that only fails included: a session plans a statement
// that writes again as long as they are not those that are there.
func (r *Run) NoteActions(c *catalog.Catalog) {
	r.Actions = c.Actions()
	for _, other := range r.Others() {
		other.NoteActions(c)
	}
}

// Writes reports whether it can delete rows, or change them.
func (r *Run) Writes() bool {
	switch r.Kind {
	case sql.Update, sql.Delete, sql.Replace:
		return true
	}
	i, ok := r.Does.(*Insert)
	return ok && i.Updates || r.Load() != nil
}

// Added is what is needed of rows that it inserts and that do not come from its text; nil without any.
func (r *Run) Added() *Added {
	if i, ok := r.Does.(*Insert); ok && i.Rows != nil {
		return i.Rows.added()
	}
	return nil
}

// From is the query whose rows it inserts, nil if it inserts none.
func (r *Run) From() *Run {
	if q := r.queryRows(); q != nil {
		return q.Of
	}
	return nil
}

func (r *Run) queryRows() *QueryRows {
	if i, ok := r.Does.(*Insert); ok {
		if q, ok := i.Rows.(*QueryRows); ok {
			return q
		}
	}
	return nil
}

// Upsert is what it does with rows that are there already, nil if it inserts none or the server does it.
func (r *Run) Upsert() *Upsert {
	if i, ok := r.Does.(*Insert); ok {
		return i.Upsert
	}
	return nil
}

// Rewrite is what it does with rows that it reads to write them, nil if it reads none of one table.
func (r *Run) Rewrite() *Rewrite {
	w, _ := r.Does.(*Rewrite)
	return w
}

// Targets are the tables whose rows it writes that it finds in several; nil if it finds none so.
func (r *Run) Targets() []*Target {
	if s, ok := r.Does.(*Several); ok {
		return s.Targets
	}
	return nil
}

// Load is the file whose lines it inserts, nil if it inserts none.
func (r *Run) Load() *Load {
	if i, ok := r.Does.(*Insert); ok {
		if l, ok := i.Rows.(*Load); ok {
			return l
		}
	}
	return nil
}

// writes are all second halves: of its rows, of those of its targets, and of rows that are
// there already.
func (r *Run) writes() []*Write {
	if r.Does == nil {
		return nil
	}
	return r.Does.writes()
}

// stored are the statements that are sent when it is carried out; some are nil.
func (r *Run) stored() []*sql.Printed {
	all := []*sql.Printed{r.Remote}
	if r.Does != nil {
		all = append(all, r.Does.stored()...)
	}
	for _, w := range r.writes() {
		all = append(all, w.Back, w.Plain, w.Guarded)
		for i := range w.Beside {
			all = append(all, w.Beside[i].Printed)
		}
	}
	return all
}

// FindTables finds the tables of a Run and of those that may take its place.
func (r *Run) FindTables() {
	switch from := r.From(); {
	case from != nil:
		r.Tables = uniqueTables(append(slices.Clone(from.Tree.Tables), r.Table))
	case r.Tree != nil:
		r.Tables = r.Tree.tables()
	case r.Table != nil:
		r.Tables = []*catalog.Table{r.Table}
	}
	for _, other := range r.Others() {
		other.FindTables()
	}
}

// Opens reports whether anything that comes back is a sealed form.
func (r *Run) Opens() bool {
	for _, f := range r.Fetch {
		if f.Opened {
			return true
		}
	}
	return false
}

// Informs reports whether Remote reads tables of information_schema.
func (r *Run) Informs() bool { return r.Tree != nil && r.Tree.Informs }

// FinishesRows reports whether tunic does a part of the statement itself, on rows that it opens.
func (r *Run) FinishesRows() bool { return r != nil && (len(r.Local) > 0 || r.Tree != nil) }

func (q *Query) writes() []*Write { return nil }

func (q *Query) stored() []*sql.Printed {
	if q.First == nil {
		return nil
	}
	return []*sql.Printed{q.First.All}
}

func (q *Query) others() []*Run { return nil }

func (i *Insert) writes() (all []*Write) {
	if i.Upsert == nil {
		return nil
	}
	for _, row := range i.Upsert.Rows {
		if row.Write != nil {
			all = append(all, row.Write)
		}
	}
	return all
}

func (i *Insert) stored() (all []*sql.Printed) {
	if i.Upsert == nil {
		return nil
	}
	for _, row := range i.Upsert.Rows {
		all = append(all, row.Insert)
		for _, f := range row.Finds {
			all = append(all, f.Remote)
		}
	}
	return all
}

func (i *Insert) others() []*Run {
	if q, ok := i.Rows.(*QueryRows); ok {
		return []*Run{q.Of}
	}
	return nil
}

func (*Change) writes() []*Write { return nil }

func (*Change) stored() []*sql.Printed { return nil }

func (*Change) others() []*Run { return nil }

func (w *Rewrite) writes() []*Write { return []*Write{w.Write} }

func (*Rewrite) stored() []*sql.Printed { return nil }

// others of a Rewrite are none: what it returns is of its own rows, and nothing is sent for it.
func (*Rewrite) others() []*Run { return nil }

func (s *Several) writes() []*Write {
	all := make([]*Write, 0, len(s.Targets))
	for _, t := range s.Targets {
		all = append(all, t.Write)
	}
	return all
}

func (*Several) stored() []*sql.Printed { return nil }

func (*Several) others() []*Run { return nil }
