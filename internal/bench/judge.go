package bench

import (
	"errors"
	"fmt"
	"strings"

	"tunic/internal/bench/document"
)

// judgeChanges says what is wrong with the changes: one that was refused, or none at all. That a layer
// had not the time to come to its end is nothing wrong.
func judgeChanges(l *document.LayerChanges) error {
	switch {
	case l == nil:
		return nil
	case len(l.Refused) > 0:
		return fmt.Errorf("changes of layers were refused: %v", l.Refused)
	case l.Came+l.Went+l.Unfinished == 0:
		return errors.New("no change of a layer was under way")
	}
	return nil
}

// judgeRun has a run fail whose answers were wrong, and so on. What clients were told counts
// where it is tunic's doing: triggers and the exchange of tables of other tools have errors of
// their own.
func judgeRun(r *document.Run, tunics bool) {
	b := r.Beside
	if b == nil || r.Failed != "" {
		return
	}
	var all error
	if b.Wrong > 0 || tunics && len(b.Errors) > 0 {
		all = errors.Join(all, fmt.Errorf("%d wrong answers, errors %v", b.Wrong, b.Errors))
	}
	for _, s := range b.Files {
		if len(s.Other) > 0 {
			all = errors.Join(all, fmt.Errorf("%s: values in the clear in %v", s.When, s.Other))
		}
	}
	if b.Same != nil && !*b.Same {
		all = errors.Join(all, errors.New("the table is not what was written"))
	}
	all = errors.Join(all, judgeChanges(b.Layers))
	if all != nil {
		r.Failed = strings.ReplaceAll(all.Error(), "\n", "; ")
	}
}
