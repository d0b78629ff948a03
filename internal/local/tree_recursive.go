package local

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"tunic/internal/arena"
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// recursive is a compiled recipe.Recursive.
type recursive struct {
	seed     recursiveStep
	steps    []recursiveStep
	types    []*value.Type
	distinct bool
	sure     bool                             // a server makes all of its rows before any of the answer
	number   int                              // among those of the tree
	limit    func(*Execution) (uint64, error) // nil for none
}

// recursiveStep are members of the expression, and how their columns become those of it.
type recursiveStep struct {
	relation
	casts []cast
}

// recursive compiles a common table expression that names itself.
func (t *treeCompiler) recursive(r *recipe.Recursive) (compiledRelation, error) {
	seed, err := t.relation(r.Seed, nil, false)
	if err != nil {
		return seed, err
	}
	made := &recursive{
		seed: recursiveStep{relation: seed.relation}, distinct: r.Distinct, sure: surelyMade(t.query.run.Tree.Root, r), number: t.tree.recursives,
	}
	t.tree.recursives++
	columns := make([]Column, len(seed.columns))
	for i := range columns {
		typ := nullable(labelsAsText(seed.columns[i].Typ)).Unfilled()
		if onlyNull(typ) || r.Distinct && !value.Ordered(typ) {
			return seed, sqlerr.ExpressionRefused("WITH RECURSIVE", typ.Kind.String())
		}
		columns[i] = Column{Typ: typ, hidden: seed.columns[i].hidden}
		made.types = append(made.types, typ)
		made.seed.casts = append(made.seed.casts, castTo(seed.columns[i].Typ, typ))
	}
	t.working[r] = compiledRelation{&working{made.number}, columns}
	for _, s := range r.Steps {
		step, err := t.recursiveStep(s, made.types)
		if err != nil {
			return seed, err
		}
		made.steps = append(made.steps, step)
	}
	if r.Limit != nil {
		c := &compiler{program: t.program, pipeline: &pipeline{}, query: t.query, tree: t}
		made.limit = func(x *Execution) (uint64, error) { return c.number(x, r.Limit.Rowcount) }
	}
	return compiledRelation{made, columns}, nil
}

// recursiveStep compiles a member that names the expression.
func (t *treeCompiler) recursiveStep(r recipe.Relation, types []*value.Type) (recursiveStep, error) {
	of, err := t.relation(r, nil, false)
	if err != nil {
		return recursiveStep{}, err
	}
	if len(of.columns) != len(types) {
		return recursiveStep{}, sqlerr.StatementUnread()
	}
	made := recursiveStep{relation: of.relation}
	for i := range types {
		from := of.columns[i].Typ
		if !storesExactly(from, types[i]) {
			return made, sqlerr.ExpressionRefused("WITH RECURSIVE", types[i].Kind.String()+", "+from.Kind.String())
		}
		made.casts = append(made.casts, cast{from: from, to: types[i], how: castStored})
	}
	return made, nil
}

// surelyMade reports whether the rows of the root are those of an expression, and of
// nothing else.
func surelyMade(root recipe.Relation, r *recipe.Recursive) bool {
	b, ok := root.(*recipe.Block)
	if !ok {
		return false
	}
	source, ok := b.From.(*recipe.Source)
	if !ok {
		return false
	}
	of, ok := source.Of.(*recipe.Shared)
	return ok && of.Of == recipe.Relation(r) && !slices.ContainsFunc(b.Steps, func(s recipe.Step) bool { _, ok := s.(*recipe.Limit); return ok })
}

// storesExactly reports whether values of a type are stored in a column of another
// without becoming others, where they fit.
func storesExactly(from, to *value.Type) bool {
	switch {
	case onlyNull(from), isWhole(from) && isWhole(to):
		return true
	case isExact(from) && to.Kind == value.Decimal:
		return from.Decimals <= to.Decimals || from.Kind.IsInteger()
	case from.Kind.IsText() && to.Kind.IsText():
		return from.Collation == to.Collation
	case from.Kind != to.Kind:
		return false
	case to.Kind == value.Double:
		return from.Length == 0 && to.Length == 0
	case to.Kind == value.Date, to.Kind == value.Year:
		return true
	case to.Kind == value.Time, to.Kind == value.DateTime:
		return from.Decimals <= to.Decimals
	}
	return to.Kind == value.VarBinary
}

// castStored stores a value as a server stores it into its table of the rows, where it
// fits. Of an integer that is no column, nobody knows how long the server's is.
func castStored(dst, v []byte, c *cast, env *value.Env) ([]byte, bool) {
	to := c.to
	var source value.Source
	switch {
	case c.from.Kind == value.Date, c.from.Kind == value.Time, c.from.Kind == value.DateTime, c.from.Kind == value.Year, c.from.Kind == value.Double:
		return append(dst, v...), true
	case isWhole(c.from):
		n := binary.BigEndian.Uint64(v)
		if source = value.UintSource(n); !c.from.Unsigned {
			source = value.IntSource(int64(n))
		}
		const intDigits = 10
		if to.Kind == value.BigInt && to.Length > 0 && to.Length < intDigits {
			to = &value.Type{Kind: value.Int, Unsigned: to.Unsigned}
		}
	case c.from.Kind == value.Decimal:
		return castNumber(dst, v, c, env)
	case c.from.Kind.IsText():
		source = value.StringSource(v, c.from.Collation)
	default:
		source = value.StringSource(v, nil)
	}
	dst, outcome := value.Assign(dst, to, &source, env)
	return dst, !outcome.Null && len(outcome.Conditions()) == 0
}

// recursiveRun is a recursive expression in one execution.
type recursiveRun struct {
	*recursive
	x     *treeRun
	seeds relationRun
	rounds
	members []relationRun
	most    uint64 // rows; those of LIMIT
	seen    arena.Keys
	key     []byte
	kept    arena.Rows
}

// rounds are the rows so far, and which of them the last round has made.
type rounds struct {
	rows     []eval.Row
	from, to int
	round    int // how many there were
}

func (r *recursive) begin(x *treeRun) (relationRun, error) {
	made := &recursiveRun{recursive: r, x: x, most: math.MaxUint64}
	x.recursives[r.number] = &made.rounds
	var err error
	if made.seeds, err = r.seed.begin(x); err != nil {
		return nil, err
	}
	for i := range r.steps {
		member, err := r.steps[i].begin(x)
		if err != nil {
			return nil, err
		}
		made.members = append(made.members, member)
	}
	if r.limit != nil {
		made.most, err = r.limit(&Execution{Inputs: x.inputs})
	}
	return made, err
}

// feed implements relationRun.
func (r *recursiveRun) feed(_ eval.Row, to Sink) error {
	if err := r.make(); err != nil {
		return err
	}
	for _, row := range r.rows {
		if err := to.Row(row); err != nil {
			return ended(err)
		}
	}
	return to.End()
}

// make makes the rows, round after round.
func (r *recursiveRun) make() error {
	err := r.pass(r.seeds, r.seed.casts)
	for err == nil && r.to < len(r.rows) && uint64(len(r.rows)) < r.most {
		r.from, r.to = r.to, len(r.rows)
		r.round++
		if uint64(r.round) > r.x.rounds {
			return r.tooMany()
		}
		for i, of := range r.members {
			if err = r.pass(of, r.steps[i].casts); err != nil {
				break
			}
		}
	}
	return err
}

// pass takes the rows of a member.
func (r *recursiveRun) pass(of relationRun, casts []cast) error {
	return of.feed(nil, &passing{x: r.x, part: &setPart{casts: casts}, to: r})
}

// Row keeps a row.
func (r *recursiveRun) Row(row eval.Row) error {
	row = row[:len(r.types)]
	if uint64(len(r.rows)) >= r.most {
		return ErrEnough
	}
	if r.distinct {
		r.key = r.key[:0]
		for i, v := range row {
			r.key = AppendKey(r.key, r.types[i], v)
		}
		if _, added := r.seen.Add(r.key); !added {
			return nil
		}
		if err := r.x.account.Keep(len(r.key) + arena.KeyBytes); err != nil {
			return err
		}
	}
	kept := r.kept.Keep(row)
	r.rows = append(r.rows, kept)
	return r.x.account.Keep(arena.RowBytes(kept) + arena.ValueBytes)
}

func (r *recursiveRun) End() error { return nil }

// tooMany is what a server does where an expression names itself too often: MySQL says
// so, MariaDB ends with the rows that it has and a warning.
func (r *recursiveRun) tooMany() error {
	if r.x.inputs.Env.Flavor == value.MariaDB {
		return sqlerr.ValueRefused("WITH RECURSIVE, beyond max_recursive_iterations,")
	}
	err := &sqlerr.Error{
		Number: 3636, State: "HY000",
		Message: fmt.Sprintf("Recursive query aborted after %d iterations. Try increasing @@cte_max_recursion_depth to a larger value.", r.round),
	}
	if r.sure {
		return &SureError{err}
	}
	return err
}

// working are the rows of the last round of a recursive expression.
type working struct{ number int }

func (w *working) begin(x *treeRun) (relationRun, error) {
	if x.recursives[w.number] == nil {
		return nil, sqlerr.StatementUnread()
	}
	return x.recursives[w.number], nil
}

// feed implements relationRun.
func (r *rounds) feed(_ eval.Row, to Sink) error {
	for _, row := range r.rows[r.from:r.to] {
		if err := to.Row(row); err != nil {
			return ended(err)
		}
	}
	return to.End()
}
