package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// bar tells people how far something is that goes through rows: on a terminal in one line
// that changes, elsewhere in a line now and then.
type bar struct {
	screen *screen
	now    func() time.Time

	of    string    // what is under way
	began time.Time // that
	from  int64     // rows that had been gone through then
	told  time.Time

	// slow is what the server has taken just now, if it is waited for; else 0.
	slow time.Duration
	// locked are rows that are waited for because transactions have locked them.
	locked int
}

// Times between two lines.
const (
	barOften  = 200 * time.Millisecond
	barSeldom = 10 * time.Second
	barWidth  = 24 // cells
)

func newBar(on *screen) *bar { return &bar{screen: on, now: time.Now} }

// show tells that the work is in the done-th of several things, at so many rows of about
// that many, 0 for nobody knows.
func (b *bar) show(of string, done, things int, rows, about int64) {
	now := b.now()
	if of != b.of {
		b.of, b.began, b.from = of, now, rows
		if !b.screen.terminal {
			b.told = now
		}
	}
	often := barSeldom
	if b.screen.terminal {
		often = barOften
	}
	if now.Sub(b.told) < often {
		return
	}
	b.told = now
	b.screen.show(fmt.Sprintf("[%d/%d] %s %s", done+1, things, of, b.rest(rows, about, now.Sub(b.began))))
}

// rest is how far it is, how fast, and how long it will take.
func (b *bar) rest(rows, about int64, took time.Duration) string {
	text := plural(rows, "row")
	if about < rows {
		about = 0 // the estimate was too low: nobody knows
	}
	if about > 0 {
		part := float64(rows) / float64(about)
		filled := int(part * barWidth)
		text = fmt.Sprintf("[%s%s] %3.0f %%  ", strings.Repeat("#", filled), strings.Repeat(".", barWidth-filled), 100*part) + text
	}
	if b.slow > 0 {
		text += "  waits: the server takes " + b.slow.Round(time.Millisecond).String()
	}
	if b.locked > 0 {
		text += "  waits: transactions have locked " + plural(int64(b.locked), "row")
	}
	if took < time.Second || rows <= b.from {
		return text
	}
	rate := float64(rows-b.from) / took.Seconds()
	text += "  " + grouped(int64(rate)) + "/s"
	if about > 0 {
		text += "  " + time.Duration(float64(about-rows)/rate*float64(time.Second)).Round(time.Second).String() + " left"
	}
	return text
}

// close clears the line that changes.
func (b *bar) close() { b.screen.show("") }

// grouped is a number with commas between thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
