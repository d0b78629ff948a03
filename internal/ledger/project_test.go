package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tunic/internal/keys"
)

// TestProjectOfKeyFile: the ledger is made of the project that the key file names, and a key
// file of the same key opens none that is of another project.
func TestProjectOfKeyFile(t *testing.T) {
	onServers(t, func(b *bench) {
		own, other := keys.NewProject(), keys.NewProject()
		path := filepath.Join(b.t.TempDir(), "key")
		var err error
		if b.kek, err = keys.Create(path, own, nil); err != nil {
			b.t.Fatal(err)
		}
		for _, made := range []bool{true, false} {
			if got, is, err := Init(b.t.Context(), b.options()); err != nil || got != own || is != made {
				b.t.Errorf("made %v of %s: %v, want %v of %s", is, got, err, made, own)
			}
		}
		for named, want := range map[keys.Project]error{own: nil, {}: nil, other: ErrOtherProject} {
			b.kek = b.renamed(path, own, named)
			if _, err := b.opened(); !errors.Is(err, want) {
				b.t.Errorf("a key file of %s: %v, want %v", named, err, want)
			}
			if _, made, err := Init(b.t.Context(), b.options()); made || !errors.Is(err, want) {
				b.t.Errorf("a ledger is made for a key file of %s: %v, %v", named, made, err)
			}
		}
		b.kek = newKEK(b.t)
		if _, err := b.opened(); !errors.Is(err, keys.ErrOtherKey) {
			b.t.Errorf("another key: %v", err)
		}
	})
}

// TestInitBesideStored: no new ledger is made where tables of one that is gone are left; they are named.
func TestInitBesideStored(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec("CREATE TABLE shop.remark (a INT) COMMENT 'tunic is nice here'",
			"CREATE TABLE shop.stored (a INT) COMMENT 'tunic 6f0c1a2b3c4d5e6f708192a3b4c5d6e7 3'")
		_, made, err := Init(b.t.Context(), b.options())
		if made || !errors.Is(err, ErrStored) || !strings.HasSuffix(err.Error(), ": shop.stored") {
			b.t.Errorf("beside a stored table: %t, %v", made, err)
		}
		b.exec("DROP TABLE shop.stored")
		if _, made, err := Init(b.t.Context(), b.options()); !made || err != nil {
			b.t.Errorf("without one: %t, %v", made, err)
		}
	})
}

// renamed is the key of a key file without a passphrase that names another project.
func (b *bench) renamed(path string, from, to keys.Project) *keys.KEK {
	b.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		b.t.Fatal(err)
	}
	name := to.String()
	if to == (keys.Project{}) {
		name = "none"
	}
	text = bytes.Replace(text, []byte(from.String()), []byte(name), 1)
	text = text[:bytes.LastIndex(text, []byte("check "))]
	sum := sha256.Sum256(text)
	changed := filepath.Join(b.t.TempDir(), "key")
	if err := os.WriteFile(changed, fmt.Appendf(text, "check %s\n", hex.EncodeToString(sum[:8])), 0o600); err != nil {
		b.t.Fatal(err)
	}
	kek, err := keys.Load(changed, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return kek
}
