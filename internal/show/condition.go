package show

import (
	"strings"

	"tunic/internal/plan"
	"tunic/internal/sql"
)

// edit is what stands in the place of a part of the text.
func (a *Answer) edit(e *plan.Edit) string {
	if a.inquiry.Thing == sql.Indexes {
		return a.caseOf("Column_name", e.Column, func(yield func(name, fact string)) {
			for layer, i := range a.table.layers {
				if i >= 0 {
					yield(layer, a.table.Columns[i].Name)
				}
			}
		})
	}
	return a.caseOf("Field", e.Column, func(yield func(name, fact string)) {
		for i := range a.table.fields {
			f := &a.table.fields[i]
			if !f.column.Protected() {
				continue
			}
			switch strings.ToLower(e.Column) {
			case "type":
				yield(f.column.Name, f.typeText())
			case "null":
				yield(f.column.Name, f.nullable())
			case "collation":
				yield(f.column.Name, f.column.CollationName)
			case "key":
				yield(f.column.Name, f.key)
			case "extra":
				yield(f.column.Name, f.extra())
			}
		}
	})
}

// caseOf is the expression that has the logical fact where a column of the answer
// has the stored one.
func (a *Answer) caseOf(of, column string, facts func(yield func(name, fact string))) string {
	var b strings.Builder
	b.WriteString("(CASE `" + of + "`")
	facts(func(name, fact string) {
		b.WriteString(" WHEN " + literal(name) + " THEN ")
		if strings.EqualFold(column, "collation") && fact == "" {
			b.WriteString("NULL")
			return
		}
		b.WriteString(literal(fact))
	})
	b.WriteString(" ELSE `" + column + "` END)")
	return b.String()
}
