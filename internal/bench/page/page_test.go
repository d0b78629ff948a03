package page

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
	"tunic/internal/bench/matrix"
)

// longDocument is someDocument with what only a benchmark over time has.
func longDocument() *document.Document {
	d := documenttest.Some()
	d.Command = matrix.CommandOf(d.Settings, "relay")
	d.References = []document.Reference{{System: "another proxy", Where: "elsewhere", Figures: "14 to 20 a second"}}
	for i := range d.Cells {
		for j := range d.Cells[i].Runs {
			r := &d.Cells[i].Runs[j]
			if r.Failed != "" {
				continue
			}
			for second := range 30 {
				r.Timeline = append(r.Timeline, document.Second{TPS: r.TPS - 10*float64(second), P95Ms: r.P95Ms})
				r.ServerRSS = append(r.ServerRSS, 700+float64(second))
			}
		}
	}
	d.Summarise()
	return d
}

// The page says all that its figures depend on, draws what there is, and keeps what was
// measured elsewhere apart.
func TestPage(t *testing.T) {
	text := documenttest.Page(t, longDocument(), Render)
	for _, want := range []string{
		"What a hop costs, 2026-05-04", "Example CPU", "MariaDB 10.11.6", "haproxy 2.6.12", "0123456789abcdef0123456789abcdef01234567",
		"--innodb-buffer-pool-size=512M", "bin/tunic bench relay --workloads=oltp_point_select,oltp_insert",
		"throughput, as a share of direct", "p95 of latency", "CPU of the server", "transactions a second", "RSS of the server",
		"512 bytes a row", "TUNIC-2104", "Lost connection",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	ours, elsewhere, found := strings.Cut(text, "Measured elsewhere")
	if !found || strings.Contains(ours, "another proxy") || !strings.Contains(elsewhere, "another proxy") {
		t.Error("what was measured elsewhere is not apart")
	}
}

// A short benchmark has no lines over time; what a document says is text, never markup.
func TestPageOfLittle(t *testing.T) {
	d := documenttest.Some()
	d.Name, d.Complete, d.Storage = "unheard of", false, nil
	d.Machine.CPU = `"<script>&`
	d.Settings.Targets, d.Settings.Rounds = []string{document.TargetTunic}, 1
	d.Cells = []document.Cell{d.Cells[2]}
	d.Summarise()
	text := documenttest.Page(t, d, Render)
	for _, want := range []string{"Benchmark unheard of", "interrupted", "fewer than 3 rounds", "&lt;script&gt;"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, not := range []string{"transactions a second", "Bytes stored", "Measured elsewhere"} {
		if strings.Contains(text, not) {
			t.Errorf("%q, of which nothing was measured", not)
		}
	}
}

func TestWritePage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "relay.html")
	if err := Write(longDocument(), path); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(text), "<!DOCTYPE html>") {
		t.Errorf("%v, %.40s", err, text)
	}
}
