package build

import (
	"tunic/internal/identifier"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// MariaDB's sequences are the server's. A value of one that goes into a protected column
// is asked for before the rows are written, on the client's connection: once for each row,
// in the order of rows, so that it is what the server would have taken. Into a plain
// column it goes as the client wrote it.

// sequencesMax bounds how many there are in the rows of a text.
const sequencesMax = 1 << 12

// sequences finds those of a statement that inserts rows.
type sequences struct {
	row, group int
	protected  bool // one goes into a protected column
	plain      bool // one goes into a plain one
}

// sequenceAsked is what the server is asked for a call of a function of a sequence, "" for
// any other expression.
func (b *Builder) sequenceAsked(n ast.Node) string {
	f, ok := n.(*ast.FuncExpr)
	if !ok || b.Modes&sql.MariaDB == 0 || !f.Qualifier.IsEmpty() || len(f.Exprs) != 1 {
		return ""
	}
	name, ok := f.Exprs[0].(*ast.ColName)
	if !ok || !name.Qualifier.Qualifier.IsEmpty() {
		return ""
	}
	of := identifier.Quoted(name.Name.String())
	if schema := name.Qualifier.Name; !schema.IsEmpty() {
		of = identifier.Quoted(schema.String()) + "." + of
	}
	switch f.Name.Lowered() {
	case "nextval":
		return "NEXT VALUE FOR " + of
	case "lastval":
		return "PREVIOUS VALUE FOR " + of
	}
	return ""
}

// begin begins a row.
func (s *sequences) begin(n int, row ast.ValTuple) {
	s.row, s.group = n, -1
	if repeated := repeatedWith(row); repeated != nil {
		p, _ := sql.PlaceOf(repeated)
		s.group = p.Group
	}
}

// withoutSequences is an expression with parameters in the places of values of sequences;
// asked are those, nil for none. drawn is how many there are before.
func (b *Builder) withoutSequences(e ast.Expr, drawn int) (made ast.Expr, asked []string) {
	first := recipe.FirstSequence + drawn
	node := ast.Rewrite(ast.Clone(e), func(c *ast.Cursor) bool {
		text := b.sequenceAsked(c.Node())
		if text == "" {
			return true
		}
		c.Replace(sql.Param(first + len(asked)))
		asked = append(asked, text)
		return false
	}, nil)
	made, ok := node.(ast.Expr)
	if !ok || len(asked) == 0 {
		return e, nil
	}
	return made, asked
}

// takeSequences has the values of sequences in a cell of a row asked for; it returns the
// cell with parameters in their places.
func (b *Builder) takeSequences(column int, e ast.Expr) (ast.Expr, *ending) {
	insert := b.inserts()
	rows, ok := insert.Rows.(*recipe.TextRows)
	if !ok {
		return e, nil // values, and nothing else
	}
	made, asked := b.withoutSequences(e, len(rows.Sequences))
	switch {
	case len(asked) == 0:
		return e, nil
	case !b.scope.At(column).Protected():
		b.drawn.plain = true
		return made, b.drawn.mixed()
	case insert.Updates || b.Tree.Returning() != nil || b.laws != nil:
		return nil, beyond("a value of a sequence beside ON DUPLICATE KEY UPDATE, RETURNING, a CHECK, DEFAULT or generated column")
	case len(rows.Sequences)+len(asked) > sequencesMax:
		return nil, beyond("such a number of values of sequences")
	}
	b.drawn.protected = true
	for _, text := range asked {
		rows.Sequences = append(rows.Sequences, recipe.Sequence{Ask: text, Row: b.drawn.row, Group: b.drawn.group})
	}
	return made, b.drawn.mixed()
}

// mixed refuses to take some values before the rows and have the server take others with
// them: they would come in another order.
func (s *sequences) mixed() *ending {
	if s.protected && s.plain {
		return beyond("values of sequences for plain and protected columns of one INSERT")
	}
	return nil
}
