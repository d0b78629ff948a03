package form

import (
	"tunic/internal/catalog"
	"tunic/internal/value"
)

// BlobsFor says which sealed columns are BLOBs so that the rest of a row fits into
// the server's limits: the widest ones first.
func BlobsFor(t *catalog.Table) []bool {
	blobs := make([]bool, len(t.Columns))
	for _, l := range []limit{
		{most: rowMax, blob: blobBytes, of: func(bytes int) int { return bytes }},
		{most: pageMax, blob: localBytes, of: pageBytes},
	} {
		l.take(t, blobs)
	}
	return blobs
}

// limit is one of the server's for rows.
type limit struct {
	most, blob int                 // bytes of a row, and what a BLOB takes of them
	of         func(bytes int) int // what a column of so many bytes takes of them
}

// take makes BLOBs of sealed columns until rows are within the limit, or nothing helps: then the
// server says so.
func (l limit) take(t *catalog.Table, blobs []bool) {
	total, sizes := 0, make([]int, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		switch fixed := value.FixedBytes(&c.Type) > 0; {
		case !c.Protected():
			total += l.of(rowBytes(&c.Type))
		case blobs[i]:
			total += l.blob
		case fixed:
			total += l.of(sealedRowBytes(&c.Type))
		default:
			sizes[i] = l.of(sealedRowBytes(&c.Type))
			total += sizes[i]
		}
		for j := range c.Layers {
			total += l.of(TokenBytes(&c.Layers[j], &c.Type))
		}
	}
	for total > l.most {
		widest := 0
		for i := range sizes {
			if sizes[i] > sizes[widest] {
				widest = i
			}
		}
		if sizes[widest] <= l.blob {
			break
		}
		total -= sizes[widest] - l.blob
		sizes[widest], blobs[widest] = 0, true
	}
}
