package sql

// MariaDB has two spellings of what a sequence gives: the standard's, which the parser
// library does not know, and calls of functions (MariaDB manual, "Sequence Functions").

// mendSequence writes NEXT VALUE FOR s and PREVIOUS VALUE FOR s as the calls that say the
// same. w is the first word.
func (r *respeller) mendSequence(w []byte) bool {
	if r.lx.modes&MariaDB == 0 || (r.kind != Insert && r.kind != Replace) {
		return false
	}
	call := "nextval"
	if is(w, "PREVIOUS") {
		call = "lastval"
	}
	at := cursor{lx: r.lx, t: tokenWord}
	for _, word := range [...]string{"VALUE", "FOR"} {
		if at.next(); !at.is(word) {
			return false
		}
	}
	if at.next(); !isNamed(&at) {
		return false
	}
	name, behind := []string{at.identifier()}, at
	if at.next(); at.t == tokenDot {
		if at.next(); !isNamed(&at) {
			return false
		}
		name, behind = append(name, at.identifier()), at
	}
	r.instead(call + "(")
	for i, part := range name {
		if i > 0 {
			r.out = append(r.out, '.')
		}
		r.quote([]byte(part))
	}
	r.out = append(r.out, ") "...)
	r.lx, r.prev = behind.lx, tokenClose
	return true
}

// isNamed says that the current token can be a name.
func isNamed(c *cursor) bool { return c.t == tokenWord || c.t == tokenQuoted }
