package recipe

import (
	"slices"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/sql/ast"
)

// columnAt is a column that Slot.Column or Fetch.Column counts to, and what names its
// table where there are several.
func (r *Run) columnAt(i int) (*catalog.Column, string) {
	if r.Tree == nil {
		return &r.Table.Columns[i], ""
	}
	for _, t := range r.Tree.Tables {
		if i < len(t.Columns) {
			return &t.Columns[i], t.Name + "."
		}
		i -= len(t.Columns)
	}
	return &catalog.Column{}, ""
}

// columnName is the name of such a column.
func (r *Run) columnName(i int) string {
	c, of := r.columnAt(i)
	return of + c.Name
}

// teller shows a tree, a line for each thing that is done, what is inside of another
// indented.
type teller struct {
	say    func(ast.Expr) string
	tree   *Tree
	lines  []string
	shared map[*Shared]int
}

// Lines shows the tree; say says an expression.
func (t *Tree) Lines(say func(ast.Expr) string) []string {
	w := &teller{say: say, tree: t, shared: map[*Shared]int{}}
	w.relation(t.Root, 0)
	return w.lines
}

func (w *teller) add(depth int, text string) {
	w.lines = append(w.lines, strings.Repeat("  ", depth)+text)
}

func (w *teller) relation(r Relation, depth int) {
	switch r := r.(type) {
	case *Scan:
		w.add(depth, "rows "+strconv.Itoa(r.Leaf))
	case *Block:
		w.from(r.From, depth)
		w.steps(r.Steps, depth)
	case *Set:
		w.relation(r.Left, depth+1)
		text := [...]string{Union: "union", Intersect: "intersect", Except: "except"}[r.Kind]
		w.add(depth, text+map[bool]string{false: " all"}[r.Distinct])
		w.relation(r.Right, depth+1)
		w.steps(r.Steps, depth)
	case *Shared:
		n, known := w.shared[r]
		if !known {
			n = len(w.shared) + 1
			w.shared[r] = n
		}
		w.add(depth, "rows "+strconv.Itoa(n)+map[bool]string{true: ", as above"}[known])
		if !known {
			w.relation(r.Of, depth+1)
		}
	case *Recursive:
		w.recursive(r, depth)
	case *Working:
		w.add(depth, "rows of the last round")
	}
}

func (w *teller) recursive(r *Recursive, depth int) {
	w.relation(r.Seed, depth)
	text := "then, until there are no more" + map[bool]string{true: " others"}[r.Distinct]
	if r.Limit != nil {
		text += ", limit " + w.say(r.Limit.Rowcount)
	}
	w.add(depth, text)
	for _, s := range r.Steps {
		w.relation(s, depth+1)
	}
}

func (w *teller) from(f From, depth int) {
	switch f := f.(type) {
	case *Source:
		w.source(f, "from ", depth)
	case *Join:
		w.from(f.Left, depth)
		how := map[bool]string{true: "left join ", false: "join "}[f.Outer]
		right, ok := f.Right.(*Source)
		if ok {
			w.source(right, how, depth)
		} else {
			w.add(depth, how+"of")
			w.from(f.Right, depth+1)
		}
		if f.On != nil {
			w.add(depth+1, "on "+w.say(f.On))
		}
	}
}

func (w *teller) source(s *Source, how string, depth int) {
	text := how + identifier.Quoted(s.Name)
	if scan, ok := s.Of.(*Scan); ok && len(w.tree.Leaves) > 1 {
		text += " of remote " + strconv.Itoa(scan.Leaf) + w.held(scan.Leaf)
	}
	if s.Lateral {
		text += " lateral"
	}
	for _, k := range s.Keys {
		text += ", found by " + w.say(k)
	}
	if s.Where != nil {
		text += ", where " + w.say(s.Where)
	}
	w.add(depth, text)
	if _, ok := s.Of.(*Scan); !ok {
		w.relation(s.Of, depth+1)
	}
}

// held are the other leaves that rows of a leaf have to meet when they come.
func (w *teller) held(leaf int) string {
	var to []string
	for _, m := range w.tree.Leaves[leaf].Meets {
		if n := strconv.Itoa(m.Leaf); !slices.Contains(to, n) {
			to = append(to, n)
		}
	}
	if len(to) == 0 {
		return ""
	}
	return ", held to remote " + strings.Join(to, " and ")
}

func (w *teller) steps(steps []Step, depth int) {
	for _, s := range steps {
		a, ok := s.(*Attach)
		if !ok {
			w.add(depth, Show(s, w.say))
			continue
		}
		for _, q := range a.Subqueries {
			w.subquery(q, depth)
		}
	}
}

func (w *teller) subquery(q *Subquery, depth int) {
	text := "query " + strconv.Itoa(q.Number)
	switch q.Kind {
	case Exists:
		text += ", whether it has rows"
	case Compared:
		var operands []string
		for _, e := range q.Operands {
			operands = append(operands, w.say(e))
		}
		text += ", " + strings.Join(operands, ", ") + " " + q.Operator.ToString() + map[bool]string{true: " all", false: " any"}[q.Every]
	case Scalar:
	}
	w.add(depth, text)
	w.relation(q.Of, depth+1)
}
