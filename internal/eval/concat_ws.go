package eval

import (
	"tunic/internal/eval/class"

	"tunic/internal/eval/program"
)

// compileConcatWS makes CONCAT_WS: what is NULL is left out, and its separator.
func compileConcatWS(c *compiler, name string, args []*program.Node) (*program.Node, error) {
	if !args[0].Literal || args[0].Class != class.Text {
		return nil, refuse(name + " with a computed separator")
	}
	if err := c.allowPairs(name, args[1:]); err != nil {
		return nil, err
	}
	evs, s, err := c.texts(name, args...)
	if err != nil {
		return nil, err
	}
	s.Chars += max(len(args)-2, 0) * c.textChars(args[0])
	slot := c.slot()
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
