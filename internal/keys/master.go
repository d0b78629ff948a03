package keys

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"tunic/internal/secret"
)

// Project is the UUID of a project: one catalog and what it protects.
type Project [16]byte

// NewProject is a random one.
func NewProject() (p Project) {
	_, _ = rand.Read(p[:]) // it never fails: crypto/rand ends the process instead
	return p
}

// ParseProject reads what String writes; none is all zeros.
func ParseProject(text string) (p Project, err error) {
	id, err := hex.DecodeString(text)
	if err != nil || len(id) != len(p) || Project(id) == p {
		return p, errors.New("is not the ID of a project, 32 hexadecimal digits")
	}
	return Project(id), nil
}

// Admits reports whether another project is this one, or this is none, which stands for any.
func (p Project) Admits(other Project) bool { return p == Project{} || p == other }

// String is the project as people see it: 32 hexadecimal digits.
func (p Project) String() string { return hex.EncodeToString(p[:]) }

// Master is one master key of a project. Any number of goroutines may use it.
type Master struct {
	project Project
	version uint16
	key     *secret.Bytes
}

// Project is the project the key belongs to.
func (m *Master) Project() Project { return m.project }

// Version is the first epoch that the key serves.
func (m *Master) Version() uint16 { return m.version }

// Wipe forgets the key.
func (m *Master) Wipe() { m.key.Wipe() }

// The wrapped master key, 87 bytes. Numbers are big endian.
//
//	offset  size  field
//	0       1     form of this table, 1
//	1       8     id of the KEK
//	9       2     version
//	11      16    key check value
//	27      12    nonce
//	39      32    ciphertext of the master key
//	71      16    tag
//
// AES-256-GCM under HKDF-SHA256(KEK, "tunic kek wrap"). The additional data are
// "tunic master key", the project (16) and the first 27 bytes of the table:
// all of fixed length, so no two sets of them look alike.
//
// The key check value is HKDF-SHA256(master key, "tunic master check" ‖ project
// ‖ version). It commits to the key, which GCM alone does not, and lets two
// processes see that they mean the same key.
const (
	wrappedForm = 1

	offsetVersion = 1 + len(ID{})
	offsetCheck   = offsetVersion + 2
	wrappedHead   = offsetCheck + checkValueBytes

	// WrappedBytes is the size of a wrapped master key.
	WrappedBytes = wrappedHead + sealedKeyBytes

	checkValueBytes = 16
)

const (
	labelMaster      = "tunic master key"
	labelMasterCheck = "tunic master check"
)

// What can be wrong with a wrapped master key.
var (
	// ErrOtherKey is a master key that another KEK wrapped.
	ErrOtherKey = errors.New("the master key is wrapped by another key file")
	// ErrMaster is a wrapped master key that is damaged, or was changed, or is
	// of another project or version than was asked for.
	ErrMaster = errors.New("the wrapped master key is damaged or not the one asked for")
)

// NewMaster makes a random master key of a project and wraps it.
//
// Version is the first epoch it serves. For the first master key of a project
// that is 0; for the next, one more than the highest epoch that any domain of
// the project has used. A lower number would give data that is sealed already
// another key, and nothing could open it.
func (k *KEK) NewMaster(project Project, version uint16) (*Master, []byte, error) {
	m := &Master{project, version, secret.Random(keyBytes)}
	wrapped, err := k.Wrap(m)
	if err != nil {
		m.Wipe()
		return nil, nil, err
	}
	return m, wrapped, nil
}

// Wrap encrypts a master key under the KEK: [WrappedBytes] bytes, other ones
// each time.
func (k *KEK) Wrap(m *Master) ([]byte, error) { return k.wrapWith(m, newNonce()) }

func (k *KEK) wrapWith(m *Master, nonce [nonceBytes]byte) ([]byte, error) {
	check, err := m.checkValue()
	if err != nil {
		return nil, err
	}
	head := make([]byte, 0, WrappedBytes)
	head = append(head, wrappedForm)
	head = append(head, k.id[:]...)
	head = binary.BigEndian.AppendUint16(head, m.version)
	head = append(head, check...)
	sealed, err := sealKey(k.wrap, m.key, nonce, boundTo(m.project, head))
	if err != nil {
		return nil, err
	}
	return append(head, sealed...), nil
}

// Unwrap is the reverse of [KEK.Wrap]. The error is [ErrOtherKey] or
// [ErrMaster]; project and version are authenticated, so a wrapped key cannot
// stand in for another.
func (k *KEK) Unwrap(project Project, version uint16, wrapped []byte) (*Master, error) {
	if len(wrapped) != WrappedBytes || wrapped[0] != wrappedForm {
		return nil, fmt.Errorf("%w: it has %d bytes, or another form", ErrMaster, len(wrapped))
	}
	if id := ID(wrapped[1:offsetVersion]); id != k.id {
		return nil, fmt.Errorf("%w: its key id is %s, and this is %s", ErrOtherKey, id, k.id)
	}
	if got := binary.BigEndian.Uint16(wrapped[offsetVersion:]); got != version {
		return nil, fmt.Errorf("%w: its version is %d, not %d", ErrMaster, got, version)
	}
	head := wrapped[:wrappedHead]
	key, err := openKey(k.wrap, wrapped[wrappedHead:], boundTo(project, head))
	if errors.Is(err, errOpen) {
		return nil, ErrMaster
	}
	if err != nil {
		return nil, err
	}
	m := &Master{project, version, key}
	check, err := m.checkValue()
	if err != nil || subtle.ConstantTimeCompare(check, head[offsetCheck:]) != 1 {
		m.Wipe()
		return nil, fmt.Errorf("%w: its key check value is not that of the key", ErrMaster)
	}
	return m, nil
}

// IsIn reports whether a wrapped form, of whatever KEK, says that it holds this very key: its
// version and its key check value are those of the key. Who asks has to know that the form is
// authentic; nothing is opened.
func (m *Master) IsIn(wrapped []byte) bool {
	if len(wrapped) != WrappedBytes || wrapped[0] != wrappedForm || binary.BigEndian.Uint16(wrapped[offsetVersion:]) != m.version {
		return false
	}
	check, err := m.checkValue()
	return err == nil && subtle.ConstantTimeCompare(check, wrapped[offsetCheck:wrappedHead]) == 1
}

// Rewrap moves a wrapped master key from one KEK to another.
func Rewrap(from, to *KEK, project Project, version uint16, wrapped []byte) ([]byte, error) {
	m, err := from.Unwrap(project, version, wrapped)
	if err != nil {
		return nil, err
	}
	defer m.Wipe()
	return to.Wrap(m)
}

// WrappedBy is the id of the KEK that wrapped a master key, without opening
// it; false if the bytes have not the form.
func WrappedBy(wrapped []byte) (ID, bool) {
	if len(wrapped) != WrappedBytes || wrapped[0] != wrappedForm {
		return ID{}, false
	}
	return ID(wrapped[1:offsetVersion]), true
}

func (m *Master) checkValue() ([]byte, error) {
	info := append([]byte(labelMasterCheck), m.project[:]...)
	info = binary.BigEndian.AppendUint16(info, m.version)
	return expand(m.key, string(info), checkValueBytes)
}

// boundTo is the additional data of a wrapped master key.
func boundTo(project Project, head []byte) []byte {
	bound := append([]byte(labelMaster), project[:]...)
	return append(bound, head...)
}
