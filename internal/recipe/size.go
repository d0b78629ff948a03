package recipe

import "unsafe"

// Size is about how much memory the run takes, in bytes: its statements, several
// times over for the trees that its steps hold.
func (r *Run) Size() int64 {
	const each = 4
	n := int64(unsafe.Sizeof(*r)) + int64(cap(r.Slots))*int64(unsafe.Sizeof(Slot{}))
	for _, p := range append(r.stored(), r.Answer.Describe) {
		if p != nil {
			n += each * int64(len(p.String()))
		}
	}
	for _, w := range r.writes() {
		n += int64(unsafe.Sizeof(*w)) + int64(cap(w.Slots))*int64(unsafe.Sizeof(Slot{}))
	}
	for _, other := range r.Others() {
		n += other.Size()
	}
	if r.Does != nil {
		n += int64(r.Does.size())
	}
	for _, v := range r.Variables {
		n += int64(unsafe.Sizeof(v)) + int64(len(v))
	}
	return n
}

func (q *Query) size() uintptr { return unsafe.Sizeof(*q) }

func (i *Insert) size() uintptr { return unsafe.Sizeof(*i) + unsafe.Sizeof(Load{}) }

func (c *Change) size() uintptr { return unsafe.Sizeof(*c) }

func (w *Rewrite) size() uintptr { return unsafe.Sizeof(*w) }

func (s *Several) size() uintptr { return unsafe.Sizeof(*s) }
