package keys

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/argon2"

	"tunic/internal/secret"
)

// The golden files were computed by other implementations of HKDF, argon2 and
// GCM, from the tables in comments and the values below. The forms are stored
// data: when a test here fails the code is wrong, and nothing rewrites them.
var (
	goldenNonce   = [nonceBytes]byte(run(0xa0, nonceBytes))
	goldenProject = Project(run(0x10, 16))
	goldenDomain  = Domain(run(0x20, 16))
	goldenStretch = stretch{memoryKiB: 64, passes: 3, lanes: 4, salt: [saltBytes]byte(run(0x50, saltBytes))}
)

const (
	goldenPassphrase = "correct horse battery staple"
	goldenVersion    = 0x0102
)

// run is n bytes that count up from first.
func run(first byte, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = first + byte(i)
	}
	return b
}

func goldenKEK(t testing.TB) *KEK {
	t.Helper()
	k, err := kekOf(secret.Take(run(0, keyBytes)))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func goldenMaster() *Master {
	return &Master{goldenProject, goldenVersion, secret.Take(run(0x80, keyBytes))}
}

func golden(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func passphrase(text string) *secret.Bytes { return secret.Take([]byte(text)) }

// TestHKDF is test case 3 of RFC 5869, appendix A: SHA-256 with neither salt
// nor info.
func TestHKDF(t *testing.T) {
	got, err := expand(secret.Take(bytes.Repeat([]byte{0x0b}, 22)), "", 42)
	if err != nil {
		t.Fatal(err)
	}
	const want = "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
	if hex.EncodeToString(got) != want {
		t.Errorf("got %x, want %s", got, want)
	}
}

// TestArgon2id is a test of the reference implementation that RFC 9106 comes
// with. The vector in the RFC itself uses inputs (a secret, associated data)
// that golang.org/x/crypto/argon2 does not offer and tunic does not use.
func TestArgon2id(t *testing.T) {
	const want = "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7"
	if got := argon2.IDKey([]byte("password"), []byte("somesalt"), 2, 64<<10, 1, 32); hex.EncodeToString(got) != want {
		t.Errorf("got %x, want %s", got, want)
	}
}

// goldenFiles are the key files.
var goldenFiles = []string{"plain.key", "unbound.key", "wrapped.key"}

func TestGoldenKeyFiles(t *testing.T) {
	for _, name := range goldenFiles {
		want, kek := golden(t, name), goldenKEK(t)
		if name != "unbound.key" {
			kek.project = goldenProject
		}
		var pass *secret.Bytes
		if name == "wrapped.key" {
			pass = passphrase(goldenPassphrase)
		}
		f, err := seal(kek, pass, goldenStretch, goldenNonce)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.text(); !bytes.Equal(got, want) {
			t.Errorf("%s is written as\n%s\nnot\n%s", name, got, want)
		}
		k, err := openText(want, pass)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !k.root.Equal(goldenKEK(t).root) || k.ID().String() != "588180b5e3f1b7ea" || k.Project() != kek.project {
			t.Errorf("%s holds another key, %s", name, k.ID())
		}
	}
}

func TestGoldenMaster(t *testing.T) {
	want, err := hex.DecodeString(strings.TrimSpace(string(golden(t, "master.hex"))))
	if err != nil {
		t.Fatal(err)
	}
	k, m := goldenKEK(t), goldenMaster()
	got, err := k.wrapWith(m, goldenNonce)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("wrapped as\n%x (%v), not\n%x", got, err, want)
	}
	opened, err := k.Unwrap(goldenProject, goldenVersion, want)
	if err != nil || !opened.key.Equal(m.key) {
		t.Errorf("unwrapped another key: %v", err)
	}
}

func TestGoldenDerivations(t *testing.T) {
	tree, err := NewTree(goldenProject, goldenMaster())
	if err != nil {
		t.Fatal(err)
	}
	byWord := map[string]Purpose{}
	for p := range purposes {
		byWord[p.String()] = p
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(golden(t, "derived.txt"))) {
		d := Derivation{Suite: SuiteAES}
		var word, want string
		var n int
		if _, err := fmt.Sscanf(line, "%s %d %d %s", &word, &d.Epoch, &n, &want); err != nil {
			t.Fatal(err)
		}
		_, d.Params, _ = strings.Cut(strings.TrimSpace(line), want+" ")
		if d.Purpose = byWord[word]; purposes[d.Purpose].ofDomain {
			d.Domain = goldenDomain
		}
		key, err := tree.Derive(d, n)
		if err != nil {
			t.Fatal(err)
		}
		if !key.Equal(secret.Take(unhex(t, want))) {
			t.Errorf("another key for %s", line)
		}
		seen[word] = true
	}
	if len(seen) != len(purposes) {
		t.Errorf("%d of %d purposes have a golden key", len(seen), len(purposes))
	}
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
