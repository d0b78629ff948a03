package recipe

import (
	"fmt"
	"strings"

	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// String shows the run as people read it: what the server is sent, what fills its
// slots, and what is done with the rows. Values are not in it; :p0, :v1 and :s2
// stand for the literals, the parameters and the slots.
func (r *Run) String() string {
	var b strings.Builder
	r.explain(&b, "")
	for _, c := range []Condition{NoToken, CountsChanged, Apart} {
		if other := r.Alternatives[c]; other != nil {
			b.WriteString("or, " + r.says(c) + ":\n")
			other.explain(&b, "  ")
		}
	}
	return b.String()
}

// says is when the alternative takes the place, as people read it.
func (r *Run) says(c Condition) string {
	if c == CountsChanged {
		return "for a client that counts changed rows"
	}
	if c == Apart {
		return "where many rows are joined"
	}
	when := "with a value that no token stands for"
	q, ok := r.Does.(*Query)
	if !ok {
		return when
	}
	if q.HiddenDates {
		when += ", or in a session with NO_ZERO_IN_DATE"
	}
	if q.Moments {
		when += ", or on MySQL in a zone whose clocks are set"
	}
	return when
}

func (r *Run) explain(b *strings.Builder, indent string) {
	line := func(what, format string, args ...any) {
		fmt.Fprintf(b, "%s%-8s %s\n", indent, what, fmt.Sprintf(format, args...))
	}
	if from := r.From(); from != nil {
		line("rows", "of")
		from.explain(b, indent+"  ")
	}
	if added := r.Added(); added != nil && added.Probe != nil {
		line("probe", "%s", added.Probe)
	}
	if r.Remote != nil {
		line("remote", "%s", r.Remote)
	}
	if q, ok := r.Does.(*Query); ok && q.First != nil && q.First.All != nil {
		line("or all", "%s", q.First.All)
	}
	for i, s := range r.Slots {
		line("slot", ":s%d %s", i, r.slot(s))
	}
	if len(r.Cells) > 0 {
		line("fetch", "%s", r.CellsInWords())
	}
	for _, s := range r.Local {
		line("local", "%s", Show(s, expression))
	}
	if r.Tree != nil {
		for _, text := range r.Tree.Lines(expression) {
			line("local", "%s", text)
		}
	}
	if r.Does != nil {
		r.Does.explain(r, line)
	}
	if r.Answer.Describe != nil {
		line("describe", "%s", r.Answer.Describe)
	}
}

func (r *Run) slot(s Slot) string {
	if s.Form == Most {
		return "how many rows are asked for"
	}
	form := "value"
	switch s.Form {
	case Record:
		return r.recordSlot(s)
	case Sealed:
		form = "sealed"
	case Token:
		form = s.Layer.String()
	case Bare:
		form = "plain form"
	case Value, Most:
	}
	use := [...]string{Assign: "to store", Equal: "to compare", Less: "as a bound from below", Greater: "as a bound from above", Around: "as a bound around values"}[s.Use]
	return fmt.Sprintf("%s %s %s, of %s", r.columnName(s.Column), form, use, s.Of)
}

// recordSlot is a slot for the form of a family.
func (r *Run) recordSlot(s Slot) string {
	if s.Use == Equal {
		return fmt.Sprintf("%s to compare, of %s", r.familyName(s.Column), s.Of)
	}
	members := make([]string, 0, len(s.Members))
	for _, m := range s.Members {
		members = append(members, fmt.Sprintf("%s of %s", r.columnName(m.Column), m.Of))
	}
	return fmt.Sprintf("%s to store: %s", r.familyName(s.Column), strings.Join(members, ", "))
}

// familyName is the name of the stored column of the family that a column is in.
func (r *Run) familyName(column int) string {
	c, of := r.columnAt(column)
	return of + c.Stored()
}

// String is the operand as plans show it.
func (o Operand) String() string {
	sign := ""
	if o.Negative {
		sign = "-"
	}
	switch o.Kind {
	case FromPlace:
		return sign + ":" + sql.Hole{Kind: sql.HolePlace, Place: o.Place}.String()
	case FromParam:
		return sign + ":" + sql.Hole{Kind: sql.HoleParam, Number: o.Param}.String()
	case FromDefault:
		return "its default"
	case FromRow:
		return "the row"
	case FromSet:
		return "what is computed"
	case FromComputed:
		return expression(o.Computed.Expr)
	case FromNew:
		return "the new row"
	case FromForm:
	}
	return sign + expression(o.Literal)
}

// CellsInWords are the columns that come back, in words.
func (r *Run) CellsInWords() string {
	var all []string
	for _, c := range r.Cells {
		switch {
		case c.Column < 0:
			all = append(all, "an expression")
		case c.Layer != 0:
			all = append(all, r.columnName(c.Column)+" "+c.Layer.String()+" compared")
		case c.Record:
			all = append(all, r.familyName(c.Column)+" opened")
		case c.Sealed:
			all = append(all, r.columnName(c.Column)+" opened")
		default:
			all = append(all, r.columnName(c.Column))
		}
	}
	return strings.Join(all, ", ")
}

// explainWrite shows what is computed of a row, and how it is written back.
func (r *Run) explainWrite(line liner, w *Write) {
	for _, a := range w.Set {
		line("compute", "%s = %s", r.Table.Columns[a.Column].Name, expression(a.To))
	}
	for _, i := range w.Stamps {
		line("compute", "%s = now, if the row changes", r.Table.Columns[i].Name)
	}
	for i := range w.Beside {
		line("beside", "%s", w.Beside[i].Printed)
		for j := range w.Beside[i].Slots {
			line("slot", ":s%d %s", j, r.besideSlot(&w.Beside[i], j))
		}
	}
	if w.Back != nil {
		line("back", "%s", w.Back)
	}
	if w.Guarded != nil {
		line("or", "%s", w.Guarded)
	}
	if w.Plain != nil {
		line("or", "%s", w.Plain)
	}
	for i, s := range w.Slots {
		line("slot", ":s%d %s", i, r.slot(s))
	}
}

// besideSlot tells what is in a slot of a statement beside.
func (r *Run) besideSlot(of *Beside, n int) string {
	s := of.Slots[n]
	if s.Of.Kind == FromRow {
		return r.slot(s.Slot)
	}
	return (&Run{Table: of.Table}).slot(s.Slot) + ", that of " + r.Table.Columns[s.From].Name
}

// explain shows what is done with each row that is there already.
func (i *Insert) explain(r *Run, line liner) {
	if i.Upsert == nil {
		return
	}
	for at := range i.Upsert.Rows {
		row := &i.Upsert.Rows[at]
		line("insert", "%s", row.Insert)
		for _, f := range row.Finds {
			line("find", "%s: %s", f.Key, f.Remote)
			for j, s := range f.Slots {
				line("slot", ":s%d %s", j, r.slot(s))
			}
		}
		r.explainWrite(line, row.Write)
	}
}

// explain shows nothing of a Query: what it returns are the rows.
func (*Query) explain(*Run, liner) {}

// explain shows nothing of a Change: Remote is all of it.
func (*Change) explain(*Run, liner) {}

// explain shows how each row is written.
func (w *Rewrite) explain(r *Run, line liner) {
	if w.Outright {
		line("write", "outright; the row is read to tell whether it changes")
	}
	r.explainWrite(line, w.Write)
}

// explain shows how each row of each table is written.
func (s *Several) explain(_ *Run, line liner) {
	for _, t := range s.Targets {
		line("write", "%s.%s, by items from %d on", t.Table.Schema, t.Table.Name, t.First)
		(&Run{Table: t.Table}).explainWrite(line, t.Write)
	}
}

// Show is a step in the words of SQL; say says an expression.
func Show(s Step, say func(ast.Expr) string) string {
	switch s := s.(type) {
	case *Filter:
		return "where " + say(s.Where)
	case *Group:
		return "group" + by(s.By, say) + map[bool]string{true: " with rollup"}[s.Rollup]
	case *Having:
		return "having " + say(s.Where)
	case *Project:
		var all []string
		for _, it := range s.Items {
			all = append(all, say(it.Expr))
		}
		return "select " + strings.Join(all, ", ")
	case *Window:
		var all []string
		for _, f := range s.Functions {
			all = append(all, say(f))
		}
		return "compute " + strings.Join(all, ", ")
	case *Distinct:
		return "distinct"
	case *Sort:
		var all []string
		for _, k := range s.By {
			all = append(all, say(k.Expr)+map[bool]string{true: " desc"}[k.Descending])
		}
		return "order by " + strings.Join(all, ", ")
	case *Limit:
		counted := map[bool]string{true: ", counting all"}[s.All]
		if s.Of.Offset != nil {
			return "limit " + say(s.Of.Offset) + ", " + say(s.Of.Rowcount) + counted
		}
		return "limit " + say(s.Of.Rowcount) + counted
	}
	return "unknown"
}

func by(keys []ast.Expr, say func(ast.Expr) string) string {
	var all []string
	for _, k := range keys {
		all = append(all, say(k))
	}
	if len(all) == 0 {
		return " all"
	}
	return " by " + strings.Join(all, ", ")
}

// expression is an expression as the stored statement would have it.
func expression(e ast.Expr) string { return printed(e, (*sql.Printed).String) }

// printed is an expression as text makes it of what is printed. A printer prints
// statements, so it is printed as what a query selects.
func printed(e ast.Expr, text func(*sql.Printed) string) string {
	const before, after = "select ", " from `rows`"
	p, err := sql.NewTree(&ast.Select{
		SelectExprs: &ast.SelectExprs{Exprs: []ast.SelectExpr{&ast.AliasedExpr{Expr: e}}},
		From:        ast.TableExprs{&ast.AliasedTableExpr{Expr: ast.TableName{Name: ast.Name("rows")}}},
	}, nil).Print(0)
	if err != nil {
		return "an expression"
	}
	return strings.TrimSuffix(strings.TrimPrefix(text(p), before), after)
}
