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
	placeJob
	placeProgress
)

// sealer seals the rows of one ledger, under the newest epoch, and opens them, of whatever
// epoch they are: what binds them together is the root.
type sealer struct {
	tree *keys.Tree
	gcm  *gcm.Sealer
}

func newSealer(tree *keys.Tree) (*sealer, error) {
	g, err := gcmOf(tree, tree.Newest())
	return &sealer{tree: tree, gcm: g}, err
}

// gcmOf derives the key of an epoch.
func gcmOf(tree *keys.Tree, epoch uint16) (*gcm.Sealer, error) {
	key, err := tree.Derive(keys.Derivation{Purpose: keys.PurposeCatalog, Suite: keys.SuiteAES, Epoch: epoch}, keyBytes)
	if err != nil {
		return nil, err
	}
	defer key.Wipe()
	return secret.Use(key, func(k []byte) (*gcm.Sealer, error) { return gcm.New(scheme.SuiteAES, k, epoch) })
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
	project := s.tree.Project()
	b := make([]byte, 0, 1+len(project)+len(id)+8)
	b = append(b, byte(p))
	b = append(b, project[:]...)
	b = append(b, id[:]...)
	return binary.BigEndian.AppendUint64(b, version)
}

func (s *sealer) seal(p place, id [16]byte, version uint64, plain []byte) []byte {
	return s.gcm.AppendSeal(nil, s.context(p, id, version), plain)
}

func (s *sealer) open(p place, id [16]byte, version uint64, sealed []byte) ([]byte, error) {
	g := s.gcm
	if _, epoch, ok := scheme.Header(sealed); ok && epoch != g.Epoch() {
		var err error
		if g, err = gcmOf(s.tree, epoch); err != nil {
			return nil, err
		}
	}
	return g.AppendOpen(nil, s.context(p, id, version), sealed)
}

// number is a number as the id of a row.
func number(n uint64) (id [16]byte) {
	binary.BigEndian.PutUint64(id[8:], n)
	return id
}
