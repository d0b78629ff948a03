package document

// Overlaps reports whether two values have something in common (MySQL manual,
// JSON_OVERLAPS): arrays an item, objects a member, scalars their value. Beside an
// array, anything else is an array of one item. known is false where it hangs on
// whether two arrays or two objects are equal, or on what [Value.Contains] does not
// know.
func (v *Value) Overlaps(w *Value) (is, known bool) {
	switch {
	case v.Kind == Array && w.Kind == Array:
		return anyOf(w.Items, v.HasItem)
	case v.Kind == Array:
		return v.HasItem(w)
	case w.Kind == Array:
		return w.HasItem(v)
	case v.Kind == Object && w.Kind == Object:
		return anyOf(w.Members, v.hasMember)
	}
	return v.same(w)
}

// HasItem reports whether an array has a value among its items; what is no array is an
// array of one item. known is as in [Value.Overlaps].
func (v *Value) HasItem(w *Value) (is, known bool) {
	if v.Kind != Array {
		return v.same(w)
	}
	return anyOf(v.Items, w.same)
}

func (v *Value) hasMember(m *Member) (is, known bool) {
	member := v.First(Path{{Name: AppendText([]byte{}, m.Name)}})
	if member == nil {
		return false, true
	}
	return member.same(&m.Value)
}

// anyOf reports whether one of the items is what is asked for. One that is makes up
// for others of which it is not known.
func anyOf[T any](items []T, asked func(*T) (is, known bool)) (is, known bool) {
	all := true
	for i := range items {
		is, known = asked(&items[i])
		if is && known {
			return true, true
		}
		all = all && known
	}
	return false, all
}

// same reports whether two values are equal, which is known of scalars and of values
// of different kinds.
func (v *Value) same(w *Value) (is, known bool) {
	if v.IsScalar() && w.IsScalar() {
		return v.equals(w)
	}
	return false, v.Kind != w.Kind
}
