package document

import (
	"bytes"
	"strconv"
)

// Contains reports whether a value contains another (MySQL manual, JSON_CONTAINS):
// an array all items of an array, or one item; an object all members of an object;
// a scalar what is equal to it. known is false where it hangs on the last digits of
// a number, or on how a string is escaped.
func (v *Value) Contains(w *Value) (is, known bool) {
	switch {
	case v.Kind == Array && w.Kind == Array:
		return v.containsAll(w)
	case v.Kind == Array:
		return v.containsItem(w)
	case v.Kind == Object && w.Kind == Object:
		return v.containsMembers(w)
	case v.IsScalar() && w.IsScalar():
		return v.equals(w)
	}
	return false, true
}

func (v *Value) containsAll(w *Value) (is, known bool) {
	for i := range w.Items {
		if is, known = v.containsItem(&w.Items[i]); !is || !known {
			return is, known
		}
	}
	return true, true
}

func (v *Value) containsItem(w *Value) (is, known bool) {
	for i := range v.Items {
		item := &v.Items[i]
		if w.Kind == Array && item.Kind != Array {
			continue
		}
		if is, known = item.Contains(w); is || !known {
			return is, known
		}
	}
	return false, true
}

func (v *Value) containsMembers(w *Value) (is, known bool) {
	for i := range w.Members {
		member := v.First(Path{{Name: AppendText([]byte{}, w.Members[i].Name)}})
		if member == nil {
			return false, true
		}
		if is, known = member.Contains(&w.Members[i].Value); !is || !known {
			return is, known
		}
	}
	return true, true
}

// exactDigits is how many digits a double holds in any case.
const exactDigits = 15

// equals compares scalars.
func (v *Value) equals(w *Value) (is, known bool) {
	switch {
	case v.Kind != w.Kind:
		return false, true
	case v.Kind < Number || bytes.Equal(v.Raw, w.Raw):
		return true, true
	case v.Kind == String: // servers differ in whether an escape is what it stands for
		return false, bytes.IndexByte(v.Raw, '\\') < 0 && bytes.IndexByte(w.Raw, '\\') < 0
	case len(v.Raw) > exactDigits || len(w.Raw) > exactDigits:
		return false, false
	}
	return v.Float() == w.Float(), true
}

// Float is a number as a double.
func (v *Value) Float() float64 {
	f, _ := strconv.ParseFloat(string(v.Raw), 64)
	return f
}
