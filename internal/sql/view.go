package sql

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
	case c.accept("CREATE"):
		v.Replace = c.accepts("OR", "REPLACE")
	case c.accept("ALTER"):
		v.Alter = true
	default:
		return v, false
	}
	if !v.options(&c) || !c.accept("VIEW") {
		return v, false
	}
	v.IfNotExists = c.accepts("IF", "NOT", "EXISTS")
	if v.Name, ok = c.tableName(); !ok {
		return v, false
	}
	if c.t == tokenOpen && !v.list(&c) || !c.is("AS") {
		return v, false
	}
	from := c.lx.pos
	c.next()
	to := v.check(&c)
	if to <= from || !c.finished() {
		return v, false
	}
	v.Query = s.text[from:to]
	return v, !marked(v.Query, s.modes) && !marked([]byte(v.Definer), s.modes)
}

// options reads what stands between CREATE and VIEW.
func (v *View) options(c *cursor) bool {
	if c.accept("ALGORITHM") {
		if !c.acceptEquals() || !c.is("UNDEFINED", "MERGE", "TEMPTABLE") {
			return false
		}
		v.Algorithm = upper(c.text())
		c.next()
	}
	if c.accept("DEFINER") {
		if !c.acceptEquals() {
			return false
		}
		from, to := c.lx.from, c.lx.from
		for !c.ended() && !c.is("SQL", "VIEW") {
			to = c.lx.pos
			c.next()
		}
		v.Definer = string(c.lx.text[from:to])
	}
	if c.accepts("SQL", "SECURITY") {
		if !c.is("DEFINER", "INVOKER") {
			return false
		}
		v.Security = upper(c.text())
		c.next()
	}
	return true
}

// list reads (a, b).
func (v *View) list(c *cursor) bool {
	for {
		c.next()
		name, ok := c.name()
		if !ok {
			return false
		}
		v.Columns = append(v.Columns, name)
		if c.t == tokenClose {
			c.next()
			return true
		}
		if c.t != tokenComma {
			return false
		}
	}
}

// marked reports whether an executable comment begins in a text, or ends there.
func marked(text []byte, m Modes) bool {
	var lx lexer
	lx.reset(text, m)
	lx.code = true
	for t := lx.next(); t > tokenError; t = lx.next() {
		if t == tokenCodeEnd {
			return true
		}
	}
	return lx.last == tokenError
}

// check reads to the end, and returns where the query ends: there, or behind the last
// word before WITH … CHECK OPTION.
func (v *View) check(c *cursor) (end int) {
	for !c.ended() {
		if c.is("WITH") {
			at := *c
			at.next()
			how := "CASCADED"
			if at.is("CASCADED", "LOCAL") {
				how = upper(at.text())
				at.next()
			}
			if at.accepts("CHECK", "OPTION") && at.ended() {
				v.Check = how
				*c = at
				return end
			}
		}
		end = c.lx.pos
		c.next()
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
