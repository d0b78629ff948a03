package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

const planted = "hunter2-hunter2-"

// forms are the ways in which a planted secret could show.
func forms() []string {
	raw := []byte(planted)
	return []string{
		"hunter2",
		hex.EncodeToString(raw[:4]),
		strings.ToUpper(hex.EncodeToString(raw[:4])),
		base64.StdEncoding.EncodeToString(raw)[:8],
		fmt.Sprint(raw[:4])[1:10],   // 104 117 110
		fmt.Sprintf("%#v", raw[:4]), // []byte{0x68, …
		fmt.Sprintf("% x", raw[:4]), // 68 75 6e 74
		fmt.Sprintf("0x%x, 0x%x", raw[0], raw[1]),
		fmt.Sprintf("%o %o %o", raw[0], raw[1], raw[2]),
		fmt.Sprintf("%b %b", raw[0], raw[1]),
	}
}

func expectHidden(t *testing.T, how, shown string) {
	t.Helper()
	for _, form := range forms() {
		if strings.Contains(shown, form) {
			t.Errorf("%s shows %q in %q", how, form, shown)
		}
	}
}

type holder struct {
	Name    string
	Pointer *Bytes
	Value   Bytes
	private *Bytes
	Any     any
	List    []*Bytes
	Map     map[string]Bytes
}

func newHolder() holder {
	s := Take([]byte(planted))
	return holder{"x", s, *s, s, *s, []*Bytes{s, s}, map[string]Bytes{"k": *s}}
}

// TestFmt tries every verb there could be, with every flag.
func TestFmt(t *testing.T) {
	h := newHolder()
	for verb := rune('A'); verb <= 'z'; verb++ {
		for _, flags := range []string{"", "+", "#", "-", " ", "0", "+#", "# ", "40", ".3"} {
			format := "%" + flags + string(verb)
			for _, shown := range []any{h.Pointer, h.Value, h, &h, h.List, h.Map, []any{h.Pointer, h}, fmt.Errorf("%w: %v", ErrWiped, h.Pointer)} {
				expectHidden(t, format, fmt.Sprintf(format, shown))
			}
		}
	}
	for _, direct := range []string{fmt.Sprint(h.Pointer), fmt.Sprint(h.Value), fmt.Sprintf("%#v", h.Pointer), h.Pointer.String(), h.Pointer.GoString()} {
		if direct != redacted {
			t.Errorf("shown as %q", direct)
		}
	}
	if got := fmt.Sprint((*Bytes)(nil)); got != "<nil>" {
		t.Errorf("nil is shown as %q", got)
	}
}

func TestLog(t *testing.T) {
	h := newHolder()
	for name, handler := range map[string]func(*bytes.Buffer) slog.Handler{
		"text": func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
		"json": func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
	} {
		var out bytes.Buffer
		slog.New(handler(&out)).Info("x", "pointer", h.Pointer, "value", h.Value, "holder", h, "nil", (*Bytes)(nil),
			slog.Group("g", "list", h.List, "map", h.Map))
		expectHidden(t, name, out.String())
		if strings.Count(out.String(), redacted) < 2 {
			t.Errorf("%s does not say that there is a secret: %s", name, out.String())
		}
	}
}

type element struct{ Pointer *Bytes }

func TestEncoders(t *testing.T) {
	h := newHolder()
	shown, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	expectHidden(t, "json", string(shown))
	if got := strings.Count(string(shown), `"`+redacted+`"`); got != 6 {
		t.Errorf("%d of 6 exported secrets are redacted in %s", got, shown)
	}
	shown, err = xml.Marshal(element{h.Pointer})
	if err != nil {
		t.Fatal(err)
	}
	expectHidden(t, "xml", string(shown))
	shown, err = h.Pointer.MarshalText()
	if err != nil || string(shown) != redacted {
		t.Errorf("text is %s, %v", shown, err)
	}
}
