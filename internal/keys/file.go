package keys

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"

	"tunic/internal/secret"
)

// The key file is six lines of ASCII, each a name, a space and a value:
//
//	line     value
//	tunic    "key file 2": what this is, and the version of the form
//	id       key id, 16 hexadecimal digits
//	project  the project that the key is for, 32 hexadecimal digits; or "none"
//	wrap     "none", or "argon2id m=KIB t=PASSES p=LANES salt=BASE64":
//	         RFC 9106, with a salt of 16 bytes and an output of 32
//	key      base64 of the KEK, 32 bytes; or, wrapped, of nonce (12), ciphertext
//	         (32) and tag (16): AES-256-GCM under the output of argon2id, with
//	         the four lines above, newlines included, as additional data
//	check    the first 8 bytes of SHA-256 over the five lines above, in
//	         hexadecimal
//
// Base64 is the standard alphabet with padding (RFC 4648, section 4). A file
// has one spelling: what is parsed is printed again and compared. Only what
// people's tools do to a text is forgiven: CR before the end of a line, and
// the last newline missing. The check finds damage, not intent; a wrapped file
// is authenticated by its tag, and any file by its id, which is computed from
// the key.
const (
	fileMagic   = "tunic key file "
	fileVersion = "2"
	projectNone = "none"
	wrapNone    = "none"
	checkBytes  = 8
)

// What can be wrong with the content of a key file.
var (
	// ErrForeign is a file of another kind.
	ErrForeign = errors.New("is not a key file of tunic")
	// ErrVersion is a key file in a form that this version does not know.
	ErrVersion = errors.New("is a key file of another version of tunic")
	// ErrDamaged is a key file that is not as it was written.
	ErrDamaged = errors.New("is damaged")
	// ErrPassphraseNeeded is a wrapped file and no passphrase.
	ErrPassphraseNeeded = errors.New("is wrapped with a passphrase, and none was given")
	// ErrPassphraseWrong is a wrapped file and another passphrase.
	ErrPassphraseWrong = errors.New("does not open with this passphrase")
	// ErrPassphraseUnused is a passphrase for a file that is not wrapped:
	// whoever gave it believes in a protection that is not there.
	ErrPassphraseUnused = errors.New("is not wrapped, and a passphrase was given")
)

// keyFile is the content of a key file.
type keyFile struct {
	id   ID
	of   Project  // zero when it names none
	wrap *stretch // nil when there is no passphrase
	body []byte   // the KEK, or the KEK sealed
}

// head is the first four lines.
func (f *keyFile) head() []byte {
	of, wrap := projectNone, wrapNone
	if f.of != (Project{}) {
		of = f.of.String()
	}
	if f.wrap != nil {
		wrap = f.wrap.String()
	}
	return fmt.Appendf(nil, "%s%s\nid %s\nproject %s\nwrap %s\n", fileMagic, fileVersion, f.id, of, wrap)
}

// text is the file. The caller zeroes it.
func (f *keyFile) text() []byte {
	head := f.head()
	text := make([]byte, 0, len(head)+fileTailBytes) // not grown: a copy would stay behind
	text = append(append(text, head...), "key "...)
	text = append(base64.StdEncoding.AppendEncode(text, f.body), '\n')
	return fmt.Appendf(text, "check %s\n", checkOf(text))
}

// fileTailBytes is at least the length of the last two lines.
const fileTailBytes = 128

func checkOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:checkBytes])
}

// parseFile reads a key file. The caller zeroes body.
func parseFile(text []byte) (*keyFile, error) {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) // a copy
	defer secret.Zero(text)
	if !bytes.HasPrefix(text, []byte(fileMagic)) {
		return nil, ErrForeign
	}
	const checkName = "\ncheck "
	end := bytes.LastIndex(text, []byte(checkName))
	if end < 0 {
		return nil, fmt.Errorf("%w: it is cut off", ErrDamaged)
	}
	checked, check := text[:end+1], bytes.TrimSuffix(text[end+len(checkName):], []byte("\n"))
	if string(check) != checkOf(checked) {
		return nil, fmt.Errorf("%w: its check does not match", ErrDamaged)
	}
	lines := bytes.Split(text[:end], []byte("\n"))
	if string(lines[0]) != fileMagic+fileVersion {
		return nil, ErrVersion
	}
	f := parseLines(lines[1:])
	if f == nil || !f.spells(checked) {
		return nil, fmt.Errorf("%w: its lines are not those of a key file", ErrDamaged)
	}
	return f, nil
}

// spells reports whether f is written as text, without the check.
func (f *keyFile) spells(text []byte) bool {
	mine := f.text()
	defer secret.Zero(mine)
	return bytes.HasPrefix(mine, text)
}

// parseLines reads the lines between the first and the check; nil if they are
// not as they should be.
func parseLines(lines [][]byte) *keyFile {
	if len(lines) != 4 {
		return nil
	}
	var f keyFile
	if !parseHex(lines[0], "id ", f.id[:]) || !bytes.HasSuffix(lines[1], []byte(" "+projectNone)) && !parseHex(lines[1], "project ", f.of[:]) {
		return nil
	}
	bodyBytes := keyBytes
	if wrap := string(bytes.TrimPrefix(lines[2], []byte("wrap "))); wrap != wrapNone {
		if f.wrap = parseStretch(wrap); f.wrap == nil {
			return nil
		}
		bodyBytes = sealedKeyBytes
	}
	var err error
	f.body, err = base64.StdEncoding.AppendDecode(nil, bytes.TrimPrefix(lines[3], []byte("key ")))
	if err != nil || len(f.body) != bodyBytes {
		secret.Zero(f.body)
		return nil
	}
	return &f
}

// parseHex reads what follows the name of a line into all of to.
func parseHex(line []byte, name string, to []byte) bool {
	text := bytes.TrimPrefix(line, []byte(name))
	if len(text) != hex.EncodedLen(len(to)) {
		return false
	}
	_, err := hex.Decode(to, text)
	return err == nil
}

// seal makes the key file of a KEK, wrapped if there is a passphrase.
func seal(k *KEK, passphrase *secret.Bytes, how stretch, nonce [nonceBytes]byte) (*keyFile, error) {
	f := &keyFile{id: k.id, of: k.project}
	if passphrase == nil {
		body, err := secret.Use(k.root, func(key []byte) ([]byte, error) { return bytes.Clone(key), nil })
		f.body = body
		return f, err
	}
	f.wrap = &how
	under, err := how.key(passphrase)
	if err != nil {
		return nil, err
	}
	defer under.Wipe()
	f.body, err = sealKey(under, k.root, nonce, f.head())
	return f, err
}

// open is the reverse of seal. It zeroes the body.
func (f *keyFile) open(passphrase *secret.Bytes) (*KEK, error) {
	defer secret.Zero(f.body)
	root, err := f.root(passphrase)
	if err != nil {
		return nil, err
	}
	k, err := kekOf(root)
	if err != nil {
		return nil, err
	}
	if k.id != f.id { // public, both of them
		k.Wipe()
		return nil, fmt.Errorf("%w: its id is not that of its key", ErrDamaged)
	}
	k.project = f.of
	return k, nil
}

func (f *keyFile) root(passphrase *secret.Bytes) (*secret.Bytes, error) {
	switch {
	case f.wrap == nil && passphrase != nil:
		return nil, ErrPassphraseUnused
	case f.wrap == nil:
		return secret.Take(f.body), nil
	case passphrase == nil:
		return nil, ErrPassphraseNeeded
	}
	under, err := f.wrap.key(passphrase)
	if err != nil {
		return nil, err
	}
	defer under.Wipe()
	root, err := openKey(under, f.body, f.head())
	if errors.Is(err, errOpen) {
		return nil, ErrPassphraseWrong // the check has ruled out damage
	}
	return root, err
}
