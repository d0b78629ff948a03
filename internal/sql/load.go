package sql

import (
	"strconv"

	"tunic/internal/sql/ast"
)

// FileLoad is a LOAD DATA statement (MySQL manual, "LOAD DATA Statement").
type FileLoad struct {
	// Local says that the client has the file.
	Local bool
	// File is the file's name as the statement has it.
	File []byte
	// Replace and Ignore say what is done with a row whose key is there.
	Replace, Ignore bool
	Table           TableName
	// Charset is the character set that the statement says the file is in, "" for none.
	Charset string
	Format  FileFormat
	// Skip is how many lines come before the first row.
	Skip uint64
	// Fields are what the fields of a line are for; nil for all columns of the table.
	Fields []LoadField
	// Set are the columns that are computed; names of variables are ast.Variable.
	Set ast.UpdateExprs
}

// LoadField is what a field of a line is for: a column, or a user variable.
type LoadField struct {
	Name     string
	Variable bool
}

// FileFormat is how rows and values are marked in a file.
type FileFormat struct {
	// Terminated ends a field, Enclosed stands around one, and Escaped before a character
	// that is meant otherwise; each may be empty.
	Terminated, Enclosed, Escaped []byte
	// EscapedGiven says that the statement says what Escaped is.
	EscapedGiven bool
	// Starting begins a line, and what is before it is passed over; LineEnd ends one.
	Starting, LineEnd []byte
}

// FileLoad reads a LOAD DATA statement. ok is false for other statements, and for what is
// not read to its end: partitions, and what MariaDB has beside MySQL's.
func (s *Statement) FileLoad() (l FileLoad, ok bool) {
	if s.Kind != LoadData {
		return l, false
	}
	c := s.cursor()
	l.Format = FileFormat{Terminated: []byte("\t"), Escaped: []byte(`\`), LineEnd: []byte("\n")}
	if !c.accepts("LOAD", "DATA") || !l.head(&c) || !l.format(&c) || !l.skip(&c) || !l.list(&c) {
		return l, false
	}
	if c.accept("SET") {
		return l, l.assignments(s, c.lx.from)
	}
	return l, c.finished()
}

// head reads from behind LOAD DATA to the table.
func (l *FileLoad) head(c *cursor) (ok bool) {
	c.accept("LOW_PRIORITY", "CONCURRENT")
	l.Local = c.accept("LOCAL")
	if !c.accept("INFILE") {
		return false
	}
	if l.File, ok = fileMark(c); !ok {
		return false
	}
	l.Replace = c.accept("REPLACE")
	l.Ignore = !l.Replace && c.accept("IGNORE")
	if !c.accepts("INTO", "TABLE") {
		return false
	}
	l.Table, ok = c.tableName()
	return ok
}

// format reads the character set, and how fields and lines are marked.
func (l *FileLoad) format(c *cursor) (ok bool) {
	if c.accepts("CHARACTER", "SET") || c.accept("CHARSET") {
		if c.t == tokenString {
			var text []byte
			text, ok = fileMark(c)
			l.Charset = string(text)
		} else {
			l.Charset, ok = c.name()
		}
		if !ok {
			return false
		}
	}
	if c.accept("FIELDS", "COLUMNS") {
		for n := 0; ; n++ {
			if read, ok := l.fieldMark(c); !ok {
				return false
			} else if !read {
				if n == 0 {
					return false
				}
				break
			}
		}
	}
	if !c.accept("LINES") {
		return true
	}
	for n := 0; ; n++ {
		var into *[]byte
		switch {
		case c.accepts("STARTING", "BY"):
			into = &l.Format.Starting
		case c.accepts("TERMINATED", "BY"):
			into = &l.Format.LineEnd
		default:
			return n > 0
		}
		if *into, ok = fileMark(c); !ok {
			return false
		}
	}
}

// fieldMark reads one of the marks of fields; read is false if there is none.
func (l *FileLoad) fieldMark(c *cursor) (read, ok bool) {
	var into *[]byte
	switch {
	case c.accepts("TERMINATED", "BY"):
		into = &l.Format.Terminated
	case c.accepts("OPTIONALLY", "ENCLOSED", "BY"), c.accepts("ENCLOSED", "BY"):
		into = &l.Format.Enclosed
	case c.accepts("ESCAPED", "BY"):
		into, l.Format.EscapedGiven = &l.Format.Escaped, true
	default:
		return false, true
	}
	*into, ok = fileMark(c)
	return ok, ok
}

// skip reads IGNORE n LINES.
func (l *FileLoad) skip(c *cursor) bool {
	if !c.accept("IGNORE") {
		return true
	}
	if c.t != tokenNumber {
		return false
	}
	n, err := strconv.ParseUint(string(c.text()), 10, 63)
	if err != nil {
		return false
	}
	l.Skip = n
	c.next()
	return c.accept("LINES", "ROWS")
}

// list reads what the fields are for.
func (l *FileLoad) list(c *cursor) bool {
	if c.t != tokenOpen {
		return true
	}
	c.next()
	if c.t == tokenClose {
		c.next()
		return true // MySQL takes () for no list
	}
	for {
		f, ok := readLoadField(c)
		if !ok {
			return false
		}
		l.Fields = append(l.Fields, f)
		if c.t == tokenClose {
			c.next()
			return true
		}
		if c.t != tokenComma {
			return false
		}
		c.next()
	}
}

// readLoadField reads a column or a variable.
func readLoadField(c *cursor) (f LoadField, ok bool) {
	if c.t == tokenVar {
		f.Variable, f.Name = true, string(c.text()[1:])
		c.next()
		for _, b := range []byte(f.Name) {
			ok = isWord(b)
			if !ok {
				return f, false // in quotes
			}
		}
		return f, ok
	}
	f.Name, ok = c.name()
	for ok && c.t == tokenDot { // of the table
		c.next()
		f.Name, ok = c.name()
	}
	return f, ok
}

// assignments reads what follows SET, from a position of the text to its end.
func (l *FileLoad) assignments(s *Statement, from int) bool {
	text := append([]byte("UPDATE t SET "), s.text[from:s.End]...)
	read, err := Parse(text, s.modes)
	if err != nil || len(read) != 1 || read[0].Kind != Update {
		return false
	}
	tree, err := read[0].Tree()
	if err != nil || tree.params > 0 {
		return false
	}
	n, ok := tree.Root().(*ast.Update)
	if !ok || n.Where != nil || len(n.OrderBy) > 0 || n.Limit != nil {
		return false
	}
	l.Set = n.Exprs
	return true
}

// fileMark reads a string, or bytes in hexadecimal digits.
func fileMark(c *cursor) (value []byte, ok bool) {
	switch c.t {
	case tokenString:
		value = []byte{}
		for c.t == tokenString {
			text := c.text()
			value = appendUnquoted(value, text[1:len(text)-1], text[0], c.lx.modes&NoBackslashEscapes == 0, c.lx.cs)
			c.next()
		}
		return value, true
	case tokenHex:
		value, _ = appendBytes([]byte{}, c.text())
		c.next()
		return value, true
	}
	return nil, false
}
