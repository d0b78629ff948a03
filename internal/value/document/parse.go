package document

import "bytes"

// DepthMax is how deep a document may be that is read: less than either server's
// bound, which are 31 levels (MariaDB) and 100 (MySQL).
const DepthMax = 30

// Parse reads a document, as RFC 8259 has it but for characters below the space,
// which no server takes in a string, and beyond DepthMax.
func Parse(text []byte) (Value, bool) {
	p := parser{s: text}
	v, ok := p.value(0)
	p.skip()
	return v, ok && p.i == len(p.s)
}

type parser struct {
	s []byte
	i int
}

func (p *parser) skip() {
	for p.i < len(p.s) && (p.s[p.i] == ' ' || p.s[p.i] == '\t' || p.s[p.i] == '\n' || p.s[p.i] == '\r') {
		p.i++
	}
}

// next skips spaces and returns the next byte, 0 at the end.
func (p *parser) next() byte {
	if p.skip(); p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// accept takes the next byte if it is b.
func (p *parser) accept(b byte) bool {
	if p.next() != b {
		return false
	}
	p.i++
	return true
}

func (p *parser) value(depth int) (Value, bool) {
	switch b := p.next(); {
	case depth >= DepthMax:
		return Value{}, false
	case b == '{':
		return p.object(depth)
	case b == '[':
		return p.array(depth)
	case b == '"':
		raw, ok := p.text()
		return Value{Kind: String, Raw: raw}, ok
	case b == '-' || isDigit(b):
		return p.number()
	}
	for kind, word := range words {
		if bytes.HasPrefix(p.s[p.i:], []byte(word)) {
			p.i += len(word)
			return Value{Kind: Kind(kind)}, true
		}
	}
	return Value{}, false
}

func (p *parser) array(depth int) (Value, bool) {
	v := Value{Kind: Array}
	p.i++
	if p.accept(']') {
		return v, true
	}
	for {
		item, ok := p.value(depth + 1)
		if !ok {
			return v, false
		}
		v.Items = append(v.Items, item)
		if p.accept(']') {
			return v, true
		}
		if !p.accept(',') {
			return v, false
		}
	}
}

func (p *parser) object(depth int) (Value, bool) {
	v := Value{Kind: Object}
	p.i++
	if p.accept('}') {
		return v, true
	}
	for {
		if p.next() != '"' {
			return v, false
		}
		name, ok := p.text()
		if !ok || !p.accept(':') {
			return v, false
		}
		member, ok := p.value(depth + 1)
		if !ok {
			return v, false
		}
		v.Members = append(v.Members, Member{name, member})
		if p.accept('}') {
			return v, true
		}
		if !p.accept(',') {
			return v, false
		}
	}
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func (p *parser) digits() (n int) {
	for p.i < len(p.s) && isDigit(p.s[p.i]) {
		p.i, n = p.i+1, n+1
	}
	return n
}

func (p *parser) number() (Value, bool) {
	start := p.i
	if p.s[p.i] == '-' {
		p.i++
	}
	first := p.i
	if n := p.digits(); n == 0 || n > 1 && p.s[first] == '0' {
		return Value{}, false
	}
	if p.i < len(p.s) && p.s[p.i] == '.' {
		if p.i++; p.digits() == 0 {
			return Value{}, false
		}
	}
	if p.i < len(p.s) && p.s[p.i]|0x20 == 'e' {
		p.i++
		if p.i < len(p.s) && (p.s[p.i] == '-' || p.s[p.i] == '+') {
			p.i++
		}
		if p.digits() == 0 {
			return Value{}, false
		}
	}
	return Value{Kind: Number, Raw: p.s[start:p.i]}, true
}

// text reads a string and returns what is between its quotes.
func (p *parser) text() ([]byte, bool) {
	p.i++
	for start := p.i; p.i < len(p.s); p.i++ {
		switch b := p.s[p.i]; {
		case b == '"':
			p.i++
			return p.s[start : p.i-1], true
		case b < ' ' || b == 0x7f:
			return nil, false
		case b == '\\':
			if p.i++; !p.escape() {
				return nil, false
			}
		}
	}
	return nil, false
}

// escape reads what is behind a backslash; p.i is left on its last byte. Halves of
// pairs are left out: the servers do not read them alike.
func (p *parser) escape() bool {
	if p.i >= len(p.s) {
		return false
	}
	if bytes.IndexByte([]byte(escapes), p.s[p.i]) >= 0 {
		return true
	}
	r, ok := unit(p.s[p.i:])
	p.i += unitBytes - 1
	return ok && (r < 0xd800 || r > 0xdfff)
}
