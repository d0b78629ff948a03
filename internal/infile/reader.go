package infile

import (
	"tunic/internal/sql"
)

// Reader reads the lines of a file and their fields as servers do (MySQL manual,
// "LOAD DATA Statement", "Field and Line Handling"): byte by byte, since what looks like
// a mark may be escaped, or enclosed, or only the beginning of one.
//
// It keeps one field at a time.
type Reader struct {
	more   func() ([]byte, error) // the next part of the file, empty at its end
	part   []byte
	back   []byte // bytes to be read again, the next one last
	ended  bool
	Failed error

	terminated, starting, lineEnd []byte
	enclosed, escaped             int // none if there is no such character

	most       int // bytes of a field
	Field      []byte
	inside     bool // the field was enclosed
	sawN       bool // the field had an escaped N in it
	endOfLine  bool
	atStart    bool // of a line, before what begins it
	LineWasCut bool // the line had more fields than were read
	TooLong    bool
}

// none is no character: what reading returns at the end of the file.
const none = -1

// NewReader reads a file in a format.
func NewReader(f *sql.FileFormat, most int, more func() ([]byte, error)) *Reader {
	return &Reader{
		more: more, most: most, terminated: f.Terminated, starting: f.Starting, lineEnd: f.LineEnd,
		enclosed: firstOf(f.Enclosed), escaped: firstOf(f.Escaped), atStart: len(f.Starting) > 0,
	}
}

func firstOf(mark []byte) int {
	if len(mark) == 0 {
		return none
	}
	return int(mark[0])
}

// get is the next byte, none at the end.
func (r *Reader) get() int {
	if n := len(r.back); n > 0 {
		c := r.back[n-1]
		r.back = r.back[:n-1]
		return int(c)
	}
	for len(r.part) == 0 {
		if r.ended || r.Failed != nil {
			return none
		}
		if r.part, r.Failed = r.more(); r.Failed == nil && len(r.part) == 0 {
			r.ended = true
		}
	}
	c := r.part[0]
	r.part = r.part[1:]
	return int(c)
}

// push has a byte read again.
func (r *Reader) push(c int) {
	if c != none {
		r.back = append(r.back, byte(c))
	}
}

// Drain reads the file to its end, which a client sends in any case.
func (r *Reader) Drain() error {
	r.back = nil
	for !r.ended && r.Failed == nil {
		r.part = nil
		r.get()
	}
	return r.Failed
}

// follows reads the rest of a mark whose first byte has been read, or nothing.
func (r *Reader) follows(mark []byte) bool {
	for i := 1; i < len(mark); i++ {
		c := r.get()
		if c == int(mark[i]) {
			continue
		}
		r.push(c)
		for i--; i > 0; i-- {
			r.push(int(mark[i]))
		}
		return false
	}
	return true
}

// beginsMark reports whether a byte is the first of a mark.
func beginsMark(c int, mark []byte) bool { return len(mark) > 0 && c == int(mark[0]) }

// start passes over what is before a line's first field; false at the end of the file.
func (r *Reader) start() bool {
	r.atStart = false
	for {
		switch c := r.get(); {
		case c == none:
			r.endOfLine = true
			return false
		case beginsMark(c, r.starting) && r.follows(r.starting):
			return true
		}
	}
}

// Next reads a field; false if the line has no more.
func (r *Reader) Next() bool {
	r.Field, r.inside, r.sawN = r.Field[:0], false, false
	if r.endOfLine || r.atStart && !r.start() {
		return false
	}
	c := r.get()
	if c == none {
		r.endOfLine = true
		return false
	}
	quote := none
	if c == r.enclosed {
		quote = c
		if r.read(quote) {
			return true
		}
		r.Field = append([]byte{byte(quote)}, r.Field...) // nothing has closed it
		return true
	}
	r.push(c)
	r.read(quote)
	return true
}

// read reads a field behind the quote that opens it; false if the file ends before one
// closes it.
func (r *Reader) read(quote int) (closed bool) {
	for {
		c := r.get()
		if c != none && c == r.escaped {
			escaped := r.get()
			if escaped == none {
				r.add(c)
				break
			}
			if r.escaped != r.enclosed || escaped == r.escaped {
				r.add(r.unescape(escaped))
				continue
			}
			r.push(escaped)
		}
		switch {
		case c == none:
			r.endOfLine = true
			return false
		case quote == none && beginsMark(c, r.lineEnd) && r.follows(r.lineEnd):
			r.endOfLine = true
			return true
		case c == quote:
			if done := r.closes(quote); done {
				return true
			}
			continue
		case quote == none && beginsMark(c, r.terminated) && r.follows(r.terminated):
			return true
		}
		r.add(c)
	}
	r.endOfLine = true
	return false
}

// closes reads what is behind a quote inside of a field: another one, which stands for
// one; or the end of the field; or anything else, and the quote is one of its characters.
func (r *Reader) closes(quote int) bool {
	switch c := r.get(); {
	case c == quote:
		r.add(c)
		return false
	case c == none, beginsMark(c, r.lineEnd) && r.follows(r.lineEnd):
		r.endOfLine, r.inside = true, true
		return true
	case beginsMark(c, r.terminated) && r.follows(r.terminated):
		r.inside = true
		return true
	default:
		r.push(c)
		r.add(quote)
		return false
	}
}

func (r *Reader) add(c int) {
	if len(r.Field) >= r.most {
		r.TooLong = true
		return
	}
	r.Field = append(r.Field, byte(c))
}

// unescape is what an escaped character means.
func (r *Reader) unescape(c int) int {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'b':
		return '\b'
	case '0':
		return 0
	case 'Z':
		return 26
	case 'N':
		r.sawN = true
	}
	return c
}

// IsNull reports whether the field stands for NULL: \N, or NULL without quotes where
// there may be some.
func (r *Reader) IsNull() bool {
	return r.sawN && len(r.Field) == 1 || r.enclosed != none && !r.inside && string(r.Field) == "NULL"
}

// NextLine goes to the next line; false at the end of the file.
func (r *Reader) NextLine() bool {
	r.LineWasCut, r.atStart = false, len(r.starting) > 0
	if r.endOfLine {
		r.endOfLine = false
		return !r.atEnd()
	}
	for {
		c := r.get()
		switch {
		case c == none:
			return false
		case c == r.escaped:
			r.LineWasCut = true
			if r.get() == none {
				return false
			}
			continue
		case beginsMark(c, r.lineEnd) && r.follows(r.lineEnd):
			return true
		}
		r.LineWasCut = true
	}
}

// atEnd reports whether the file has been read to its end.
func (r *Reader) atEnd() bool {
	c := r.get()
	r.push(c)
	return c == none
}
