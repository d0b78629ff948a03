package sql

import (
	"vitess.io/vitess/go/vt/sqlparser"

	"tunic/internal/sql/ast"
)

// Print writes the tree's statement as the server reads it in modes m, with
// holes where bind variables are. Names are in backquotes, strings are written
// for the modes, and nothing is left of comments but optimizer hints.
//
// The library's own printing is not trusted. What has been seen to come out as
// it went in is a closed list of nodes (print_nodes.go); anything else is
// ErrPrintNode. And what is printed is read again, by the lexer of this package
// and by the library: if that does not give the tree that was printed, the
// error is ErrPrintReading. Print costs as much as two parses.
func (t *Tree) Print(m Modes) (p *Printed, err error) {
	defer func() {
		if recover() != nil {
			p, err = nil, ErrPrintNode // the library panics on trees it could not have made
		}
	}()
	if t.marked {
		return nil, ErrPrintNode // no server reads the names that stand for what the library has not
	}
	w := printer{modes: m, group: -1, ins: map[*sqlparser.Expr]bool{}}
	buf := sqlparser.NewTrackedBuffer(w.node)
	buf.SetEscapeAllIdentifiers()
	w.node(buf, t.root)
	if t.returning != nil {
		buf.WriteString(" returning ")
		w.node(buf, t.returning)
	}
	if w.err != nil {
		return nil, w.err
	}
	text := buf.String()
	if err := t.reads(w.bound(text), m); err != nil {
		return nil, err
	}
	return w.printed(text), nil
}

// printer is the state of one Print.
type printer struct {
	modes Modes
	err   error
	marks []markAt
	group int // the group whose element is being printed; -1 if none
	rows  bool
	ins   map[*sqlparser.Expr]bool // the first items of the lists of IN
	limit bool                     // a LIMIT is being printed
}

// markAt is something at an index of the text: a hole, the beginning of a run or
// its end.
type markAt struct {
	at   int
	what markWhat
	hole hole
	// temporal says that the hole is after DATE, which takes a string.
	temporal bool
	limit    bool
}

type markWhat uint8

const (
	markHole markWhat = iota
	markRun
	markRunEnd
)

func (w *printer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// node is called by the library for every node, to print it.
func (w *printer) node(buf *sqlparser.TrackedBuffer, node sqlparser.SQLNode) {
	if w.err != nil {
		return
	}
	switch n := node.(type) {
	case *sqlparser.Argument:
		w.argument(buf, n)
		return
	case *sqlparser.Literal:
		w.literal(buf, n)
		return
	case sqlparser.Values:
		w.rowsOf(buf, n)
		return
	case sqlparser.ValTuple:
		w.tuple(buf, n)
		return
	case *sqlparser.Union:
		if _, set := ast.SetOf(n); set {
			w.setOf(buf, n)
			return
		}
	case *sqlparser.Delete:
		if len(n.Targets) > 0 && n.IsSingleAliasExpr() {
			w.deleteOf(buf, n)
			return
		}
	case *sqlparser.Limit:
		w.limit = true
		defer func() { w.limit = false }()
	case *sqlparser.ComparisonExpr:
		if list, ok := n.Right.(sqlparser.ValTuple); ok && len(list) > 0 &&
			(n.Operator == sqlparser.InOp || n.Operator == sqlparser.NotInOp) {
			w.ins[&list[0]] = true
		}
	}
	if !printable(node) {
		w.fail(ErrPrintNode)
		return
	}
	node.Format(buf)
}

// deleteOf prints a DELETE that lists the one table that it has, which the library
// leaves out.
func (w *printer) deleteOf(buf *sqlparser.TrackedBuffer, n *sqlparser.Delete) {
	if n.With != nil {
		w.node(buf, n.With)
	}
	buf.WriteString("delete ")
	if n.Comments != nil {
		w.node(buf, n.Comments)
	}
	if n.Ignore {
		buf.WriteString("ignore ")
	}
	w.node(buf, n.Targets)
	buf.WriteString(" from ")
	w.node(buf, n.TableExprs[0])
	if n.Where != nil {
		w.node(buf, n.Where)
	}
}

// argument leaves a hole.
func (w *printer) argument(buf *sqlparser.TrackedBuffer, a *sqlparser.Argument) {
	h, ok := readHole(a.Name)
	if !ok || (h.group >= 0 && (h.group != w.group || h.rows != w.rows)) {
		w.fail(ErrPrintHole)
		return
	}
	temporal := true
	switch TemporalOf(a) {
	case LiteralDate:
		buf.WriteString("date ")
	case LiteralTime:
		buf.WriteString("time ")
	case LiteralTimestamp:
		buf.WriteString("timestamp ")
	default:
		temporal = false
	}
	w.marks = append(w.marks, markAt{at: buf.Len(), what: markHole, hole: h, temporal: temporal, limit: w.limit})
}

// literal writes a literal of the statement's form. Only strings depend on the
// modes.
func (w *printer) literal(buf *sqlparser.TrackedBuffer, l *sqlparser.Literal) {
	if l.Type != sqlparser.StrVal {
		l.Format(buf)
		return
	}
	buf.WriteString(string(AppendString(nil, []byte(l.Val), w.modes)))
}

// rowsOf prints the rows of an INSERT; a row with places of a group of rows is
// the group's element.
func (w *printer) rowsOf(buf *sqlparser.TrackedBuffer, rows sqlparser.Values) {
	buf.WriteString("values ")
	for i, row := range rows {
		if i > 0 {
			buf.WriteString(", ")
		}
		w.element(buf, row, true)
	}
}

// tuple prints a list of expressions; an item of an IN with places of a group of
// items is the group's element.
func (w *printer) tuple(buf *sqlparser.TrackedBuffer, list sqlparser.ValTuple) {
	isIn := len(list) > 0 && w.ins[&list[0]]
	buf.WriteString("(")
	for i, item := range list {
		if i > 0 {
			buf.WriteString(", ")
		}
		if isIn {
			w.element(buf, item, false)
		} else {
			w.node(buf, item)
		}
	}
	buf.WriteString(")")
}

// element prints node, as a run if it has bind variables of a group whose
// elements are rows, or items.
func (w *printer) element(buf *sqlparser.TrackedBuffer, node sqlparser.SQLNode, rows bool) {
	h, ok := groupIn(node, rows)
	if !ok || w.group >= 0 {
		w.node(buf, node) // in a run, a group of its own would not be found there
		return
	}
	w.group, w.rows = h.group, rows
	w.marks = append(w.marks, markAt{at: buf.Len(), what: markRun, hole: h})
	w.node(buf, node)
	w.marks = append(w.marks, markAt{at: buf.Len(), what: markRunEnd})
	w.group = -1
}

// groupIn is a bind variable in node that is of a group of rows, or of items.
func groupIn(node sqlparser.SQLNode, rows bool) (found hole, ok bool) {
	_ = sqlparser.Walk(func(n sqlparser.SQLNode) (bool, error) {
		if a, is := n.(*sqlparser.Argument); is {
			if h, known := readHole(a.Name); known && h.group >= 0 && h.rows == rows {
				found, ok = h, true
			}
		}
		return !ok, nil
	}, node)
	return found, ok
}

// bound is the text with the names of bind variables in its holes.
func (w *printer) bound(text string) string {
	out, at := make([]byte, 0, len(text)+8*len(w.marks)), 0
	for _, k := range w.marks {
		if k.what != markHole {
			continue
		}
		out = append(out, text[at:k.at]...)
		at = k.at
		if k.temporal {
			out = append(append(append(out, '\''), k.hole.name()...), '\'')
		} else {
			out = append(append(out, ':'), k.hole.name()...)
		}
	}
	return string(append(out, text[at:]...))
}

// printed cuts the text at its holes.
func (w *printer) printed(text string) *Printed {
	p, at := &Printed{}, 0
	cut := func(end int, h Hole) {
		if end > at || h.Kind != holeNone {
			p.pieces = append(p.pieces, piece{text: text[at:end], hole: h})
		}
		at = end
	}
	for _, k := range w.marks {
		switch k.what {
		case markHole:
			of := k.hole.exported()
			of.Limit = k.limit
			cut(k.at, of)
		case markRun:
			cut(k.at, Hole{})
			p.runs = append(p.runs, run{group: k.hole.group, from: len(p.pieces)})
		case markRunEnd:
			cut(k.at, Hole{})
			p.runs[len(p.runs)-1].to = len(p.pieces)
		}
	}
	cut(len(text), Hole{})
	return p
}

func (h hole) exported() Hole {
	switch h.what {
	case 'v':
		return Hole{Kind: HoleParam, Number: h.n}
	case 's':
		return Hole{Kind: HoleSlot, Number: h.n}
	}
	return Hole{Kind: HolePlace, Place: Place{Group: h.group, Cell: h.n}}
}

// reads makes sure that text, with the names of bind variables in its holes, is
// read as the tree in modes m.
func (t *Tree) reads(text string, m Modes) error {
	root, _ := treeKind(t.root)
	r := respeller{out: make([]byte, 0, len(text)+16), bound: true, kind: root}
	spelled, err := r.respell([]byte(text), m)
	if err != nil {
		return err
	}
	again, err := parseRespelled(spelled, root)
	if err != nil {
		return ErrPrintReading
	}
	again.bindTemporal()
	if !sqlparser.Equals.SQLNode(again.root, t.root) || !sqlparser.Equals.RefOfSelectExprs(again.returning, t.returning) {
		return ErrPrintReading
	}
	return nil
}

// AppendString appends a string literal whose value is value to dst, as it is
// written in modes m: in single quotes. The value is in the client's character
// set.
func AppendString(dst, value []byte, m Modes) []byte {
	escapes, cs := m&NoBackslashEscapes == 0, m.Charset()
	dst = append(dst, '\'')
	for i := 0; i < len(value); {
		n := cs.CharLen(value, i)
		if c := value[i]; n == 1 && (c == '\'' || (escapes && c == '\\')) {
			dst = append(dst, c)
		}
		dst = append(dst, value[i:i+n]...)
		i += n
	}
	return append(dst, '\'')
}
