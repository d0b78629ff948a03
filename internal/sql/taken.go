package sql

import "tunic/internal/sql/lex"

// TakenTables are other tables whose rows a definition makes those of its table, or gives its own to: those of a
// MERGE table, and what changes places with a partition (MySQL manual, "The MERGE Storage Engine", "Exchanging
// Partitions and Subpartitions with Tables"; MariaDB manual, "Converting Partitions to/from Tables").
func (s *Statement) TakenTables() (names []TableName) {
	if s.Kind != CreateTable && s.Kind != AlterTable {
		return nil
	}
	for c := s.cursor(); !c.Ended(); c.Next() {
		switch after := c; {
		case after.Accept("UNION"):
			names = append(names, merged(&after)...)
		case after.Accepts("WITH", "TABLE"), after.Accepts("CONVERT", "TABLE"), after.Accepts("TO", "TABLE"):
			if name, ok := after.TableName(); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// merged reads the list behind UNION; it is nil if a query is there.
func merged(c *lex.Cursor) (names []TableName) {
	c.AcceptEquals()
	for first := lex.Open; c.Token == first; first = lex.Comma {
		c.Next()
		if c.Token == lex.Close {
			break
		}
		name, ok := c.TableName()
		if !ok {
			return nil
		}
		names = append(names, name)
	}
	if c.Token != lex.Close {
		return nil
	}
	return names
}

// readsElsewhere are engines whose tables are other tables, of this server or of another one, that a string names.
var readsElsewhere = []string{"FEDERATED", "SPIDER", "CONNECT"}

// NamesElsewhere reports whether a definition has an option by which a string in it may name the table to be read
// in place of its own.
func (s *Statement) NamesElsewhere() bool {
	if s.Kind != CreateTable && s.Kind != AlterTable {
		return false
	}
	for c := s.cursor(); !c.Ended(); c.Next() {
		after := c
		switch {
		case after.Accept("ENGINE", "TYPE"):
			after.AcceptEquals()
			if isAny(&after, readsElsewhere) {
				return true
			}
		case after.Accept("CONNECTION", "TABNAME", "TABLE_LIST", "SRCDEF", "REMOTE_TABLE"):
			after.AcceptEquals()
			if after.Token == lex.String || after.Token == lex.NString || after.Token == lex.Quoted {
				return true
			}
		}
	}
	return false
}

// isAny reports whether the current token is one of some words, perhaps in quotes.
func isAny(c *lex.Cursor, words []string) bool {
	text := c.Text()
	switch c.Token {
	case lex.String, lex.NString:
		text = []byte(c.StringValue())
	case lex.Quoted:
		text = []byte(c.Identifier())
	}
	for _, w := range words {
		if lex.Is(text, w) {
			return true
		}
	}
	return false
}
