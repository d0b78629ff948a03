package eval

import (
	"tunic/internal/eval/notation"
	"tunic/internal/eval/program"

	"tunic/internal/eval/characters"
)

// compileQuote makes QUOTE: text as a literal has it, and the word for NULL.
func compileQuote(c *compiler, name string, args []*program.Node) (*program.Node, error) {
	ev, s, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	if set := c.setOf(s); !characters.IsSelfSynchronizing(set) {
		return nil, refuse(name + " in " + set.Name)
	}
	s.Chars = 2*s.Chars + 2
	slot := c.slot()
	return program.NotNullable(program.Derive(s, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return r.Slots[slot].SetBytes(wordNull)
		}
		return r.Write(slot, func(dst []byte) []byte { return notation.AppendQuoted(dst, d.B) })
	}, args[0])), nil
}

var wordNull = []byte("NULL")

// compileSoundex makes SOUNDEX of letters of ASCII.
func compileSoundex(c *compiler, name string, args []*program.Node) (*program.Node, error) {
	ev, s, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	if set := c.setOf(s); set.BytesMin > 1 {
		return nil, refuse(name + " in " + set.Name)
	}
	s.Chars = max(s.Chars, notation.SoundexLeast)
	slot := c.slot()
	return program.Derive(s, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		for _, b := range d.B {
			if b >= 0x80 {
				return r.Refuse(name)
			}
		}
		return r.Write(slot, func(dst []byte) []byte { return notation.AppendSoundex(dst, d.B) })
	}, args[0]), nil
}
