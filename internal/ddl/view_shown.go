package ddl

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
)

// shownView is what SHOW CREATE VIEW says.
type shownView struct {
	algorithm string
	columns   []string // of MySQL's list of them; MariaDB has aliases in the query
	query     string
}

// readShownView reads `CREATE ALGORITHM=… DEFINER=… SQL SECURITY … VIEW … AS query`, with
// or without WITH … CHECK OPTION. Names of columns are aliases in the query.
func readShownView(shown string) (v shownView, ok bool) {
	all := tokens(shown)
	i := 0
	for ; i < len(all) && !all[i].is(shown, "VIEW"); i++ {
		if all[i].is(shown, "ALGORITHM") && i+2 < len(all) {
			v.algorithm = strings.ToUpper(all[i+2].of(shown))
		}
	}
	v.columns = listedColumns(shown, all[i:])
	for ; i < len(all) && !all[i].is(shown, "AS"); i++ {
		i = group(shown, all, i) // a list of columns, in which AS would be a name in quotes
		if i >= len(all) || all[i].is(shown, "AS") {
			break
		}
	}
	if i+1 >= len(all) || v.algorithm == "" {
		return v, false
	}
	from, to := all[i+1].from, len(shown)
	if n := len(all); n > 4 && all[n-1].is(shown, "OPTION") && all[n-2].is(shown, "CHECK") {
		for n -= 3; n > 0 && !all[n].is(shown, "WITH"); n-- {
		}
		to = all[n].from
	}
	v.query = strings.TrimSpace(shown[from:to])
	return v, true
}

// listedColumns are the names in the parentheses behind the name of a view.
func listedColumns(shown string, all []token) (names []string) {
	listed := false
	for _, t := range all {
		switch {
		case t.is(shown, "AS"):
			return names
		case t.is(shown, "("):
			listed = true
		case listed && t.kind == tokenName:
			names = append(names, unquoteName(t.of(shown)))
		}
	}
	return names
}

// logical is the query in the words of the logical view: with the names of tables in the
// place of those of twins, and with the client's literals.
func (a *shownView) logical(v *View) string {
	out := a.names(v)
	if put, ok := withLiterals(out, v.Literals); ok {
		return put
	}
	return v.Text
}

// names puts the names of tables into the place of those of twins. A table without an
// alias has its name as one in what is described, which is taken away.
func (a *shownView) names(v *View) string {
	byTwin := map[string]*ViewReads{}
	for i := range v.Reads {
		if t := v.Reads[i].Table; t != nil {
			byTwin[t.Twin] = &v.Reads[i]
		}
	}
	text := a.query
	all := tokens(text)
	var edits []edit
	unaliased, aliased := map[string]*ViewReads{}, map[string]*ViewReads{}
	at := func(i int, kind tokenKind) string {
		if i < len(all) && all[i].kind == kind {
			return all[i].of(text)
		}
		return ""
	}
	for i := range all {
		if at(i, tokenName) != catalog.Quoted(catalog.Schema) || at(i+1, tokenMark) != "." {
			continue
		}
		of := byTwin[unquoteName(at(i+2, tokenName))]
		if of == nil {
			continue
		}
		end := all[i+2].to
		aliased[at(i+3, tokenName)] = of
		if alias := at(i+3, tokenName); alias == catalog.Quoted(of.Name) && !v.aliases(of.Name) {
			unaliased[alias] = of
			end = all[i+3].to
		}
		edits = append(edits, edit{span{all[i].from, end}, catalog.Quoted(of.Schema) + "." + catalog.Quoted(of.Name)})
	}
	for i := range all {
		if of := aliased[at(i+2, tokenName)]; of != nil && at(i, tokenName) == catalog.Quoted(catalog.Schema) && at(i+1, tokenMark) == "." && at(i+3, tokenMark) == "." {
			edits = append(edits, edit{span{all[i].from, all[i].to}, catalog.Quoted(of.Schema)}) // of a view, in MySQL
		}
		of := unaliased[at(i, tokenName)]
		if of != nil && at(i+1, tokenMark) == "." && at(i-1, tokenMark) != "." {
			edits = append(edits, edit{span{all[i].from, all[i].from}, catalog.Quoted(of.Schema) + "."})
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	return edited(text, edits...)
}

// aliases reports whether the client has given a table its own name as an alias.
func (v *View) aliases(name string) bool {
	text := v.Text
	all := tokens(text)
	for i := range all {
		if all[i].is(text, "AS") && i+1 < len(all) && all[i+1].of(text) == catalog.Quoted(name) && i > 2 && all[i-2].is(text, ".") && all[i-1].of(text) == catalog.Quoted(name) {
			return true
		}
	}
	return false
}

// withLiterals puts literals into the place of those that stand for them, in their order;
// ok is false if there are not as many. Servers print COUNT(*) as count(0).
func withLiterals(text string, literals []string) (_ string, ok bool) {
	found := shownLiterals(text, func([]token, int) bool { return false })
	if len(found) != len(literals) {
		found = shownLiterals(text, func(all []token, i int) bool {
			return all[i].of(text) == "0" && i > 1 && all[i-1].is(text, "(") && all[i-2].is(text, "COUNT")
		})
	}
	if len(found) != len(literals) {
		return "", false
	}
	edits := make([]edit, len(found))
	for i, at := range found {
		edits[i] = edit{at, shownLiteral(literals[i])}
	}
	return edited(text, edits...), true
}

// shownLiterals are where a text has literals, without the character set before a string, which
// is the server's.
func shownLiterals(text string, but func(all []token, i int) bool) (found []span) {
	all := tokens(text)
	for i, t := range all {
		written := t.of(text)
		switch {
		case t.kind == tokenString:
			from := t.from
			if written[0] == '_' {
				from += strings.IndexByte(written, '\'')
			}
			found = append(found, span{from, t.to})
		case t.kind == tokenWord && written[0] >= '0' && written[0] <= '9' && !but(all, i):
			found = append(found, span{t.from, t.to})
		}
	}
	return found
}

// withPositions is a query that is shown, with the positions of columns behind ORDER BY and GROUP BY. MariaDB
// shows an empty string in the place of one if something that the view reads is gone; information_schema has them. ok is
// false if the two are not the same query.
func withPositions(shown, definition string) (_ string, ok bool) {
	all, defined := tokens(shown), tokens(definition)
	var edits []edit
	for i, t := range all {
		if t.of(shown) != "''" {
			continue
		}
		if len(defined) != len(all) {
			return "", false
		}
		if number := defined[i].of(definition); isNumber(number) {
			edits = append(edits, edit{span{t.from, t.to}, number})
		} else if defined[i].kind != tokenString {
			return "", false
		}
	}
	return edited(shown, edits...), true
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

// shownLiteral is a literal as servers print it.
func shownLiteral(written string) string {
	if written == "" || written[0] != '\'' && written[0] != '"' {
		return written
	}
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`, "\r", `\r`, "\x00", `\0`).Replace(unquoteAny(written)) + "'"
}

// unquoteAny is the value of a string in either quotes.
func unquoteAny(written string) string {
	if written[0] == '"' {
		inside := strings.ReplaceAll(written[1:len(written)-1], `""`, `"`)
		return unquoteString("'" + strings.ReplaceAll(inside, "'", "''") + "'")
	}
	return unquoteString(written)
}
