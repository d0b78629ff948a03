package sql

import "tunic/internal/sql/lex"

// View is what CREATE VIEW or ALTER VIEW says (MySQL manual, "CREATE VIEW Statement";
// MariaDB's documentation, "CREATE VIEW").
type View struct {
	Name TableName
	// Replace is OR REPLACE, or an ALTER VIEW, which wants one to be there.
	Replace, Alter, IfNotExists bool
	// Algorithm and Security are UNDEFINED, MERGE or TEMPTABLE, and DEFINER or INVOKER; ""
	// where nothing is said.
	Algorithm, Security string
	// Definer is the account as it is written, "" where nothing is said.
	Definer string
	// Columns are the names that columns are given; nil without a list.
	Columns []string
	// Query is what the view is of.
	Query []byte
	// Check is WITH CHECK OPTION: CASCADED or LOCAL, "" without it.
	Check string
}

// View reads a CREATE VIEW or ALTER VIEW but for its query. It may be in executable
// comments, as in a dump: /*!50001 CREATE */ /*!50013 SQL SECURITY INVOKER */ /*!50001
// VIEW … */. ok is false for others, for what is not read to its end, and where such a
// comment begins or ends in the query.
func (s *Statement) View() (v View, ok bool) {
	c := s.cursor()
	switch {
	case c.Accept("CREATE"):
		v.Replace = c.Accepts("OR", "REPLACE")
	case c.Accept("ALTER"):
		v.Alter = true
	default:
		return v, false
	}
	if !v.options(&c) || !c.Accept("VIEW") {
		return v, false
	}
	v.IfNotExists = c.Accepts("IF", "NOT", "EXISTS")
	if v.Name, ok = c.TableName(); !ok {
		return v, false
	}
	if c.Token == lex.Open && !v.list(&c) || !c.Is("AS") {
		return v, false
	}
	from := c.Lexer.Pos
	c.Next()
	to := v.check(&c)
	if to <= from || !c.Finished() {
		return v, false
	}
	v.Query = s.text[from:to]
	return v, !marked(v.Query, s.modes) && !marked([]byte(v.Definer), s.modes)
}

// options reads what stands between CREATE and VIEW.
func (v *View) options(c *lex.Cursor) bool {
	if c.Accept("ALGORITHM") {
		if !c.AcceptEquals() || !c.Is("UNDEFINED", "MERGE", "TEMPTABLE") {
			return false
		}
		v.Algorithm = upper(c.Text())
		c.Next()
	}
	if c.Accept("DEFINER") {
		if !c.AcceptEquals() {
			return false
		}
		from, to := c.Lexer.From, c.Lexer.From
		for !c.Ended() && !c.Is("SQL", "VIEW") {
			to = c.Lexer.Pos
			c.Next()
		}
		v.Definer = string(c.Lexer.Text[from:to])
	}
	if c.Accepts("SQL", "SECURITY") {
		if !c.Is("DEFINER", "INVOKER") {
			return false
		}
		v.Security = upper(c.Text())
		c.Next()
	}
	return true
}

// list reads (a, b).
func (v *View) list(c *lex.Cursor) bool {
	for {
		c.Next()
		name, ok := c.Name()
		if !ok {
			return false
		}
		v.Columns = append(v.Columns, name)
		if c.Token == lex.Close {
			c.Next()
			return true
		}
		if c.Token != lex.Comma {
			return false
		}
	}
}

// marked reports whether an executable comment begins in a text, or ends there.
func marked(text []byte, m Modes) bool {
	var lx lex.Lexer
	lx.Reset(text, m)
	lx.Code = true
	for t := lx.Next(); t > lex.Error; t = lx.Next() {
		if t == lex.CodeEnd {
			return true
		}
	}
	return lx.Last == lex.Error
}

// check reads to the end, and returns where the query ends: there, or behind the last
// word before WITH … CHECK OPTION.
func (v *View) check(c *lex.Cursor) (end int) {
	for !c.Ended() {
		if c.Is("WITH") {
			at := *c
			at.Next()
			how := "CASCADED"
			if at.Is("CASCADED", "LOCAL") {
				how = upper(at.Text())
				at.Next()
			}
			if at.Accepts("CHECK", "OPTION") && at.Ended() {
				v.Check = how
				*c = at
				return end
			}
		}
		end = c.Lexer.Pos
		c.Next()
	}
	return end
}

func upper(word []byte) string {
	out := make([]byte, len(word))
	for i, c := range word {
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		out[i] = c
	}
	return string(out)
}
