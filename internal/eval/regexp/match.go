package regexp

// Match reports whether a text has a match.
func (p *Pattern) Match(s []byte) bool { return p.re.Match(s) }

// All are the bounds of up to n matches and of their groups, of all if n is -1; false if they are not the same to
// all.
func (p *Pattern) All(s []byte, n int) (found [][]int, known bool) {
	if !p.bounds || p.empty && n != 1 {
		return nil, false
	}
	return p.re.FindAllSubmatchIndex(s, n), true
}

// Nth are the bounds of the n-th match and of its groups, nil for none; false if they are not the same to all.
func (p *Pattern) Nth(s []byte, n int64) (at []int, known bool) {
	if n < 1 {
		return nil, false
	}
	found, known := p.All(s, int(min(n, matchedBytesMax)))
	if int64(len(found)) < n {
		return nil, known
	}
	return found[n-1], known
}

// Replacement is text in which a sign and a digit stand for what a group has
// matched.
type Replacement struct {
	Text []byte
	Sign byte
}

// Replace appends a text with something else in the place of each match; false if what stands there is not known,
// or dst becomes longer than most.
func (p *Pattern) Replace(dst, s []byte, found [][]int, with Replacement, most int) (_ []byte, known bool) {
	end := 0
	for _, at := range found {
		dst = append(dst, s[end:at[0]]...)
		if dst, known = with.append(dst, p, s, at); !known || len(dst) > most {
			return dst, false
		}
		end = at[1]
	}
	return append(dst, s[end:]...), true
}

// append appends what stands for a match. It knows one digit that no other
// follows; what else the sign may say, and a group that has matched nothing, is
// not known.
func (w *Replacement) append(dst []byte, p *Pattern, s []byte, at []int) ([]byte, bool) {
	for i := 0; i < len(w.Text); i++ {
		b := w.Text[i]
		if b != w.Sign {
			if b == '\\' {
				return dst, false
			}
			dst = append(dst, b)
			continue
		}
		i++
		if i >= len(w.Text) || w.Text[i] < '1' || w.Text[i] > '9' || i+1 < len(w.Text) && w.Text[i+1]-'0' <= 9 {
			return dst, false
		}
		group := 2 * int(w.Text[i]-'0')
		if !p.groups || group >= len(at) || at[group] < 0 {
			return dst, false
		}
		dst = append(dst, s[at[group]:at[group+1]]...)
	}
	return dst, true
}
