package keys

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/secret"
)

func newKEK(t interface{ Fatal(...any) }) *KEK {
	k, err := NewKEK()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func drawProject(t *rapid.T, name string) Project {
	return Project(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, name))
}

func TestMasterRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		k, project, version := newKEK(rt), drawProject(rt, "project"), rapid.Uint16().Draw(rt, "version")
		m, wrapped, err := k.NewMaster(project, version)
		if err != nil || len(wrapped) != WrappedBytes {
			rt.Fatalf("%d bytes, %v", len(wrapped), err)
		}
		again, err := k.Unwrap(project, version, wrapped)
		if err != nil || !again.key.Equal(m.key) || again.Project() != project || again.Version() != version {
			rt.Fatalf("another key: %v", err)
		}
		if id, ok := WrappedBy(wrapped); !ok || id != k.ID() {
			rt.Fatalf("wrapped by %s, it says", id)
		}
		twice, err := k.Wrap(m)
		if err != nil || bytes.Equal(twice, wrapped) {
			rt.Fatalf("two wrappings are the same: %v", err)
		}
	})
}

// TestMasterBelongs asks for another project, version or KEK than was wrapped.
func TestMasterBelongs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		k, other := newKEK(rt), newKEK(rt)
		project, version := drawProject(rt, "project"), rapid.Uint16().Draw(rt, "version")
		_, wrapped, err := k.NewMaster(project, version)
		if err != nil {
			rt.Fatal(err)
		}
		if _, err := other.Unwrap(project, version, wrapped); !errors.Is(err, ErrOtherKey) {
			rt.Fatalf("another KEK: %v", err)
		}
		if p := drawProject(rt, "other project"); p != project {
			if _, err := k.Unwrap(p, version, wrapped); !errors.Is(err, ErrMaster) {
				rt.Fatalf("another project: %v", err)
			}
		}
		if v := rapid.Uint16().Draw(rt, "other version"); v != version {
			if _, err := k.Unwrap(project, v, wrapped); !errors.Is(err, ErrMaster) {
				rt.Fatalf("another version: %v", err)
			}
			renamed := bytes.Clone(wrapped)
			renamed[offsetVersion], renamed[offsetVersion+1] = byte(v>>8), byte(v)
			if _, err := k.Unwrap(project, v, renamed); !errors.Is(err, ErrMaster) {
				rt.Fatalf("a version that was changed: %v", err)
			}
		}
	})
}

// TestMasterTampered changes every bit, and cuts and extends.
func TestMasterTampered(t *testing.T) {
	k := goldenKEK(t)
	wrapped, err := k.Wrap(goldenMaster())
	if err != nil {
		t.Fatal(err)
	}
	for i := range wrapped {
		for bit := range 8 {
			changed := bytes.Clone(wrapped)
			changed[i] ^= 1 << bit
			want := ErrMaster
			if 1 <= i && i < offsetVersion {
				want = ErrOtherKey // it claims to be of another KEK
			}
			if m, err := k.Unwrap(goldenProject, goldenVersion, changed); !errors.Is(err, want) || m != nil {
				t.Errorf("bit %d of byte %d: %v, want %v", bit, i, err, want)
			}
		}
		if _, err := k.Unwrap(goldenProject, goldenVersion, wrapped[:i]); !errors.Is(err, ErrMaster) {
			t.Errorf("cut off after %d bytes: %v", i, err)
		}
		if _, ok := WrappedBy(wrapped[:i]); ok {
			t.Errorf("%d bytes are wrapped by somebody", i)
		}
	}
	if _, err := k.Unwrap(goldenProject, goldenVersion, append(wrapped, 0)); !errors.Is(err, ErrMaster) {
		t.Errorf("a byte more: %v", err)
	}
}

// TestMasterCommits wraps, as only who holds the KEK could, a master key under
// the check value of another.
func TestMasterCommits(t *testing.T) {
	k, m := goldenKEK(t), goldenMaster()
	wrapped, err := k.Wrap(m)
	if err != nil {
		t.Fatal(err)
	}
	head := wrapped[:wrappedHead:wrappedHead]
	sealed, err := sealKey(k.wrap, secret.Random(keyBytes), newNonce(), boundTo(m.project, head))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Unwrap(m.project, m.version, append(head, sealed...)); !errors.Is(err, ErrMaster) {
		t.Errorf("another key with an honest tag: %v", err)
	}
}

func TestRewrap(t *testing.T) {
	from, to := newKEK(t), newKEK(t)
	m, wrapped, err := from.NewMaster(goldenProject, 7)
	if err != nil {
		t.Fatal(err)
	}
	moved, err := Rewrap(from, to, goldenProject, 7, wrapped)
	if err != nil {
		t.Fatal(err)
	}
	again, err := to.Unwrap(goldenProject, 7, moved)
	if err != nil || !again.key.Equal(m.key) {
		t.Errorf("another key after moving: %v", err)
	}
	if _, err := from.Unwrap(goldenProject, 7, moved); !errors.Is(err, ErrOtherKey) {
		t.Errorf("the old KEK still opens it: %v", err)
	}
	if _, err := Rewrap(to, from, goldenProject, 7, wrapped); !errors.Is(err, ErrOtherKey) {
		t.Errorf("moved from a KEK that does not open it: %v", err)
	}
}

func TestWipedKeys(t *testing.T) {
	k := newKEK(t)
	m, wrapped, err := k.NewMaster(goldenProject, 0)
	if err != nil {
		t.Fatal(err)
	}
	m.Wipe()
	if _, err := k.Wrap(m); !errors.Is(err, secret.ErrWiped) {
		t.Errorf("a wiped master key was wrapped: %v", err)
	}
	k.Wipe()
	if _, err := k.Unwrap(goldenProject, 0, wrapped); !errors.Is(err, secret.ErrWiped) {
		t.Errorf("a wiped KEK unwraps: %v", err)
	}
	if _, _, err := k.NewMaster(goldenProject, 0); !errors.Is(err, secret.ErrWiped) {
		t.Errorf("a wiped KEK wraps: %v", err)
	}
}

// TestPrinted prints what holds keys: neither shows one.
func TestPrinted(t *testing.T) {
	k, m := goldenKEK(t), goldenMaster()
	tree, err := NewTree(goldenProject, m)
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%x", "%d", "%s", "%q"} {
		shown := fmt.Sprintf(format, []any{k, *k, m, *m, tree, *tree})
		for _, key := range [][]byte{run(0, 8), run(0x80, 8)} {
			for _, as := range []string{string(key), fmt.Sprintf("%x", key), fmt.Sprint(key)[1:15], fmt.Sprintf("%#v", key[:4])[7:20]} {
				if bytes.Contains([]byte(shown), []byte(as)) {
					t.Errorf("%s shows a key: %s", format, shown)
				}
			}
		}
	}
}

// FuzzWrapped checks that only what was wrapped opens.
func FuzzWrapped(f *testing.F) {
	k, m := goldenKEK(f), goldenMaster()
	wrapped, err := k.wrapWith(m, goldenNonce)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(wrapped, uint16(goldenVersion))
	f.Add(wrapped[:wrappedHead], uint16(0))
	f.Add([]byte{}, uint16(1))
	f.Fuzz(func(t *testing.T, given []byte, version uint16) {
		opened, err := k.Unwrap(goldenProject, version, given)
		if err == nil && (!bytes.Equal(given, wrapped) || !opened.key.Equal(m.key)) {
			t.Errorf("%x opens", given)
		}
		if err != nil && !errors.Is(err, ErrMaster) && !errors.Is(err, ErrOtherKey) {
			t.Errorf("%x: %v", given, err)
		}
	})
}
