package keys

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/secret"
)

// openText is Load without a file.
func openText(text []byte, pass *secret.Bytes) (*KEK, error) {
	f, err := parseFile(text)
	if err != nil {
		return nil, err
	}
	return f.open(pass)
}

// withCheck appends the check line.
func withCheck(lines string) []byte {
	return fmt.Appendf(nil, "%scheck %s\n", lines, checkOf([]byte(lines)))
}

func TestKeyFileRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		k, err := NewKEK()
		if err != nil {
			rt.Fatal(err)
		}
		var pass *secret.Bytes
		if rapid.Bool().Draw(rt, "wrapped") {
			pass = secret.Take(rapid.SliceOfN(rapid.Byte(), 1, 100).Draw(rt, "passphrase"))
		}
		lanes := rapid.Uint8Range(1, 8).Draw(rt, "lanes")
		if rapid.Bool().Draw(rt, "of a project") {
			k.project = Project(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(rt, "project"))
		}
		how := stretch{memoryKiB: 8 * uint32(lanes), passes: 1, lanes: lanes, salt: [saltBytes]byte(run(lanes, saltBytes))}
		f, err := seal(k, pass, how, newNonce())
		if err != nil {
			rt.Fatal(err)
		}
		text := f.text()
		for name, as := range map[string][]byte{
			"as it is":         text,
			"with CR":          bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")),
			"without last end": bytes.TrimSuffix(text, []byte("\n")),
		} {
			got, err := openText(as, pass)
			if err != nil || !got.root.Equal(k.root) || got.ID() != k.ID() || got.Project() != k.Project() {
				rt.Fatalf("%s: another key: %v", name, err)
			}
		}
	})
}

// TestKeyFileTampered changes every bit of both kinds of file.
func TestKeyFileTampered(t *testing.T) {
	known := []error{ErrForeign, ErrDamaged}
	for _, name := range goldenFiles {
		text := golden(t, name)
		for i := range text {
			for bit := range 8 {
				changed := bytes.Clone(text)
				changed[i] ^= 1 << bit
				_, err := parseFile(changed)
				if !slices.ContainsFunc(known, func(e error) bool { return errors.Is(err, e) }) {
					t.Errorf("%s with bit %d of byte %d changed: %v", name, bit, i, err)
				}
			}
		}
		for n := range len(text) - 1 {
			if _, err := parseFile(text[:n]); err == nil {
				t.Errorf("%s cut off after %d bytes is read", name, n)
			}
		}
	}
}

// TestKeyFileForged changes what is written and corrects the check: now tag and
// id must tell.
func TestKeyFileForged(t *testing.T) {
	plain, _, _ := strings.Cut(string(golden(t, "plain.key")), "check")
	wrapped, _, _ := strings.Cut(string(golden(t, "wrapped.key")), "check")
	otherKey := base64.StdEncoding.EncodeToString(run(1, keyBytes))
	for name, c := range map[string]struct {
		lines, old, new string
		want            error
	}{
		"key":                {plain, "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", otherKey, ErrDamaged},
		"id":                 {plain, "id 58", "id 59", ErrDamaged},
		"id in capitals":     {plain, "id 588180b5e3f1b7ea", "id 588180B5E3F1B7EA", ErrDamaged},
		"longer id":          {plain, "id 58", "id 0058", ErrDamaged},
		"unpadded":           {plain, "Hh8=", "Hh8", ErrDamaged},
		"bits after the end": {plain, "Hh8=", "Hh9=", ErrDamaged},
		"empty key":          {plain, "key AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "key ", ErrDamaged},
		"spaces":             {plain, "wrap none", "wrap  none", ErrDamaged},
		"no name":            {plain, "wrap none", "none", ErrDamaged},
		"line more":          {plain, "wrap", "x y\nwrap", ErrDamaged},
		"line less":          {plain, "wrap none\n", "", ErrDamaged},
		"wrapping claimed":   {plain, "wrap none", "wrap " + goldenStretch.String(), ErrDamaged},
		"wrapping denied":    {wrapped, "wrap " + goldenStretch.String(), "wrap none", ErrDamaged},
		"project of zeros":   {plain, "project 101112131415161718191a1b1c1d1e1f", "project 00000000000000000000000000000000", ErrDamaged},
		"project in capital": {plain, "1a1b1c1d1e1f", "1A1B1C1D1E1F", ErrDamaged},
		"longer project":     {plain, "project 10", "project 0010", ErrDamaged},
		"nameless project":   {plain, "project 101112131415161718191a1b1c1d1e1f", "projects none", ErrDamaged},
		"no project":         {plain, "project 101112131415161718191a1b1c1d1e1f\n", "", ErrDamaged},
		"wrapped project":    {wrapped, "project 10", "project 11", ErrPassphraseWrong},
		"project denied":     {wrapped, "project 101112131415161718191a1b1c1d1e1f", "project none", ErrPassphraseWrong},
		"earlier version":    {plain, "file 2", "file 1", ErrVersion},
		"later version":      {plain, "file 2", "file 3", ErrVersion},
		"longer version":     {plain, "file 2", "file 20", ErrVersion},
		"no version":         {plain, "file 2", "file ", ErrVersion},
		"wrapped id":         {wrapped, "id 58", "id 59", ErrPassphraseWrong},
		"fewer passes":       {wrapped, "t=3", "t=2", ErrPassphraseWrong},
		"other salt":         {wrapped, "salt=U", "salt=V", ErrPassphraseWrong},
		"other ciphertext":   {wrapped, "key oKG", "key oKH", ErrPassphraseWrong},
		"no passes":          {wrapped, "t=3", "t=0", ErrDamaged},
		"too many passes":    {wrapped, "t=3", "t=1001", ErrDamaged},
		"too little memory":  {wrapped, "m=64", "m=31", ErrDamaged},
		"too much memory":    {wrapped, "m=64", "m=4194305", ErrDamaged},
		"no lanes":           {wrapped, "p=4", "p=0", ErrDamaged},
		"too many lanes":     {wrapped, "p=4", "p=256", ErrDamaged},
		"leading zero":       {wrapped, "t=3", "t=03", ErrDamaged},
		"other function":     {wrapped, "argon2id", "argon2i", ErrDamaged},
		"long salt":          {wrapped, "salt=", "salt=AAAA", ErrDamaged},
	} {
		text := strings.Replace(c.lines, c.old, c.new, 1)
		if text == c.lines {
			t.Fatalf("%s changes nothing", name)
		}
		var pass *secret.Bytes
		if c.lines == wrapped {
			pass = passphrase(goldenPassphrase)
		}
		if _, err := openText(withCheck(text), pass); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestPassphraseOfKeyFile(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		pass *secret.Bytes
		want error
	}{
		"needed": {"wrapped.key", nil, ErrPassphraseNeeded},
		"wrong":  {"wrapped.key", passphrase("correct horse battery stable"), ErrPassphraseWrong},
		"empty":  {"wrapped.key", passphrase(""), ErrPassphraseWrong},
		"unused": {"plain.key", passphrase(goldenPassphrase), ErrPassphraseUnused},
	} {
		k, err := openText(golden(t, c.file), c.pass)
		if !errors.Is(err, c.want) || k != nil {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	wiped := passphrase(goldenPassphrase)
	wiped.Wipe()
	if _, err := openText(golden(t, "wrapped.key"), wiped); !errors.Is(err, secret.ErrWiped) {
		t.Errorf("a wiped passphrase: %v", err)
	}
}

// TestOpenWipesBody checks that the key does not stay in the parsed file.
func TestOpenWipesBody(t *testing.T) {
	for _, pass := range []*secret.Bytes{nil, passphrase("refused")} {
		f, err := parseFile(golden(t, "plain.key"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.open(pass); (err == nil) != (pass == nil) || !bytes.Equal(f.body, make([]byte, keyBytes)) {
			t.Errorf("the body is %x after opening (%v)", f.body, err)
		}
	}
}

func TestStretchOfNewFiles(t *testing.T) {
	a, b := newStretch(), newStretch()
	if a.salt == b.salt {
		t.Error("two files have one salt")
	}
	if a.memoryKiB != 65536 || a.passes != 3 || a.lanes != 4 {
		t.Errorf("%s is not the second recommendation of RFC 9106, section 4", a)
	}
	if parsed := parseStretch(a.String()); parsed == nil || *parsed != a {
		t.Errorf("%s is read as %v", a, parsed)
	}
}

// FuzzKeyFile checks that a file that is read is one that would be written,
// but for the line ends that are forgiven.
func FuzzKeyFile(f *testing.F) {
	for _, name := range goldenFiles {
		f.Add(golden(f, name), true)
		f.Add(golden(f, name), false)
	}
	f.Add(withCheck("tunic key file 2\n\n\n\n\n"), false)
	f.Fuzz(func(t *testing.T, text []byte, fixCheck bool) {
		if fixCheck { // otherwise hardly any input gets past the check
			head, _, _ := strings.Cut(string(text), "check ")
			text = withCheck(head)
		}
		parsed, err := parseFile(text)
		if err != nil {
			return
		}
		plain := bytes.TrimSuffix(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\n"))
		if got := bytes.TrimSuffix(parsed.text(), []byte("\n")); !bytes.Equal(got, plain) {
			t.Errorf("read\n%q and would write\n%q", plain, got)
		}
	})
}
