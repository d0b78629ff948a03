package document

import "bytes"

// Kind is what a value is.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	False
	True
	Number
	String
	Array
	Object
)

// Value is a document, or a value in one. Its bytes are those of the text it was
// read from.
type Value struct {
	Kind Kind
	// Raw is a number as it is written, or what stands between the quotes of a string.
	Raw     []byte
	Items   []Value  // of an array
	Members []Member // of an object, in their order; names may be there twice
}

// Member is a member of an object.
type Member struct {
	Name  []byte // what stands between its quotes
	Value Value
}

// IsScalar reports whether the value has no others in it.
func (v *Value) IsScalar() bool { return v.Kind < Array }

// Len is how many values an array or object has in it, and 1 for a scalar.
func (v *Value) Len() int {
	switch v.Kind {
	case Array:
		return len(v.Items)
	case Object:
		return len(v.Members)
	default:
		return 1
	}
}

// Depth is how deep the document is: 1 for a scalar and for what is empty.
func (v *Value) Depth() int {
	deepest := 0
	for i := range v.Items {
		deepest = max(deepest, v.Items[i].Depth())
	}
	for i := range v.Members {
		deepest = max(deepest, v.Members[i].Value.Depth())
	}
	return deepest + 1
}

// IsInteger reports whether a number is written as an integer.
func (v *Value) IsInteger() bool { return v.Kind == Number && !bytes.ContainsAny(v.Raw, ".eE") }

// Member is the value of the first member of a name, nil if there is none.
func (v *Value) Member(name []byte) *Value {
	for i := range v.Members {
		if bytes.Equal(v.Members[i].Name, name) {
			return &v.Members[i].Value
		}
	}
	return nil
}

// Clone is a copy that can be changed without changing v.
func (v *Value) Clone() Value {
	c := *v
	c.Items, c.Members = make([]Value, len(v.Items)), make([]Member, len(v.Members))
	for i := range v.Items {
		c.Items[i] = v.Items[i].Clone()
	}
	for i := range v.Members {
		c.Members[i] = Member{v.Members[i].Name, v.Members[i].Value.Clone()}
	}
	return c
}

// words are those that are a value.
var words = [...]string{Null: "null", False: "false", True: "true"}

// Append appends the document's text.
func (v *Value) Append(dst []byte) []byte {
	switch v.Kind {
	case Number:
		return append(dst, v.Raw...)
	case String:
		return append(append(append(dst, '"'), v.Raw...), '"')
	case Array:
		dst = append(dst, '[')
		for i := range v.Items {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = v.Items[i].Append(dst)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i := range v.Members {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = append(append(append(dst, '"'), v.Members[i].Name...), `": `...)
			dst = v.Members[i].Value.Append(dst)
		}
		return append(dst, '}')
	default:
		return append(dst, words[v.Kind]...)
	}
}

// AppendPretty appends the document's text with a line for every value, as MySQL's
// JSON_PRETTY.
func (v *Value) AppendPretty(dst []byte, depth int) []byte {
	if v.IsScalar() || v.Len() == 0 {
		return v.Append(dst)
	}
	brackets := "[]"
	if v.Kind == Object {
		brackets = "{}"
	}
	dst = append(dst, brackets[0])
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = newLine(dst, depth+1)
		if v.Kind == Array {
			dst = v.Items[i].AppendPretty(dst, depth+1)
			continue
		}
		dst = append(append(append(dst, '"'), v.Members[i].Name...), `": `...)
		dst = v.Members[i].Value.AppendPretty(dst, depth+1)
	}
	return append(newLine(dst, depth), brackets[1])
}

func newLine(dst []byte, depth int) []byte {
	return append(append(dst, '\n'), bytes.Repeat([]byte("  "), depth)...)
}
