package bench

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/meter"
	"tunic/internal/bench/page"
)

// someProfile is one of this process, with a sample at least: on a busy machine there may
// be none for a while.
func someProfile(t *testing.T) []byte {
	t.Helper()
	for {
		var b bytes.Buffer
		if err := pprof.StartCPUProfile(&b); err != nil {
			t.Skip(err) // another one is under way
		}
		for began := time.Now(); time.Since(began) < 150*time.Millisecond; {
			bytes.Count([]byte(strings.Repeat("a", 100)), []byte("ab"))
		}
		pprof.StopCPUProfile()
		read, err := meter.ReadCosts(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if read.Seconds > 0 {
			return b.Bytes()
		}
	}
}

// profiledBench has a tunic that answers with a profile, or with what is none.
func profiledBench(t *testing.T, answer []byte) *bench {
	t.Helper()
	b := pretendBench(t, "cat <<'END'\n"+recorded(t, "read_write")+"\nEND")
	b.settings.Targets, b.settings.Profile, b.settings.Rounds, b.outDir = []string{document.TargetDirect, document.TargetTunic}, true, 1, t.TempDir()
	b.document.Settings, b.document.Name = b.settings, "relay"
	asked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/debug/pprof/profile" || r.FormValue("seconds") == "" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(answer)
	}))
	t.Cleanup(asked.Close)
	b.hops = map[string]*hop{
		document.TargetDirect: b.hops[document.TargetDirect],
		document.TargetTunic:  {addr: "127.0.0.1:2", server: b.hops[document.TargetDirect].server, admin: strings.TrimPrefix(asked.URL, "http://")},
	}
	return b
}

// TestTakeProfile: a turn more of tunic, and of nobody else, is no run of the cell, and
// leaves a file and what it says in the document and the report.
func TestTakeProfile(t *testing.T) {
	b := profiledBench(t, someProfile(t))
	if !b.takeAll(t.Context()) {
		t.Fatal("it has ended early")
	}
	if direct := b.document.Cell(documenttest.PointSelect, document.TargetDirect); direct.Profile != nil {
		t.Error("the server has a profile")
	}
	cell := b.document.Cell(documenttest.PointSelect, document.TargetTunic)
	if len(cell.Runs) != 1 || cell.Profile == nil || len(cell.Profile.Flat) == 0 || cell.Profile.Seconds <= 0 {
		t.Fatalf("%d runs, profile %+v", len(cell.Runs), cell.Profile)
	}
	if kept, err := os.ReadFile(filepath.Join(b.outDir, cell.Profile.File)); err != nil || !strings.HasSuffix(cell.Profile.File, "-oltp_point_select-auto-8-tunic.pprof") || len(kept) == 0 {
		t.Errorf("%s: %v", cell.Profile.File, err)
	}
	top := cell.Profile.Flat[0].Function
	if shown := documenttest.Page(t, b.document, page.Render); !strings.Contains(shown, top) || !strings.Contains(shown, cell.Profile.File) {
		t.Errorf("the report has no %q", top)
	}
	if text := page.Table(b.document); !strings.Contains(text, "most in "+top) {
		t.Errorf("no profile in\n%s", text)
	}
}

// TestTakeProfileThatFails is told of, and the figures stand.
func TestTakeProfileThatFails(t *testing.T) {
	b := profiledBench(t, []byte("no profile"))
	if !b.takeAll(t.Context()) {
		t.Fatal("it has ended early")
	}
	cell := b.document.Cell(documenttest.PointSelect, document.TargetTunic)
	if cell.Profile != nil || cell.Failed() || len(b.document.Skipped) != 1 || !strings.Contains(b.document.Skipped[0], "no profile of oltp_point_select") {
		t.Errorf("%+v, %v", cell, b.document.Skipped)
	}
}

// TestProfileSteps: behind the rounds of each case, of the tunics, and only if it was asked for.
func TestProfileSteps(t *testing.T) {
	s := documenttest.Settings()
	s.Targets = []string{document.TargetDirect, document.TargetTunic, document.TargetProtected}
	without := len(stepsOf(s))
	s.Profile = true
	steps := stepsOf(s)
	if got, want := len(steps), without+2*len(matrix.Cases(s)); got != want {
		t.Errorf("%d steps, want %d", got, want)
	}
	last := steps[len(steps)-1]
	if last.Round != matrix.Profiled || last.Target != document.TargetProtected || !strings.Contains(last.String(), "profile, protected") {
		t.Errorf("at the end %s", last)
	}
	if !strings.HasSuffix(matrix.CommandOf(s, "relay"), " --profile") {
		t.Error(matrix.CommandOf(s, "relay"))
	}
}
