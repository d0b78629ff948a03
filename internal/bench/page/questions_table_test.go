package page

import (
	"strings"
	"testing"

	"tunic/internal/bench/documenttest"
)

// A question has one line, of both sides; one whose answers differ has no figures and is
// a failure.
func TestQuestionTable(t *testing.T) {
	d := documenttest.Questions()
	text := Table(d)
	for _, want := range []string{
		"for 0 ms and once at least; 1,000, 20,000 rows; one client",
		"point", "10.00", "30.00", "3.00 ±33%",
		"1,000 rows: the median of 2 questions takes × 3.00 of the plain server's time",
		"20,000 rows: the median of 1 of 2 questions",
		"FAILED: sum, 20,000 rows, protected: the answers differ",
		"RSS of tunic: 31 MiB at most",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if n := len(Sections(d)[0].Cells); n != 4 {
		t.Errorf("%d lines for 4 questions", n)
	}
	if err := Failures(d); err == nil || !strings.Contains(err.Error(), "1 of 8") {
		t.Errorf("got %v", err)
	}
	if page := documenttest.Page(t, d, Render); !strings.Contains(page, "What an operation costs") || !strings.Contains(page, "20,000 rows") {
		t.Error("the page lacks what it is about")
	}
	if err := documenttest.WellFormed(Plot(d)); err != nil {
		t.Error(err)
	}
}
