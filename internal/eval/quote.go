package eval

// compileQuote makes QUOTE: text as a literal has it, and the word for NULL.
func compileQuote(c *compiler, name string, args []*node) (*node, error) {
	ev, s, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	if set := c.setOf(s); !isSelfSynchronizing(set) {
		return nil, refuse(name + " in " + set.Name)
	}
	s.chars = 2*s.chars + 2
	slot := c.slot()
	return notNullable(derive(s, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return r.slots[slot].setBytes(wordNull)
		}
		return r.write(slot, func(dst []byte) []byte { return appendQuoted(dst, d.b) })
	}, args[0])), nil
}

var wordNull = []byte("NULL")

func appendQuoted(dst, s []byte) []byte {
	dst = append(dst, '\'')
	for _, b := range s {
		switch b {
		case 0:
			dst = append(dst, '\\', '0')
		case '\x1a':
			dst = append(dst, '\\', 'Z')
		case '\'', '\\':
			dst = append(dst, '\\', b)
		default:
			dst = append(dst, b)
		}
	}
	return append(dst, '\'')
}

// soundCodes are the digits of the letters. 0 is not written, and does not keep
// apart equal ones that it stands between.
const soundCodes = "01230120022455012623010202"

// soundexLeast is the shortest SOUNDEX of anything.
const soundexLeast = 4

// compileSoundex makes SOUNDEX of letters of ASCII.
func compileSoundex(c *compiler, name string, args []*node) (*node, error) {
	ev, s, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	if set := c.setOf(s); set.BytesMin > 1 {
		return nil, refuse(name + " in " + set.Name)
	}
	s.chars = max(s.chars, soundexLeast)
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
		return r.write(slot, func(dst []byte) []byte { return appendSoundex(dst, d.b) })
	}, args[0]), nil
}

func appendSoundex(dst, s []byte) []byte {
	start := len(dst)
	last := byte('0')
	for _, b := range s {
		b &^= 0x20
		if b < 'A' || b > 'Z' {
			continue
		}
		code := soundCodes[b-'A']
		switch {
		case len(dst) == start:
			dst = append(dst, b)
		case code == '0' || code == last:
			continue
		default:
			dst = append(dst, code)
		}
		last = code
	}
	if len(dst) == start {
		return dst
	}
	for len(dst) < start+soundexLeast {
		dst = append(dst, '0')
	}
	return dst
}
