package guard

import (
	"slices"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// Incomputable is the first guard that is not known to come out as the server's, nil if
// there is none: whoever makes a table refuses it with such a one.
func (s *Set) Incomputable(session eval.Session, env *value.Env) *Guard {
	if s == nil {
		return nil
	}
	for _, g := range append(append([]*Guard(nil), s.Computed...), s.Checks...) {
		if !s.sound(g) || !s.computes(g, session, env) {
			return g
		}
	}
	return nil
}

// computes tries a guard on a row of NULLs.
func (s *Set) computes(g *Guard, session eval.Session, env *value.Env) bool {
	x, err := s.Compile(g, session)
	if err != nil {
		return false
	}
	run, err := x.Start(s.Inputs(g, eval.Inputs{Env: env, Now: time.Now(), ZoneUnknown: env.Location == nil}))
	if err != nil {
		return false
	}
	row := make(eval.Row, len(s.Table.Columns))
	if g.Column < 0 {
		_, err = run.Truth(row)
	} else {
		_, err = run.Eval(row)
	}
	return err == nil
}

// sound reports whether what a guard reads is known when it is computed: no number that
// the server makes, no column that is computed behind it, and, in a generated column,
// nothing that is another value another time. The local time of a TIMESTAMP is.
func (s *Set) sound(g *Guard) bool {
	if s.Generated(g.Column) && (s.Table.Columns[g.Column].Type.Kind == value.Timestamp || s.addsToday(g)) {
		return false
	}
	for _, i := range g.Reads {
		c := &s.Table.Columns[i]
		if c.AutoIncrement || g.Column >= 0 && s.Of(i) != nil && i >= g.Column {
			return false
		}
		if s.Generated(g.Column) && s.cascades(c.Name) {
			return false
		}
		if !c.Protected() && c.Generated || s.Generated(g.Column) && c.Type.Kind == value.Timestamp {
			return false
		}
	}
	return !s.Generated(g.Column) || !asksClock(g.Expr)
}

// cascades reports whether the server may change a column by itself, because the row that
// it refers to has changed.
func (s *Set) cascades(column string) bool {
	changes := func(action string) bool { return strings.HasPrefix(action, "SET") }
	return slices.ContainsFunc(s.Table.ForeignKeys, func(f catalog.ForeignKey) bool {
		refers := slices.ContainsFunc(f.Columns, func(name string) bool { return strings.EqualFold(name, column) })
		return refers && (changes(f.OnDelete) || changes(f.OnRow) || f.OnRow == "CASCADE")
	})
}

// addsToday reports whether a time may become one of the day on which it is computed.
func (s *Set) addsToday(g *Guard) bool {
	timed := func(i int) bool { return s.Table.Columns[i].Type.Kind == value.Time }
	if !slices.ContainsFunc(g.Reads, timed) {
		return false
	}
	dated := map[value.Kind]bool{value.Date: true, value.DateTime: true, value.Year: true}[s.Table.Columns[g.Column].Type.Kind]
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if to, ok := n.(*ast.ConvertType); ok && to != nil {
			kind := strings.ToLower(to.Type)
			dated = dated || kind == "date" || kind == "datetime" || kind == "year"
		}
		return true, nil
	}, g.Expr)
	return dated
}

// asksClock reports whether an expression has the time of the statement in it.
func asksClock(e ast.Expr) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.CurTimeFuncExpr:
			found = true
		case *ast.FuncExpr:
			name := strings.ToLower(n.Name.String())
			found = found || clocks[name]
		}
		return !found, nil
	}, e)
	return found
}

// clocks are functions of the time that are called as any other.
var clocks = map[string]bool{
	"now": true, "sysdate": true, "curdate": true, "curtime": true, "current_date": true, "current_time": true,
	"current_timestamp": true, "localtime": true, "localtimestamp": true, "unix_timestamp": true, "from_unixtime": true, "utc_date": true, "utc_time": true, "utc_timestamp": true,
}
