package main

import (
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"
)

// screen is standard error. On a terminal its last line may be a status that changes; what else
// is written goes above it, in lines of its own. Elsewhere a status is a line like any other.
// It is safe for concurrent use. Nothing on it has a colour.
type screen struct {
	out      io.Writer
	terminal bool
	columns  func() int // of the terminal; 0 or less: not known

	mu     sync.Mutex
	status string
	within bool // the last write did not end its line
}

// eraseLine takes a terminal's cursor to the start of its line and clears it.
const eraseLine = "\r\x1b[K"

// newScreen makes the screen of a file, to which out writes.
func newScreen(out io.Writer, file *os.File) *screen {
	return &screen{out: out, terminal: isTerminal(file), columns: func() int { return columnsOf(file) }}
}

// isTerminal tells whether a line on it can be changed after it was written.
func isTerminal(f *os.File) bool {
	return term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// columnsOf is the width of a terminal; 0 if that is not known.
func columnsOf(f *os.File) int {
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// Write writes text above the status. It is for whole lines, as a log writes them.
func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status != "" && !s.within {
		s.put(eraseLine)
	}
	n, err := s.out.Write(text)
	s.within = len(text) > 0 && text[len(text)-1] != '\n'
	if s.status != "" && !s.within {
		s.put(s.status)
	}
	return n, err
}

// show makes text the status; an empty one is none.
func (s *screen) show(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.terminal {
		if text != "" {
			s.put(text + "\n")
		}
		return
	}
	if text = fitting(text, s.columns()); !s.within && (text != "" || s.status != "") {
		s.put(eraseLine + text)
	}
	s.status = text
}

// put ignores errors: work does not end because nobody listens.
func (s *screen) put(text string) { _, _ = io.WriteString(s.out, text) }

// fitting is the part of a text that fits in a line, whose last column stays free: a line
// that is full may have a second one under it, which nothing erases.
func fitting(text string, columns int) string {
	if columns <= 1 || utf8.RuneCountInString(text) < columns {
		return text
	}
	return string([]rune(text)[:columns-1])
}
