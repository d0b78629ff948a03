package explanation

import (
	"slices"
	"unsafe"
)

// Size is about how much memory the plan takes, in bytes.
func (e *Explained) Size() int64 {
	n := int64(unsafe.Sizeof(*e)) + e.Run.Size() + int64(cap(e.Advice))*int64(unsafe.Sizeof(Advice{}))
	for _, p := range slices.Concat(e.Parts, e.WithoutTokens) {
		n += int64(unsafe.Sizeof(p)) + int64(len(p.Text)) + p.Does.size()
		if p.Near != nil {
			n += int64(unsafe.Sizeof(*p.Near)) + p.Near.size()
		}
	}
	return n
}

// size is what is behind what is said of a part. Names of columns are the catalog's.
func (d *Does) size() int64 {
	n := int64(cap(d.Layers)) * int64(unsafe.Sizeof(Layer{}))
	for _, form := range d.Forms {
		n += int64(unsafe.Sizeof(form)) + int64(len(form))
	}
	return n
}
