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
	// Schema is the default schema of its session, User the account's name; "" if that is not known.
	Schema, User string
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
	p := parser{each: each, sessions: map[string]session{}}
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
	session string // the number of the session that the statement is of, in a general log

	sessions map[string]session // of a general log, by their numbers
	now      session            // in a slow log
}

// session is what a log says of a session.
type session struct{ schema, user string }

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
	text, of := bytes.TrimSpace(p.text), p.sessions[p.session]
	if p.slow {
		text = p.slowBody(text)
		of = p.now
	}
	if len(text) == 0 {
		return nil
	}
	if !p.slow {
		p.use(text)
	}
	p.read.Statements++
	return p.each(Statement{Text: text, Schema: of.schema, User: of.user, Count: 1})
}

// isBanner reports whether a line is the first of the three that a server writes when it opens a log.
func isBanner(line []byte) bool {
	return bytes.Contains(line, []byte(", Version: ")) && bytes.HasSuffix(bytes.TrimRight(line, " "), []byte("started with:"))
}
