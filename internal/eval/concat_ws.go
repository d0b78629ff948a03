package eval

import "tunic/internal/eval/class"

// compileConcatWS makes CONCAT_WS: what is NULL is left out, and its separator.
func compileConcatWS(c *compiler, name string, args []*node) (*node, error) {
	if !args[0].literal || args[0].Class != class.Text {
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
	n := derive(s, func(r *Run) *datum {
		separator := evs[0](r)
		if separator.null {
			return nullDatum
		}
		pieces := r.pieces(len(evs) - 1)
		for i, ev := range evs[1:] {
			pieces[i] = ev(r)
		}
		return r.write(slot, func(dst []byte) []byte {
			first := true
			for _, p := range pieces {
				if p.null {
					continue
				}
				if !first {
					dst = append(dst, separator.b...)
				}
				dst, first = append(dst, p.b...), false
			}
			return dst
		})
	}, args...)
	n.Nullable = args[0].Nullable
	return n, nil
}
