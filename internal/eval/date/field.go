package date

import (
	"strings"

	"tunic/internal/eval/class"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"

	"tunic/internal/eval/calendar"
)

// compileField makes a function of one date or time that returns a number.
func compileField(f calendar.Field) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		if err := c.Allow(name, args...); err != nil {
			return nil, err
		}
		ev, as, ok := momentOf(c, args[0], f.AsTime, name)
		if !ok || name == "TIME_TO_SEC" && hasFraction(c, args[0]) {
			return nil, refusal.Of(name)
		}
		s := class.IntegerShape(f.Digits)
		if name == "YEAR" && !c.Session.IsMariaDB() {
			s.Class = class.Year
		}
		return strict(c, name, s, args, []program.Evaluator{ev}, func(in []*program.Datum, out *program.Datum) bool {
			k := program.Unpack(as, in[0].N)
			n, ok := f.Of(&k)
			out.SetInt(int64(n))
			return ok
		}), nil
	}
}

// hasFraction reports whether seconds of an argument have a fraction to MariaDB:
// they are a DECIMAL then.
func hasFraction(c *compilation.Compilation, n *program.Node) bool {
	return c.Session.IsMariaDB() && (n.Scale > 0 || n.Class == class.Text)
}

// compileWeek makes WEEK, which without a mode has that of the session, and YEARWEEK.
func compileWeek(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	ev, as, err := dayOf(c, args[0], name)
	if err != nil {
		return nil, err
	}
	mode := calendar.WeekMode(0)
	if name == "WEEK" {
		mode = calendar.WeekMode(c.Session.WeekMode)
	}
	modes, err := integersOf(c, name, args[1:])
	if err != nil {
		return nil, err
	}
	evs := append([]program.Evaluator{ev}, modes...)
	return strict(c, name, class.IntegerShape(6), args, evs, func(in []*program.Datum, out *program.Datum) bool {
		mode := mode
		if len(in) > 1 {
			mode = calendar.WeekMode(in[1].N & 7)
		}
		k := program.Unpack(as, in[0].N)
		if !k.IsDate() {
			return false
		}
		if name == "WEEK" {
			week, _ := k.Week(mode)
			out.SetInt(int64(week))
			return true
		}
		week, year := k.Week(mode | calendar.WeekOfYears)
		out.SetInt(int64(year*100 + week))
		return true
	}), nil
}

// Extract compiles EXTRACT.
func Extract(c *compilation.Compilation, e *ast.ExtractFuncExpr) (*program.Node, error) {
	n, err := c.Compile(e.Expr)
	if err != nil {
		return nil, err
	}
	unit := strings.ToUpper(e.IntervalType.ToString())
	name := "EXTRACT " + unit
	if err := c.Allow(name, n); err != nil {
		return nil, err
	}
	part, ok := calendar.Extracts[unit]
	ev, as, isMoment := momentOf(c, n, false, name)
	if !ok || !isMoment || as == class.Time && part.OfDate {
		return nil, refusal.Of(name)
	}
	mode := calendar.WeekMode(c.Session.WeekMode)
	if unit == "WEEK" {
		part.Of = func(k *calendar.Clock) int { week, _ := k.Week(mode); return week }
	}
	cyclic := as == class.Time && c.Session.IsMariaDB() // hours beyond a day are days
	return strict(c, name, class.IntegerShape(part.Digits), []*program.Node{n}, []program.Evaluator{ev}, func(in []*program.Datum, out *program.Datum) bool {
		k := program.Unpack(as, in[0].N)
		if unit == "WEEK" && !k.IsDate() || cyclic && k.Hour > 23 {
			return false
		}
		v := part.Of(&k)
		if k.Negative {
			v = -v
		}
		out.SetInt(int64(v))
		return true
	}), nil
}
