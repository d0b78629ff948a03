package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
)

// row names a row of the ledger.
type row struct {
	place place
	id    [16]byte
}

// digest is the SHA-256 of a row's version and stored bytes.
type digest [sha256.Size]byte

func digestOf(version uint64, stored []byte) (p digest) {
	h := sha256.New()
	h.Write(binary.BigEndian.AppendUint64(nil, version))
	h.Write(stored)
	h.Sum(p[:0])
	return p
}

// root is what binds the rows together.
//
//	offset  size  field
//	0       8     version of the ledger
//	8       32    SHA-256 of all rows, in the order of place and id: for each
//	              place (1), id (16), digest (32)
type root struct {
	version uint64
	digest  [sha256.Size]byte
}

const rootBytes = 8 + sha256.Size

func rootOf(version uint64, rows map[row]digest) root {
	order := slices.SortedFunc(maps.Keys(rows), func(a, b row) int {
		if a.place != b.place {
			return int(a.place) - int(b.place)
		}
		return bytes.Compare(a.id[:], b.id[:])
	})
	h := sha256.New()
	for _, r := range order {
		p := rows[r]
		h.Write([]byte{byte(r.place)})
		h.Write(r.id[:])
		h.Write(p[:])
	}
	out := root{version: version}
	h.Sum(out.digest[:0])
	return out
}

func (r root) encode() []byte {
	return append(binary.BigEndian.AppendUint64(nil, r.version), r.digest[:]...)
}

func decodeRoot(b []byte) (root, bool) {
	if len(b) != rootBytes {
		return root{}, false
	}
	r := root{version: binary.BigEndian.Uint64(b)}
	copy(r.digest[:], b[8:])
	return r, true
}
