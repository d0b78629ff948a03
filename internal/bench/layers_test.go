package bench

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/page"
)

// Two tunics that change the layers of one table undo what the other has done, and the
// benchmark would fail by itself.
func TestLayersTables(t *testing.T) {
	if err := Layers(t.Context(), LayersOptions{Tables: 1}); err == nil || !strings.Contains(err.Error(), "tables is 1; it must be at least 2") {
		t.Errorf("one table: %v", err)
	}
	if err := (&LayersOptions{Tables: 2}).check(); err != nil {
		t.Error(err)
	}
}

// Changes that were refused, and such as never came to be, fail a run; a layer that had not the
// time does not.
func TestChangesAreJudged(t *testing.T) {
	for _, c := range []struct {
		changes *document.LayerChanges
		want    string
	}{
		{nil, ""},
		{&document.LayerChanges{Came: 1}, ""},
		{&document.LayerChanges{Unfinished: 2}, ""},
		{&document.LayerChanges{}, "no change"},
		{&document.LayerChanges{Came: 3, Refused: map[string]int{"1235 TUNIC-2104": 1}}, "TUNIC-2104"},
	} {
		r := document.Run{Beside: &document.Beside{Layers: c.changes}}
		judgeRun(&r, true)
		if (c.want == "") != (r.Failed == "") || !strings.Contains(r.Failed, c.want) {
			t.Errorf("%+v: %q, want %q", c.changes, r.Failed, c.want)
		}
	}
}

// Where no layer came to its end nothing is said of what that costs.
func TestLayersWithoutTime(t *testing.T) {
	d := layersDocument(0.67)
	for i := range d.Cells {
		for _, r := range d.Cells[i].Runs {
			if l := r.Beside.Layers; l != nil {
				*l = document.LayerChanges{Unfinished: 2}
			}
		}
	}
	if text := page.Table(d); strings.Contains(text, "of the quiet ones") || !strings.Contains(text, "this tells nothing of what that costs") {
		t.Errorf("got\n%s", text)
	}
	if err := page.Failures(d); err != nil {
		t.Error(err)
	}
}

// A run that fails is in the document, the warm-up's too; one that was interrupted is not.
func TestFailedLayersAreFiled(t *testing.T) {
	l := &layersLoad{options: LayersOptions{Threads: 1}}
	wrong := document.Run{Round: matrix.WarmUp, Beside: &document.Beside{Wrong: 1}}
	judgeRun(&wrong, true)
	for name, c := range map[string]struct {
		run  document.Run
		err  error
		want string
	}{
		"an error":         {document.Run{Round: 2, Beside: &document.Beside{}}, errors.New("lost"), "lost"},
		"a wrong answer":   {wrong, nil, "warm-up: 1 wrong answers"},
		"a warm-up's loss": {document.Run{Round: matrix.WarmUp}, errors.New("lost"), "warm-up: lost"},
	} {
		d := new(document.Document)
		err := l.file(t.Context(), d, document.TargetQuiet, c.run, c.err)
		if d.Summarise(); err == nil || page.Failures(d) == nil || !strings.HasPrefix(d.Cells[0].Summary.Failure, c.want) {
			t.Errorf("%s: %v, cells %+v", name, err, d.Cells)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	d := new(document.Document)
	if err := l.file(over, d, document.TargetQuiet, document.Run{Round: 1}, nil); err == nil || len(d.Cells) > 0 {
		t.Errorf("an interrupted one: %v, cells %+v", err, d.Cells)
	}
}
