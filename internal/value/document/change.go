package document

import (
	"bytes"
	"cmp"
	"slices"
)

// CompareNames compares names as MySQL orders the members of an object: by length,
// then by bytes.
func CompareNames(a, b []byte) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), bytes.Compare(a, b))
}

// Change is what is done with the value that a path leads to.
type Change uint8

// The changes.
const (
	Set     Change = iota // replaced, or added if there is none
	Insert                // added if there is none
	Replace               // replaced if there is one
	Append                // made an array, if it is none, with an item more
)

// Change changes a document; sorted says that members are in MySQL's order. It
// answers false, and has changed nothing, where servers may differ: for a path to
// several values, and for items of what is no array.
func (v *Value) Change(how Change, p Path, with Value, sorted bool) bool {
	if !p.IsExact() || !v.WalksArrays(p) {
		return false
	}
	if found := v.First(p); found != nil {
		switch {
		case how == Insert:
		case how == Append && found.Kind == Array:
			found.Items = append(found.Items, with)
		case how == Append:
			*found = Value{Kind: Array, Items: []Value{*found, with}}
		default:
			*found = with
		}
		return true
	}
	switch how {
	case Append:
		return false
	case Replace:
		return true
	default:
		return v.add(p, with, sorted)
	}
}

// add adds a member or an item to what the path but for its last leg leads to.
func (v *Value) add(p Path, with Value, sorted bool) bool {
	parent, last := v.First(p[:len(p)-1]), p[len(p)-1]
	switch {
	case parent == nil:
		return true
	case last.Name == nil:
		parent.Items = append(parent.Items, with)
		return true
	case parent.Kind != Object:
		return true
	}
	parent.put(Member{AppendRaw([]byte{}, last.Name), with}, sorted)
	return true
}

// put adds a member.
func (v *Value) put(m Member, sorted bool) {
	at := len(v.Members)
	if sorted {
		name := AppendText(nil, m.Name)
		at = 0
		for at < len(v.Members) && CompareNames(AppendText(nil, v.Members[at].Name), name) < 0 {
			at++
		}
	}
	v.Members = slices.Insert(v.Members, at, m)
}

// WalksArrays reports whether every leg into an item starts at an array.
func (v *Value) WalksArrays(p Path) bool {
	for i, leg := range p {
		if from := v.First(p[:i]); leg.Name == nil && from != nil && from.Kind != Array {
			return false
		}
	}
	return true
}

// Remove removes what a path leads to. It answers false where servers may differ.
func (v *Value) Remove(p Path) bool {
	if len(p) == 0 || !p.IsExact() || !v.WalksArrays(p) {
		return false
	}
	parent, last := v.First(p[:len(p)-1]), &p[len(p)-1]
	switch {
	case parent == nil:
	case last.Name == nil:
		if last.Index < len(parent.Items) {
			parent.Items = slices.Delete(parent.Items, last.Index, last.Index+1)
		}
	default:
		if i := slices.IndexFunc(parent.Members, func(m Member) bool { return last.takes(m.Name) }); i >= 0 {
			parent.Members = slices.Delete(parent.Members, i, i+1)
		}
	}
	return true
}

// isPlain reports whether no object in a document has a name twice, or one with an
// escape in it: of these it is not known how they are merged.
func (v *Value) isPlain() bool {
	plain := true
	v.walk(func(x *Value) {
		for i, m := range x.Members {
			plain = plain && bytes.IndexByte(m.Name, '\\') < 0 &&
				!slices.ContainsFunc(x.Members[:i], func(o Member) bool { return bytes.Equal(o.Name, m.Name) })
		}
	})
	return plain
}

// MergePatch merges as RFC 7396 has it.
func MergePatch(v, with *Value, sorted bool) (Value, bool) {
	if !v.isPlain() || !with.isPlain() {
		return Value{}, false
	}
	return mergePatch(v.Clone(), with, sorted), true
}

func mergePatch(v Value, with *Value, sorted bool) Value {
	if with.Kind != Object {
		return with.Clone()
	}
	if v.Kind != Object {
		v = Value{Kind: Object}
	}
	for _, m := range with.Members {
		at := slices.IndexFunc(v.Members, func(o Member) bool { return bytes.Equal(o.Name, m.Name) })
		switch {
		case m.Value.Kind == Null && at >= 0:
			v.Members = slices.Delete(v.Members, at, at+1)
		case m.Value.Kind == Null:
		case at >= 0:
			v.Members[at].Value = mergePatch(v.Members[at].Value, &m.Value, sorted)
		default:
			v.put(Member{m.Name, mergePatch(Value{}, &m.Value, sorted)}, sorted)
		}
	}
	return v
}

// MergePreserve merges objects member by member and puts everything else into one
// array.
func MergePreserve(v, with *Value, sorted bool) (Value, bool) {
	if !v.isPlain() || !with.isPlain() {
		return Value{}, false
	}
	return mergePreserve(v.Clone(), with.Clone(), sorted), true
}

func mergePreserve(v, with Value, sorted bool) Value {
	if v.Kind != Object || with.Kind != Object {
		return Value{Kind: Array, Items: append(v.asItems(), with.asItems()...)}
	}
	for _, m := range with.Members {
		if known := v.Member(m.Name); known != nil {
			*known = mergePreserve(*known, m.Value, sorted)
		} else {
			v.put(m, sorted)
		}
	}
	return v
}

// asItems are the items of an array, and of everything else the value itself.
func (v *Value) asItems() []Value {
	if v.Kind == Array {
		return v.Items
	}
	return []Value{*v}
}
