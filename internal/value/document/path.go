package document

import (
	"bytes"
	"slices"
	"strconv"
)

// Path leads from a document to values in it (MySQL manual, "JSON Path Syntax").
type Path []Leg

// Leg is a step of a path: into a member of an object, or an item of an array.
type Leg struct {
	// Name is that of the member, nil for an item.
	Name  []byte
	Index int
	// Any stands for all members, or all items.
	Any bool
}

// legsMax is how many legs a path may have that is read.
const legsMax = 25

// ParsePath reads a path: $, .name, ."name", .*, [1], [*]. Others are not read,
// which the servers may: spaces, ranges, ** and last. MariaDB's names may begin with a
// digit; to MySQL that is no path.
func ParsePath(text []byte, mariadb bool) (p Path, ok bool) {
	if len(text) == 0 || text[0] != '$' {
		return nil, false
	}
	for rest := text[1:]; len(rest) > 0; {
		var leg Leg
		if rest[0] == '.' {
			leg, rest, ok = memberLeg(rest[1:], mariadb)
		} else {
			leg, rest, ok = itemLeg(rest)
		}
		if !ok || len(p) == legsMax {
			return nil, false
		}
		p = append(p, leg)
	}
	return p, true
}

func memberLeg(s []byte, digitFirst bool) (leg Leg, rest []byte, ok bool) {
	if len(s) > 0 && s[0] == '*' {
		return Leg{Any: true, Name: []byte{}}, s[1:], true
	}
	if len(s) > 0 && s[0] == '"' {
		end := bytes.IndexByte(s[1:], '"')
		if end < 0 || bytes.ContainsFunc(s[1:1+end], func(r rune) bool { return r < ' ' || r == '\\' || r == 0x7f }) {
			return leg, nil, false
		}
		return Leg{Name: append([]byte{}, s[1:1+end]...)}, s[end+2:], true
	}
	n := 0
	for n < len(s) && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || s[n] == '_' || (digitFirst || n > 0) && isDigit(s[n])) {
		n++
	}
	return Leg{Name: append([]byte{}, s[:n]...)}, s[n:], n > 0
}

func itemLeg(s []byte) (leg Leg, rest []byte, ok bool) {
	end := bytes.IndexByte(s, ']')
	if end < 2 || s[0] != '[' {
		return leg, nil, false
	}
	if end == 2 && s[1] == '*' {
		return Leg{Any: true}, s[3:], true
	}
	const digitsMost = 8
	if end-1 > digitsMost || slices.ContainsFunc(s[1:end], func(b byte) bool { return !isDigit(b) }) {
		return leg, nil, false
	}
	leg.Index, _ = strconv.Atoi(string(s[1:end]))
	return leg, s[end+1:], true
}

// IsExact reports whether a path leads to one value at most, of a document without
// a name twice in an object.
func (p Path) IsExact() bool { return !slices.ContainsFunc(p, func(l Leg) bool { return l.Any }) }

// takes reports whether a leg leads to a member.
func (l *Leg) takes(name []byte) bool {
	if l.Name == nil {
		return false
	}
	return l.Any || bytes.Equal(l.Name, name) || bytes.IndexByte(name, '\\') >= 0 && bytes.Equal(l.Name, AppendText(nil, name))
}

// Find calls found with the values that a path leads to, in the document's order,
// until it says that it has enough. The first item of what is no array is itself.
func (v *Value) Find(p Path, found func(*Value) bool) bool {
	if len(p) == 0 {
		return found(v)
	}
	leg := &p[0]
	switch {
	case leg.Name == nil && v.Kind != Array:
		return leg.Any || leg.Index != 0 || v.Find(p[1:], found)
	case leg.Name == nil && leg.Any:
		for i := range v.Items {
			if !v.Items[i].Find(p[1:], found) {
				return false
			}
		}
	case leg.Name == nil:
		return leg.Index >= len(v.Items) || v.Items[leg.Index].Find(p[1:], found)
	default:
		for i := range v.Members {
			if leg.takes(v.Members[i].Name) && !v.Members[i].Value.Find(p[1:], found) {
				return false
			}
		}
	}
	return true
}

// First is the first value that a path leads to, nil if there is none.
func (v *Value) First(p Path) (first *Value) {
	v.Find(p, func(x *Value) bool {
		first = x
		return false
	})
	return first
}

// InOrder are values of the document in the document's order, each once.
func (v *Value) InOrder(some []*Value) (all []*Value) {
	wanted := make(map[*Value]bool, len(some))
	for _, x := range some {
		wanted[x] = true
	}
	v.walk(func(x *Value) {
		if wanted[x] {
			all = append(all, x)
		}
	})
	return all
}

// walk calls a function with the value and all that are in it.
func (v *Value) walk(do func(*Value)) {
	do(v)
	for i := range v.Items {
		v.Items[i].walk(do)
	}
	for i := range v.Members {
		v.Members[i].Value.walk(do)
	}
}
