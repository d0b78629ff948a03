package sql

import (
	"strconv"

	"tunic/internal/sql/ast"
	"tunic/internal/sql/fingerprint"
	"tunic/internal/sql/lex"
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
	if !c.Accepts("LOAD", "DATA") || !l.head(&c) || !l.format(&c) || !l.skip(&c) || !l.list(&c) {
		return l, false
	}
	if c.Accept("SET") {
		return l, l.assignments(s, c.Lexer.From)
	}
	return l, c.Finished()
}

// head reads from behind LOAD DATA to the table.
func (l *FileLoad) head(c *lex.Cursor) (ok bool) {
	c.Accept("LOW_PRIORITY", "CONCURRENT")
	l.Local = c.Accept("LOCAL")
	if !c.Accept("INFILE") {
		return false
	}
	if l.File, ok = fileMark(c); !ok {
		return false
	}
	l.Replace = c.Accept("REPLACE")
	l.Ignore = !l.Replace && c.Accept("IGNORE")
	if !c.Accepts("INTO", "TABLE") {
		return false
	}
	l.Table, ok = c.TableName()
	return ok
}

// format reads the character set, and how fields and lines are marked.
func (l *FileLoad) format(c *lex.Cursor) (ok bool) {
	if c.Accepts("CHARACTER", "SET") || c.Accept("CHARSET") {
		if c.Token == lex.String {
			var text []byte
			text, ok = fileMark(c)
			l.Charset = string(text)
		} else {
			l.Charset, ok = c.Name()
		}
		if !ok {
			return false
		}
	}
	if c.Accept("FIELDS", "COLUMNS") {
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
	if !c.Accept("LINES") {
		return true
	}
	for n := 0; ; n++ {
		var into *[]byte
		switch {
		case c.Accepts("STARTING", "BY"):
			into = &l.Format.Starting
		case c.Accepts("TERMINATED", "BY"):
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
func (l *FileLoad) fieldMark(c *lex.Cursor) (read, ok bool) {
	var into *[]byte
	switch {
	case c.Accepts("TERMINATED", "BY"):
		into = &l.Format.Terminated
	case c.Accepts("OPTIONALLY", "ENCLOSED", "BY"), c.Accepts("ENCLOSED", "BY"):
		into = &l.Format.Enclosed
	case c.Accepts("ESCAPED", "BY"):
		into, l.Format.EscapedGiven = &l.Format.Escaped, true
	default:
		return false, true
	}
	*into, ok = fileMark(c)
	return ok, ok
}

// skip reads IGNORE n LINES.
func (l *FileLoad) skip(c *lex.Cursor) bool {
	if !c.Accept("IGNORE") {
		return true
	}
	if c.Token != lex.Number {
		return false
	}
	n, err := strconv.ParseUint(string(c.Text()), 10, 63)
	if err != nil {
		return false
	}
	l.Skip = n
	c.Next()
	return c.Accept("LINES", "ROWS")
}

// list reads what the fields are for.
func (l *FileLoad) list(c *lex.Cursor) bool {
	if c.Token != lex.Open {
		return true
	}
	c.Next()
	if c.Token == lex.Close {
		c.Next()
		return true // MySQL takes () for no list
	}
	for {
		f, ok := readLoadField(c)
		if !ok {
			return false
		}
		l.Fields = append(l.Fields, f)
		if c.Token == lex.Close {
			c.Next()
			return true
		}
		if c.Token != lex.Comma {
			return false
		}
		c.Next()
	}
}

// readLoadField reads a column or a variable.
func readLoadField(c *lex.Cursor) (f LoadField, ok bool) {
	if c.Token == lex.Var {
		f.Variable, f.Name = true, string(c.Text()[1:])
		c.Next()
		for _, b := range []byte(f.Name) {
			ok = lex.IsWord(b)
			if !ok {
				return f, false // in quotes
			}
		}
		return f, ok
	}
	f.Name, ok = c.Name()
	for ok && c.Token == lex.Dot { // of the table
		c.Next()
		f.Name, ok = c.Name()
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
func fileMark(c *lex.Cursor) (value []byte, ok bool) {
	switch c.Token {
	case lex.String:
		value = []byte{}
		for c.Token == lex.String {
			text := c.Text()
			value = lex.AppendUnquoted(value, text[1:len(text)-1], text[0], c.Lexer.Modes&NoBackslashEscapes == 0, c.Lexer.Charset)
			c.Next()
		}
		return value, true
	case lex.Hex:
		value, _ = fingerprint.AppendBytes([]byte{}, c.Text())
		c.Next()
		return value, true
	}
	return nil, false
}
