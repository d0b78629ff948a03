package form

import (
	"tunic/internal/catalog"
	"tunic/internal/value"
)

// Blobs are stored columns of sealed forms that are BLOBs, by their names as the catalog has them: see BlobsFor.
type Blobs map[string]bool

// BlobsFor says which sealed columns are BLOBs so that the rest of a row fits into
// the server's limits: the widest ones first.
func BlobsFor(t *catalog.Table) Blobs {
	blobs := Blobs{}
	for _, l := range []limit{
		{most: rowMax, blob: blobBytes, member: memberBytes, of: func(bytes int) int { return bytes }},
		{most: pageMax, blob: localBytes, of: pageBytes},
	} {
		l.take(t, blobs)
	}
	return blobs
}

// limit is one of the server's for rows.
type limit struct {
	most, blob int                 // bytes of a row, and what a BLOB takes of them
	member     int                 // what the column without a value takes of them that a member of a family has
	of         func(bytes int) int // what a column of so many bytes takes of them
}

// take makes BLOBs of sealed columns until rows are within the limit, or nothing helps: then the
// server says so.
func (l limit) take(t *catalog.Table, blobs Blobs) {
	total, sizes := 0, []sized{}
	shrinks := func(name string, bytes int) {
		if blobs[name] {
			total += l.blob
			return
		}
		sizes = append(sizes, sized{name, l.of(bytes)})
		total += l.of(bytes)
	}
	for s := range t.StoredColumns() {
		switch s.Kind {
		case catalog.StoredPlain:
			total += l.of(rowBytes(&s.Column.Type))
		case catalog.StoredMember:
			total += l.member
		case catalog.StoredFamily:
			shrinks(s.Name, inRow(s.Family.Bytes))
		case catalog.StoredSealed:
			if value.FixedBytes(&s.Column.Type) > 0 {
				total += l.of(sealedRowBytes(&s.Column.Type))
				continue
			}
			shrinks(s.Name, sealedRowBytes(&s.Column.Type))
		default:
			total += l.of(TokenBytes(s.Layer, &s.Column.Type))
		}
	}
	for total > l.most && len(sizes) > 0 {
		widest := 0
		for i := range sizes {
			if sizes[i].bytes > sizes[widest].bytes {
				widest = i
			}
		}
		if sizes[widest].bytes <= l.blob {
			break
		}
		total -= sizes[widest].bytes - l.blob
		sizes[widest].bytes, blobs[sizes[widest].name] = 0, true
	}
}

// sized is what a stored column takes of a limit.
type sized struct {
	name  string
	bytes int
}
