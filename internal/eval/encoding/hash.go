package encoding

import (
	"crypto/md5"  //nolint:gosec // what SQL calls MD5
	"crypto/sha1" //nolint:gosec // what SQL calls SHA1
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash/crc32"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
)

// digest appends the hash of some bytes.
type digest func(dst, s []byte) []byte

func md5Digest(dst, s []byte) []byte {
	sum := md5.Sum(s) //nolint:gosec // the function has the name
	return append(dst, sum[:]...)
}

func sha1Digest(dst, s []byte) []byte {
	sum := sha1.Sum(s) //nolint:gosec // the function has the name
	return append(dst, sum[:]...)
}

// hashesMoved is the first version of MySQL that has MD5 and SHA1 in a component
// which may be installed or not.
const hashesMoved = 90600

// compileMD5 makes MD5.
func compileMD5(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	return oldHash(c, name, args, md5Digest, md5.Size)
}

// compileSHA1 makes SHA1.
func compileSHA1(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	return oldHash(c, name, args, sha1Digest, sha1.Size)
}

// oldHash is a hash that MySQL may not have.
func oldHash(c *compilation.Compilation, name string, args []*program.Node, of digest, bytes int) (*program.Node, error) {
	if !c.Session.IsMariaDB() && c.Session.Version >= hashesMoved {
		return nil, refusal.Of(name)
	}
	return hashOf(c, name, args, of, bytes)
}

// hashOf is the digits of a hash of text or bytes. They are all in the list as SHA2:
// they differ in nothing but what they compute of the bytes.
func hashOf(c *compilation.Compilation, name string, args []*program.Node, of digest, bytes int) (*program.Node, error) {
	if err := c.Allow("SHA2", args[0]); err != nil {
		return nil, err
	}
	evs, _, err := coercion.Texts(c, name, args[0])
	if err != nil {
		return nil, err
	}
	s, err := coercion.ASCIIShape(c, name, 2*bytes)
	if err != nil {
		return nil, err
	}
	slot := c.Slot()
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		d := evs[0](r)
		if d.Null {
			return program.NullDatum
		}
		var room [sha512.Size]byte
		sum := of(room[:0], d.B)
		return r.Write(slot, func(dst []byte) []byte { return hex.AppendEncode(dst, sum) })
	}, args[0])), nil
}

// sha2s are the hashes of SHA2 by their bits.
var sha2s = map[uint64]digest{
	0: sha256Digest, 256: sha256Digest, 224: sha224Digest, 384: sha384Digest, 512: sha512Digest,
}

func sha224Digest(dst, s []byte) []byte {
	sum := sha256.Sum224(s)
	return append(dst, sum[:]...)
}

func sha256Digest(dst, s []byte) []byte {
	sum := sha256.Sum256(s)
	return append(dst, sum[:]...)
}

func sha384Digest(dst, s []byte) []byte {
	sum := sha512.Sum384(s)
	return append(dst, sum[:]...)
}

func sha512Digest(dst, s []byte) []byte {
	sum := sha512.Sum512(s)
	return append(dst, sum[:]...)
}

// compileSHA2 makes SHA2(text, bits). The bits have to be a literal.
func compileSHA2(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	bits := args[1]
	if bits.Example == nil || bits.Class != class.Int {
		return nil, refusal.Of(name + " of bits that vary")
	}
	c.Pin(bits)
	of, ok := sha2s[bits.Example.Number]
	if !ok {
		return nil, refusal.Of(name + " of other bits than 224, 256, 384 and 512")
	}
	return hashOf(c, name, args[:1], of, sha512.Size)
}

// compileCRC32 makes CRC32.
func compileCRC32(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	ev, _, err := coercion.TextOf(c, name, args[0])
	if err != nil {
		return nil, err
	}
	slot := c.Slot()
	return program.Derive(class.Shape{Class: class.Uint, Digits: 10, Coercible: class.CoercibleNumber}, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		return r.Slots[slot].SetUint(uint64(crc32.ChecksumIEEE(d.B)))
	}, args[0]), nil
}
