package sql

import "strings"

// Renames reports whether a HANDLER … OPEN opens a table under another name, by which it is read (MySQL manual, "HANDLER
// Statement"). It is true of a HANDLER that cannot be read, and false of other statements.
func (s *Statement) Renames() bool {
	if s.Kind != Handler {
		return false
	}
	c := s.cursor()
	c.Accept("HANDLER")
	t, ok := c.TableName()
	switch {
	case !ok:
		return true
	case !c.Accept("OPEN"): // READ or CLOSE
		return false
	case c.Finished():
		return false
	}
	c.Accept("AS")
	name, ok := c.Name()
	return !ok || !c.Finished() || !strings.EqualFold(name, t.Name)
}
