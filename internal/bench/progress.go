package bench

import (
	"fmt"
	"io"
	"strings"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
	"tunic/internal/bench/page"
)

// stepOverhead is what a step takes beside the load itself: connecting, preparing
// statements, emptying tables. It only serves the first estimates of the time left.
const stepOverhead = 500 * time.Millisecond

// progress tells people how far a benchmark is: on a terminal in one line that
// changes, elsewhere in a line for each step.
type progress struct {
	out    io.Writer
	status func(line string) // nil if there is no line that changes
	now    func() time.Time

	began       time.Time // of the first step
	steps, done int
	left, past  time.Duration // planned lengths
}

func newProgress(out io.Writer, status func(line string)) *progress {
	return &progress{out: out, status: status, now: time.Now}
}

// plan says what is to come.
func (p *progress) plan(steps []step) {
	p.steps, p.left = len(steps), 0
	for _, s := range steps {
		p.left += s.planned()
	}
}

func (s step) planned() time.Duration { return s.Length + stepOverhead }

// note tells of something that is not a step.
func (p *progress) note(format string, args ...any) { p.show(fmt.Sprintf(format, args...)) }

// begin tells which step comes now.
func (p *progress) begin(s step) {
	if p.began.IsZero() {
		p.began = p.now()
	}
	if p.status != nil {
		p.show(fmt.Sprintf("[%d/%d] %s left · %s", p.done+1, p.steps, p.remaining(), s))
	}
}

// end tells what came of the step.
func (p *progress) end(s step, r document.Run) {
	p.done++
	p.past += s.planned()
	p.left -= s.planned()
	if p.status == nil {
		p.show(fmt.Sprintf("[%d/%d] %s: %s; %s left", p.done, p.steps, s, r, p.remaining()))
	}
}

// result leaves a line that stays.
func (p *progress) result(text string) { p.print(text + "\n") }

// close clears the line that changes.
func (p *progress) close() {
	if p.status != nil {
		p.status("")
	}
}

func (p *progress) show(text string) {
	if p.status != nil {
		p.status(text)
		return
	}
	p.print(text + "\n")
}

// print ignores errors: a benchmark does not end because nobody listens.
func (p *progress) print(text string) { _, _ = io.WriteString(p.out, text) }

// remaining estimates from how the steps so far kept to their plan.
func (p *progress) remaining() time.Duration {
	pace := 1.0
	if p.past > 0 {
		pace = float64(p.now().Sub(p.began)) / float64(p.past)
	}
	return time.Duration(float64(p.left) * pace).Round(time.Second)
}

func (s step) String() string {
	round := fmt.Sprintf("round %d", s.Round)
	switch s.Round {
	case matrix.WarmUp:
		round = "warm-up"
	case matrix.Profiled:
		round = "profile"
	}
	return fmt.Sprintf("%s, %s, %s", s.Case, round, s.Target)
}

// caseLine says in one line what a case came to.
func caseLine(d *document.Document, c document.Case) string {
	parts := []string{c.String() + ":"}
	for _, target := range d.Settings.Targets {
		cell := d.Cell(c, target)
		if cell == nil {
			continue
		}
		parts = append(parts, target+" "+briefOf(*cell))
	}
	return strings.Join(parts, "  ")
}

func briefOf(c document.Cell) string {
	text := page.TPSOrFailure(c)
	if c.Failed() {
		return text
	}
	text += " TPS"
	if ratio := c.Summary.Ratio[document.TargetDirect]; ratio != nil && c.Target != document.TargetDirect {
		text += fmt.Sprintf(" (%.2f)", ratio.Median)
	}
	return text
}
