package ledger

import (
	"encoding/binary"

	"tunic/internal/keys"
	"tunic/internal/scheme"
	"tunic/internal/scheme/gcm"
	"tunic/internal/secret"
)

// place is where a sealed row stands. It is bound into the seal.
type place byte

const (
	placeRoot place = iota + 1
	placeMaster
	placeObject
	placeJournal
)

// sealer seals the rows of one ledger.
type sealer struct {
	project keys.Project
	gcm     *gcm.Sealer
}

func newSealer(tree *keys.Tree) (*sealer, error) {
	key, err := tree.Derive(keys.Derivation{Purpose: keys.PurposeCatalog, Suite: keys.SuiteAES}, keyBytes)
	if err != nil {
		return nil, err
	}
	defer key.Wipe()
	g, err := secret.Use(key, func(k []byte) (*gcm.Sealer, error) { return gcm.New(scheme.SuiteAES, k, 0) })
	if err != nil {
		return nil, err
	}
	return &sealer{project: tree.Project(), gcm: g}, nil
}

const keyBytes = 32

// context is what a row's seal is bound to:
//
//	offset  size  field
//	0       1     place
//	1       16    project
//	17      16    id of the row; of a number, its last 8 bytes
//	33      8     version of the row, 0 where the id is one
func (s *sealer) context(p place, id [16]byte, version uint64) []byte {
	b := make([]byte, 0, 1+len(s.project)+len(id)+8)
	b = append(b, byte(p))
	b = append(b, s.project[:]...)
	b = append(b, id[:]...)
	return binary.BigEndian.AppendUint64(b, version)
}

func (s *sealer) seal(p place, id [16]byte, version uint64, plain []byte) []byte {
	return s.gcm.AppendSeal(nil, s.context(p, id, version), plain)
}

func (s *sealer) open(p place, id [16]byte, version uint64, sealed []byte) ([]byte, error) {
	return s.gcm.AppendOpen(nil, s.context(p, id, version), sealed)
}

// number is a number as the id of a row.
func number(n uint64) (id [16]byte) {
	binary.BigEndian.PutUint64(id[8:], n)
	return id
}
