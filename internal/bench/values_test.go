package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
	"tunic/internal/bench/page"
)

// withValues adds to a document what two operations have cost, of which sealing takes so long.
func withValues(d *document.Document, seal float64) *document.Document {
	for operation, ns := range map[string]float64{"seal": seal, "open": 120} {
		var rounds []document.ValueRun
		for i := range 3 {
			rounds = append(rounds, document.ValueRun{Operations: 1000, Ns: ns + float64(i), Bytes: 39, Allocations: 1})
		}
		d.Cells = append(d.Cells, ValueCell("int", operation, rounds))
	}
	d.Summarise()
	return d
}

// Values beside questions have a table of their own, which no question is in.
func TestValuesBesideQuestions(t *testing.T) {
	d := withValues(documenttest.Questions(), 210)
	all := page.Sections(d)
	if len(all) != 2 || len(all[0].Cells) != 4 || len(all[1].Cells) != 2 {
		t.Fatalf("%d sections", len(all))
	}
	for what, text := range map[string]string{"table": page.Table(d), "page": documenttest.Page(t, d, page.Render)} {
		if !strings.Contains(text, all[1].Heading) || !strings.Contains(text, "211") || !strings.Contains(text, "Allocations are whole ones") {
			t.Errorf("the %s has no values:\n%s", what, text)
		}
	}
	if !strings.Contains(documenttest.Page(t, d, page.Render), "int: seal") {
		t.Error("the page does not list the rounds")
	}
}

// A value that takes longer is told of where the machine is the same, and only there.
func TestCompareValues(t *testing.T) {
	older, newer := withValues(documenttest.Questions(), 210), withValues(documenttest.Questions(), 420)
	var text bytes.Buffer
	_, _ = page.Compare(older, newer).WriteTo(&text)
	if !strings.Contains(text.String(), "worse   int: seal, inside tunic: ns 211 -> 421 (+100%)") || strings.Contains(text.String(), "int: open") {
		t.Errorf("got\n%s", text.String())
	}
	newer.Machine.CPU = "another"
	text.Reset()
	_, _ = page.Compare(older, newer).WriteTo(&text)
	if strings.Contains(text.String(), "int: seal") {
		t.Errorf("of two machines:\n%s", text.String())
	}
}

// program is a script in the place of tunic.
func program(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tunic")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// Values alone are a document without a plot, which can be read again.
func TestMeasureValues(t *testing.T) {
	dir := t.TempDir()
	var out strings.Builder
	o := ValuesOptions{
		Command: "bin/tunic bench values", Rounds: 1, TunicBinary: program(t, "echo tunic 0.1.0"), OutDir: dir, Stdout: &out,
		Measure: func(context.Context) ([]document.Cell, error) {
			return []document.Cell{ValueCell("int", "seal", []document.ValueRun{{Operations: 10, Ns: 200}})}, nil
		},
	}
	if err := MeasureValues(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "values-*"))
	if len(files) != 2 {
		t.Fatalf("files %v", files)
	}
	for _, name := range files {
		if strings.HasSuffix(name, ".json") {
			d, err := document.Read(name)
			if err != nil || len(d.Cells) != 1 || d.Cells[0].Runs[0].Value.Ns != 200 {
				t.Errorf("%+v, %v", d, err)
			}
		}
	}
	if !strings.Contains(out.String(), "200") || strings.Contains(out.String(), "server ") || strings.Contains(out.String(), ".svg") {
		t.Error(out.String())
	}
	o.Measure = func(context.Context) ([]document.Cell, error) { return nil, errors.New("no") }
	if err := MeasureValues(t.Context(), o); err == nil {
		t.Error("what fails passes")
	}
}

// The tunic that is measured is asked for its own values; another one that does not know the
// command is told of, and this one has to.
func TestValueCells(t *testing.T) {
	cells, err := json.Marshal([]document.Cell{ValueCell("int", "seal", []document.ValueRun{{Operations: 10, Ns: 200}})})
	if err != nil {
		t.Fatal(err)
	}
	o := &QueriesOptions{Rounds: 4, TunicBinary: program(t, `[ "$*" = "bench values --json --rounds=4" ] && echo '`+string(cells)+`'`)}
	if got, skipped, err := o.valueCells(t.Context()); err != nil || skipped != "" || len(got) != 1 || got[0].Value != "int" {
		t.Errorf("%+v, %q, %v", got, skipped, err)
	}
	o.TunicBinary = program(t, "echo 'unexpected argument values' >&2; exit 2")
	if _, _, err := o.valueCells(t.Context()); err == nil || !strings.Contains(err.Error(), "unexpected argument values") {
		t.Errorf("of this program: %v", err)
	}
	o.Another = true
	if got, skipped, err := o.valueCells(t.Context()); err != nil || len(got) > 0 || skipped != "single values are left out: unexpected argument values" {
		t.Errorf("%+v, %q, %v", got, skipped, err)
	}
	o.TunicBinary = program(t, "echo no cells")
	if _, _, err := o.valueCells(t.Context()); err == nil {
		t.Error("what is no JSON passes")
	}
}
