package explanation

import (
	"slices"
	"unsafe"
)

// Size is about how much memory the plan takes, in bytes.
func (e *Explained) Size() int64 {
	n := int64(unsafe.Sizeof(*e)) + e.Run.Size() + int64(cap(e.Advice))*int64(unsafe.Sizeof(Advice{}))
	for _, p := range slices.Concat(e.Parts, e.WithoutTokens) {
		n += int64(unsafe.Sizeof(p)) + int64(len(p.Text)+len(p.How))
	}
	return n
}
