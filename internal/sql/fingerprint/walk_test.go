package fingerprint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWalk goes through the literals of each statement of a text: of groups through the first element.
func TestWalk(t *testing.T) {
	for text, want := range map[string][]string{
		"SELECT 1, 'a'": {"0 1", "1 'a'"},
		"SELECT a":      nil,
		"INSERT INTO t VALUES (1, 'a'), (2, 'b') ON DUPLICATE KEY UPDATE n = 7": {"rows 0.0 1", "rows 0.1 'a'", "left", "0 7"},
		"SELECT a FROM t WHERE a = 5 AND b IN (1, 2, 3) AND c = 6":              {"0 5", "items 0.0 1", "left", "1 6"},
		"DELETE FROM t WHERE b IN (1, 2); SELECT 3, 4":                          {"items 0.0 1", "left", ";", "0 3", "1 4"},
	} {
		var f Fingerprinter
		f.Record(true)
		if !f.Fingerprint([]byte(text), 0).Clean {
			t.Fatalf("%s is not clean", text)
		}
		var got []string
		start := 0
		for i, part := range strings.SplitAfter(text, ";") {
			if i > 0 {
				got = append(got, ";")
			}
			got = append(got, walked(f.Literals().Walk(start, start+len(part)), text)...)
			start += len(part)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// walked is what a walk comes by.
func walked(w *Walk, text string) (got []string) {
	for !w.Done() {
		l := w.Literal()
		place, rows := w.Place()
		where := fmt.Sprint(place.Cell)
		if place.Group >= 0 {
			where = fmt.Sprintf("%s %d.%d", map[bool]string{true: "rows", false: "items"}[rows], place.Group, place.Cell)
		}
		got = append(got, where+" "+text[l.From:l.To])
		w.Pass()
		for at := int(l.To); at <= len(text); at++ {
			if end, left := w.Leave(at); left {
				got = append(got, "left")
				if end < at {
					got = append(got, "backwards")
				}
				break
			}
			if !w.Done() && at >= int(w.Literal().From) {
				break
			}
		}
	}
	return got
}
