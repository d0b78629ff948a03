package revision

import (
	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/identifier"
)

// WithoutBackfilling is a copy of a table, without what a statement before was backfilling. Layers
// of jobs stay.
func WithoutBackfilling(t *catalog.Table) *catalog.Table {
	next := *t
	next.Columns = nil
	for _, c := range t.Columns {
		if c.Backfilling {
			continue
		}
		var kept []catalog.Layer
		for _, l := range c.Layers {
			if l.State != catalog.Backfilling || l.Job != 0 {
				kept = append(kept, l)
			}
		}
		c.Layers = kept
		next.Columns = append(next.Columns, c)
	}
	return &next
}

// NameNew give new columns that are being backfilled their names, or, back, names of tunic's own
// instead.
func NameNew(t *catalog.Table, back bool) (clauses []string) {
	for i := range t.Columns {
		c := &t.Columns[i]
		if !c.Backfilling || c.Shadows != "" {
			continue
		}
		from, to := form.AheadName(c.Stored()), c.Stored()
		if back {
			from, to = to, from
		}
		clauses = append(clauses, "RENAME COLUMN "+identifier.Quoted(from)+" TO "+identifier.Quoted(to))
	}
	return clauses
}

// AddAhead add the stored columns of shadows and layers that another table has beyond one,
// behind all columns.
func AddAhead(t, next *catalog.Table) (clauses []string) {
	blobs := form.BlobsFor(next)
	for i := range next.Columns {
		c := &next.Columns[i]
		if c.Backfilling {
			clauses = append(clauses, "ADD COLUMN "+form.Column(form.AheadName(c.Stored()), form.SealedType(&c.Type, blobs[c.Stored()]), false).Text)
		}
		for j := range c.Layers {
			if l := &c.Layers[j]; l.State == catalog.Backfilling && t.StoredColumn(l.Stored).Layer == nil {
				clauses = append(clauses, "ADD COLUMN "+form.Column(l.Stored, form.TokenType(l, &c.Type), false).Text)
			}
		}
	}
	return clauses
}

// Adding is the statement that adds what a revision is backfilling to the stored
// table: behind the other forms of their column, and new columns behind all others.
// What a statement before has left goes; what jobs are backfilling is there.
// Leftovers are stored columns that belong to nothing, and may have the names that are needed.
func Adding(from, next *catalog.Table, leftovers ...string) string {
	clauses, blobs := DropBackfilling(from), form.BlobsFor(next)
	for _, name := range leftovers {
		clauses = append(clauses, "DROP COLUMN "+identifier.Quoted(name))
	}
	there := WithoutBackfilling(from)
	for i := range next.Columns {
		c := &next.Columns[i]
		after := ""
		for s := range next.StoredOf(i) {
			after = " AFTER " + identifier.Quoted(s.Name) // behind what is its own
			break
		}
		if c.Backfilling {
			clauses, after = append(clauses, "ADD COLUMN "+form.Column(c.Stored(), form.SealedType(&c.Type, blobs[c.Stored()]), false).Text), ""
		}
		for j := range c.Layers {
			l := &c.Layers[j]
			if l.State == catalog.Backfilling && there.StoredColumn(l.Stored).Layer == nil {
				clauses = append(clauses, "ADD COLUMN "+form.Column(l.Stored, form.TokenType(l, &c.Type), false).Text+after)
			}
			if !c.Backfilling {
				after = " AFTER " + identifier.Quoted(l.Stored)
			}
		}
	}
	return Alter(from, next, clauses)
}

// DropBackfilling drop the stored columns that a table is backfilling for a statement.
func DropBackfilling(t *catalog.Table) (clauses []string) {
	for s := range t.StoredColumns() {
		if l := s.Layer; s.Kind == catalog.StoredSealed && s.Column.Backfilling || l != nil && l.State == catalog.Backfilling && l.Job == 0 {
			clauses = append(clauses, "DROP COLUMN "+identifier.Quoted(s.Name))
		}
	}
	return clauses
}
