package json

import (
	"bytes"
	"slices"
	"strconv"

	"tunic/internal/value/document"
)

// Extract is what paths lead to: a value, if there is one path and it leads to no more, and else an array of them;
// nil for none. It is false where two paths lead to one value, which MariaDB has once or twice.
func Extract(v *document.Value, paths []document.Path, mariadb bool) (_ *document.Value, known bool) {
	if len(paths) == 1 && paths[0].IsExact() {
		return v.First(paths[0]), true
	}
	var found []*document.Value
	for _, p := range paths {
		v.Find(p, func(x *document.Value) bool {
			found = append(found, x)
			return true
		})
	}
	if mariadb {
		all := v.InOrder(found)
		if len(all) < len(found) {
			return nil, false
		}
		found = all
	}
	if len(found) == 0 {
		return nil, true
	}
	out := &document.Value{Kind: document.Array}
	for _, x := range found {
		out.Items = append(out.Items, *x)
	}
	return out, true
}

// Keys are the names of an object, or of what is at a path in it, each once; nil where there is none. It is false for
// paths of which servers differ in where they lead.
func Keys(v *document.Value, paths []document.Path) (_ *document.Value, known bool) {
	if len(paths) > 0 {
		if !paths[0].IsExact() || !v.WalksArrays(paths[0]) {
			return nil, false
		}
		v = v.First(paths[0])
	}
	if v == nil || v.Kind != document.Object {
		return nil, true
	}
	out := &document.Value{Kind: document.Array}
	for i := range v.Members {
		name := v.Members[i].Name
		if !slices.ContainsFunc(out.Items, func(x document.Value) bool { return bytes.Equal(x.Raw, name) }) {
			out.Items = append(out.Items, document.Value{Kind: document.String, Raw: name})
		}
	}
	return out, true
}

// AppendScalar appends a value as text; MariaDB's truths are numbers.
func AppendScalar(dst []byte, v *document.Value, mariadb bool) []byte {
	switch {
	case v.Kind == document.String:
		return document.AppendText(dst, v.Raw)
	case mariadb && v.Kind == document.True:
		return append(dst, '1')
	case mariadb && v.Kind == document.False:
		return append(dst, '0')
	}
	return v.Append(dst)
}

// kindNames are what JSON_TYPE says of values that are no numbers.
var kindNames = map[document.Kind]string{
	document.Null: "NULL", document.False: "BOOLEAN", document.True: "BOOLEAN",
	document.String: "STRING", document.Array: "ARRAY", document.Object: "OBJECT",
}

// KindName is what JSON_TYPE says of a value.
func KindName(v *document.Value, mariadb bool) string {
	if v.Kind != document.Number {
		return kindNames[v.Kind]
	}
	if !v.IsInteger() {
		return "DOUBLE"
	}
	if _, err := strconv.ParseInt(string(v.Raw), 10, 64); err != nil && !mariadb {
		return "UNSIGNED INTEGER"
	}
	return "INTEGER"
}

// Member is a member of an object: its name as text, its value as a document has
// it.
type Member struct{ Name, Value []byte }

// InOrder are members in the order in which MySQL keeps them, of equal names the
// last.
func InOrder(members []Member) []Member {
	slices.SortStableFunc(members, func(a, b Member) int { return document.CompareNames(a.Name, b.Name) })
	kept := members[:0]
	for i, m := range members {
		if i+1 == len(members) || !bytes.Equal(m.Name, members[i+1].Name) {
			kept = append(kept, m)
		}
	}
	return kept
}

// AppendMembers appends an object.
func AppendMembers(dst []byte, members []Member, behindName string) []byte {
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(document.AppendRaw(append(dst, '"'), m.Name), behindName...)
		dst = append(dst, m.Value...)
	}
	return append(dst, '}')
}
