package text

import (
	"strings"

	"tunic/internal/eval/characters"
	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value/charset"
)

func compileConcat(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.AllowPairs(name, args); err != nil {
		return nil, err
	}
	evs, s, err := coercion.Texts(c, name, args...)
	if err != nil {
		return nil, err
	}
	slot := c.Slot()
	return program.Derive(s, func(r *program.Run) *program.Datum {
		pieces := r.Pieces(len(evs))
		if !program.EvalAll(r, evs, pieces) {
			return program.NullDatum
		}
		return r.Write(slot, func(dst []byte) []byte {
			for _, p := range pieces {
				dst = append(dst, p.B...)
			}
			return dst
		})
	}, args...), nil
}

// compileLength makes LENGTH and its kin: a number from text.
func compileLength(measure func(set *charset.Charset, s []byte) int) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		if err := c.Allow(name, args[0]); err != nil {
			return nil, err
		}
		evs, s, err := coercion.Texts(c, name, args[0])
		if err != nil {
			return nil, err
		}
		set, slot, ev := coercion.SetOf(c, s), c.Slot(), evs[0]
		if set.BytesMin > 1 {
			return nil, refusal.Of(name + " in " + set.Name)
		}
		result := class.Shape{Class: class.Int, Digits: 10, Coercible: class.CoercibleNumber}
		return program.Derive(result, func(r *program.Run) *program.Datum {
			d := ev(r)
			if d.Null {
				return program.NullDatum
			}
			return r.Slots[slot].SetInt(int64(measure(set, d.B)))
		}, args[0]), nil
	}
}

// compilePart makes a function of text and integers that returns a part of the
// text.
func compilePart(part func(set *charset.Charset, s []byte, n []int64) []byte) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		if err := c.Allow(name, args...); err != nil {
			return nil, err
		}
		evs, s, err := coercion.Texts(c, name, args[0])
		if err != nil {
			return nil, err
		}
		numbers := make([]program.Evaluator, len(args)-1)
		for i, a := range args[1:] {
			numbers[i] = c.Quiet(coercion.ClampedInteger(c, a, name), name)
		}
		set, slot, text := coercion.SetOf(c, s), c.Slot(), evs[0]
		return program.Derive(s, func(r *program.Run) *program.Datum {
			d := text(r)
			unknown := d.Null
			var n [2]int64
			for i, ev := range numbers { // all of them: each may warn
				x := ev(r)
				unknown = unknown || x.Null
				n[i] = int64(x.N)
			}
			if unknown {
				return program.NullDatum
			}
			return r.Slots[slot].SetBytes(part(set, d.B, n[:len(numbers)]))
		}, args...), nil
	}
}

// Substring compiles SUBSTRING, which has a grammar of its own.
func Substring(c *compilation.Compilation, e *ast.SubstrExpr) (*program.Node, error) {
	list := []ast.Expr{e.Name, e.From}
	if e.To != nil {
		list = append(list, e.To)
	}
	args, err := c.All(list)
	if err != nil {
		return nil, err
	}
	return compilePart(characters.Substring)(c, "SUBSTRING", args)
}

// compileCase makes LOWER and UPPER, by the table of the collation.
func compileCase(toUpper bool) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		if err := c.Allow(name, args[0]); err != nil {
			return nil, err
		}
		evs, s, err := coercion.Texts(c, name, args[0])
		if err != nil {
			return nil, err
		}
		slot, ev := c.Slot(), evs[0]
		if s.Class == class.Bytes {
			return program.Derive(s, ev, args[0]), nil
		}
		if !strings.HasPrefix(s.Collation.Charset.Name, "utf8") {
			return nil, refusal.Of(name + " in " + s.Collation.Charset.Name)
		}
		table := characters.CaseTableOf(c.Session.Flavor, s.Collation)
		return program.Derive(s, func(r *program.Run) *program.Datum {
			d := ev(r)
			if d.Null {
				return program.NullDatum
			}
			known := true
			out := r.Write(slot, func(dst []byte) []byte {
				dst, known = table.AppendCase(dst, d.B, toUpper)
				return dst
			})
			if !known {
				return r.Refuse(name)
			}
			return out
		}, args[0]), nil
	}
}

// Trim compiles TRIM, LTRIM and RTRIM, with what is removed or without.
func Trim(c *compilation.Compilation, e *ast.TrimFuncExpr) (*program.Node, error) {
	list := []ast.Expr{e.StringArg}
	if e.TrimArg != nil {
		list = append(list, e.TrimArg)
	}
	args, err := c.All(list)
	if err != nil {
		return nil, err
	}
	leading := e.TrimFuncType != ast.RTrimType && e.Type != ast.TrailingTrimType
	trailing := e.TrimFuncType != ast.LTrimType && e.Type != ast.LeadingTrimType
	if err := c.Allow("TRIM", args...); err != nil {
		return nil, err
	}
	evs, s, err := coercion.Texts(c, "TRIM", args...)
	if err != nil {
		return nil, err
	}
	if set := coercion.SetOf(c, s); set.BytesMin > 1 || !characters.IsSelfSynchronizing(set) {
		return nil, refusal.Of("TRIM in " + set.Name)
	}
	s.Chars = coercion.TextChars(args[0])
	slot := c.Slot()
	return program.Derive(s, func(r *program.Run) *program.Datum {
		d := evs[0](r)
		if d.Null {
			return program.NullDatum
		}
		cut := space
		if len(evs) > 1 {
			x := evs[1](r)
			if x.Null {
				return program.NullDatum
			}
			cut = x.B
		}
		return r.Slots[slot].SetBytes(characters.Trim(d.B, cut, leading, trailing))
	}, args...), nil
}

var space = []byte{' '}

// compileReplace makes REPLACE, which compares bytes whatever the collation is.
func compileReplace(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.AllowPairs(name, args); err != nil {
		return nil, err
	}
	evs, s, err := coercion.Texts(c, name, args...)
	if err != nil {
		return nil, err
	}
	if set := coercion.SetOf(c, s); !characters.IsSelfSynchronizing(set) {
		return nil, refusal.Of(name + " in " + set.Name)
	}
	slot, mariadb := c.Slot(), c.Session.IsMariaDB()
	return program.Derive(s, func(r *program.Run) *program.Datum {
		p := r.Pieces(3)
		if !program.EvalAll(r, evs[:2], p) {
			return program.NullDatum
		}
		p[2] = evs[2](r)
		switch {
		case len(p[1].B) == 0 && p[2].Null && !mariadb: // MySQL does not always look at the third
			return r.Refuse(name)
		case len(p[1].B) == 0:
			return p[0]
		case p[2].Null:
			return program.NullDatum
		}
		return r.Write(slot, func(dst []byte) []byte { return characters.AppendReplaced(dst, p[0].B, p[1].B, p[2].B) })
	}, args...), nil
}

// compileReverse makes REVERSE, by characters.
func compileReverse(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args[0]); err != nil {
		return nil, err
	}
	evs, s, err := coercion.Texts(c, name, args[0])
	if err != nil {
		return nil, err
	}
	set, slot := coercion.SetOf(c, s), c.Slot()
	return program.Derive(s, func(r *program.Run) *program.Datum {
		d := evs[0](r)
		if d.Null {
			return program.NullDatum
		}
		return r.Write(slot, func(dst []byte) []byte { return characters.AppendReversed(dst, set, d.B) })
	}, args...), nil
}

// compileStrcmp makes STRCMP: -1, 0 or 1 in the collation of both.
func compileStrcmp(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	for _, n := range args { // servers write some of these in other digits than they show
		if (n.Class == class.Decimal || n.Class.IsReal()) && n.Column == nil && !n.Literal {
			return nil, refusal.Of(name + " of a computed number")
		}
	}
	evs, s, err := coercion.Texts(c, name, args...)
	if err != nil {
		return nil, err
	}
	compare, ok := comparison.OfShape(s)
	if !ok {
		return nil, refusal.Of(name)
	}
	slot := c.Slot()
	result := class.Shape{Class: class.Int, Digits: 1, Coercible: class.CoercibleNumber}
	return program.Derive(result, func(r *program.Run) *program.Datum {
		x, y := evs[0](r), evs[1](r)
		if x.Null || y.Null {
			return program.NullDatum
		}
		return r.Slots[slot].SetInt(int64(compare(r, x, y)))
	}, args...), nil
}

// compileConcatWS makes CONCAT_WS: what is NULL is left out, and its separator.
func compileConcatWS(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if !args[0].Literal || args[0].Class != class.Text {
		return nil, refusal.Of(name + " with a computed separator")
	}
	if err := c.AllowPairs(name, args[1:]); err != nil {
		return nil, err
	}
	evs, s, err := coercion.Texts(c, name, args...)
	if err != nil {
		return nil, err
	}
	s.Chars += max(len(args)-2, 0) * coercion.TextChars(args[0])
	slot := c.Slot()
	n := program.Derive(s, func(r *program.Run) *program.Datum {
		separator := evs[0](r)
		if separator.Null {
			return program.NullDatum
		}
		pieces := r.Pieces(len(evs) - 1)
		for i, ev := range evs[1:] {
			pieces[i] = ev(r)
		}
		return r.Write(slot, func(dst []byte) []byte {
			first := true
			for _, p := range pieces {
				if p.Null {
					continue
				}
				if !first {
					dst = append(dst, separator.B...)
				}
				dst, first = append(dst, p.B...), false
			}
			return dst
		})
	}, args...)
	n.Nullable = args[0].Nullable
	return n, nil
}

func byteLength(_ *charset.Charset, s []byte) int { return len(s) }
