package eval

import (
	"tunic/internal/eval/notation"

	"tunic/internal/eval/characters"
)

// compileQuote makes QUOTE: text as a literal has it, and the word for NULL.
func compileQuote(c *compiler, name string, args []*node) (*node, error) {
	ev, s, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	if set := c.setOf(s); !characters.IsSelfSynchronizing(set) {
		return nil, refuse(name + " in " + set.Name)
	}
	s.Chars = 2*s.Chars + 2
	slot := c.slot()
	return notNullable(derive(s, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return r.slots[slot].setBytes(wordNull)
		}
		return r.write(slot, func(dst []byte) []byte { return notation.AppendQuoted(dst, d.b) })
	}, args[0])), nil
}

var wordNull = []byte("NULL")

// compileSoundex makes SOUNDEX of letters of ASCII.
func compileSoundex(c *compiler, name string, args []*node) (*node, error) {
	ev, s, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	if set := c.setOf(s); set.BytesMin > 1 {
		return nil, refuse(name + " in " + set.Name)
	}
	s.Chars = max(s.Chars, notation.SoundexLeast)
	slot := c.slot()
	return derive(s, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		for _, b := range d.b {
			if b >= 0x80 {
				return r.refuse(name)
			}
		}
		return r.write(slot, func(dst []byte) []byte { return notation.AppendSoundex(dst, d.b) })
	}, args[0]), nil
}
