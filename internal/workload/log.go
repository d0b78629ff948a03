package workload

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// Statement is one that the server was sent.
type Statement struct {
	// Text is the statement, with its values. It is the reader's, and is there until the call returns.
	Text []byte
	// Schema is the default schema of its session; "" if that is not known.
	Schema string
	// Count is how many times it came.
	Count int64
}

// Read is what was read.
type Read struct {
	// Statements are how many were told, Skipped how many were too long or cut off.
	Statements, Skipped int64
}

// ErrForm says that a file has no line of a general or a slow query log.
var ErrForm = errors.New("it is neither a general query log nor a slow query log of MySQL or MariaDB")

// statementBytesMax bounds a statement: servers take no longer ones by default (max_allowed_packet of
// MySQL).
const statementBytesMax = 64 << 20

// Log reads a general or a slow query log and tells each statement. What begins a line of a log may
// also begin a line of a statement; such a statement is told in two parts. An error is ErrForm, the
// reader's, or that of each.
func Log(from io.Reader, each func(Statement) error) (Read, error) {
	p := parser{each: each, schemas: map[string]string{}}
	lines := bufio.NewReaderSize(from, 1<<16)
	for {
		err := p.readLine(lines)
		if err != nil && !errors.Is(err, io.EOF) {
			return p.read, err
		}
		if err != nil {
			break
		}
	}
	if err := p.end(); err != nil {
		return p.read, err
	}
	if !p.known {
		return p.read, ErrForm
	}
	return p.read, nil
}

// parser reads one log.
type parser struct {
	each  func(Statement) error
	read  Read
	known bool // a line of a log was seen

	line    []byte
	text    []byte // of the statement under way
	open    bool   // there is one
	long    bool   // and it is too long
	slow    bool   // it is one of a slow log
	banner  int    // lines of a banner that are left
	session string // that the statement is of, in a general log

	schemas map[string]string // by session, in a general log
	schema  string            // in a slow log
}

// readLine reads a line, of which what is longer than a statement is let go.
func (p *parser) readLine(lines *bufio.Reader) error {
	p.line = p.line[:0]
	for {
		part, err := lines.ReadSlice('\n')
		if len(p.line) <= statementBytesMax {
			p.line = append(p.line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && len(p.line) == 0 {
			return err
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		return p.take(bytes.TrimRight(p.line, "\r\n"))
	}
}

// take reads one line.
func (p *parser) take(line []byte) error {
	if p.banner > 0 {
		p.banner--
		return nil
	}
	if isBanner(line) {
		p.banner = 2
		return p.end()
	}
	if entry, ok := generalEntry(line); ok {
		return p.general(entry)
	}
	if bytes.HasPrefix(line, []byte("# ")) && isSlowHead(line[2:]) {
		return p.slowHead(line[2:])
	}
	if p.open {
		p.add(line)
	}
	return nil
}

// add adds a line to the statement under way.
func (p *parser) add(line []byte) {
	if len(p.text)+len(line) > statementBytesMax {
		p.long = true
		return
	}
	if len(p.text) > 0 {
		p.text = append(p.text, '\n')
	}
	p.text = append(p.text, line...)
}

// end tells the statement that is under way.
func (p *parser) end() error {
	open, long := p.open, p.long
	p.open, p.long = false, false
	defer func() { p.text = p.text[:0] }()
	if !open {
		return nil
	}
	if long {
		p.read.Skipped++
		return nil
	}
	s := Statement{Text: bytes.TrimSpace(p.text), Schema: p.schema, Count: 1}
	if p.slow {
		s.Text = p.slowBody(s.Text)
		s.Schema = p.schema
	} else {
		s.Schema = p.schemas[p.session]
	}
	if len(s.Text) == 0 {
		return nil
	}
	if !p.slow {
		p.use(s.Text)
	}
	p.read.Statements++
	return p.each(s)
}

// isBanner reports whether a line is the first of the three that a server writes when it opens a log.
func isBanner(line []byte) bool {
	return bytes.Contains(line, []byte(", Version: ")) && bytes.HasSuffix(bytes.TrimRight(line, " "), []byte("started with:"))
}
