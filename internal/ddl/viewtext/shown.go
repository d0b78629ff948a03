package viewtext

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
)

// ShownView is what SHOW CREATE VIEW says.
type ShownView struct {
	Algorithm string
	Columns   []string // of MySQL's list of them; MariaDB has aliases in the query
	Query     string
}

// ReadShown reads `CREATE ALGORITHM=… DEFINER=… SQL SECURITY … VIEW … AS query`, with
// or without WITH … CHECK OPTION. Names of columns are aliases in the query.
func ReadShown(shown string) (v ShownView, ok bool) {
	all := showcreate.Tokens(shown)
	i := 0
	for ; i < len(all) && !all[i].Is(shown, "VIEW"); i++ {
		if all[i].Is(shown, "ALGORITHM") && i+2 < len(all) {
			v.Algorithm = strings.ToUpper(all[i+2].Of(shown))
		}
	}
	v.Columns = listedColumns(shown, all[i:])
	for ; i < len(all) && !all[i].Is(shown, "AS"); i++ {
		i = showcreate.GroupEnd(shown, all, i) // a list of columns, in which AS would be a name in quotes
		if i >= len(all) || all[i].Is(shown, "AS") {
			break
		}
	}
	if i+1 >= len(all) || v.Algorithm == "" {
		return v, false
	}
	from, to := all[i+1].From, len(shown)
	if n := len(all); n > 4 && all[n-1].Is(shown, "OPTION") && all[n-2].Is(shown, "CHECK") {
		for n -= 3; n > 0 && !all[n].Is(shown, "WITH"); n-- {
		}
		to = all[n].From
	}
	v.Query = strings.TrimSpace(shown[from:to])
	return v, true
}

// listedColumns are the names in the parentheses behind the name of a view.
func listedColumns(shown string, all []showcreate.Token) (names []string) {
	listed := false
	for _, t := range all {
		switch {
		case t.Is(shown, "AS"):
			return names
		case t.Is(shown, "("):
			listed = true
		case listed && t.Kind == showcreate.TokenName:
			names = append(names, identifier.Unquoted(t.Of(shown)))
		}
	}
	return names
}

// Logical is the query in the words of the logical view: with the names of tables in the
// place of those of twins, and with the client's literals.
func (a *ShownView) Logical(v *View) string {
	out := a.names(v)
	if put, ok := withLiterals(out, v.Literals); ok {
		return put
	}
	return v.Text
}

// names puts the names of tables into the place of those of twins. A table without an
// alias has its name as one in what is described, which is taken away.
func (a *ShownView) names(v *View) string {
	byTwin := map[string]*Reads{}
	for i := range v.Reads {
		if t := v.Reads[i].Table; t != nil {
			byTwin[t.Twin] = &v.Reads[i]
		}
	}
	text := a.Query
	all := showcreate.Tokens(text)
	var edits []showcreate.Edit
	unaliased, aliased := map[string]*Reads{}, map[string]*Reads{}
	at := func(i int, kind showcreate.TokenKind) string {
		if i < len(all) && all[i].Kind == kind {
			return all[i].Of(text)
		}
		return ""
	}
	for i := range all {
		if at(i, showcreate.TokenName) != identifier.Quoted(catalog.Schema) || at(i+1, showcreate.TokenMark) != "." {
			continue
		}
		of := byTwin[identifier.Unquoted(at(i+2, showcreate.TokenName))]
		if of == nil {
			continue
		}
		end := all[i+2].To
		aliased[at(i+3, showcreate.TokenName)] = of
		if alias := at(i+3, showcreate.TokenName); alias == identifier.Quoted(of.Name) && !v.aliases(of.Name) {
			unaliased[alias] = of
			end = all[i+3].To
		}
		edits = append(edits, showcreate.Edit{Span: showcreate.Span{From: all[i].From, To: end}, Text: identifier.Quoted(of.Schema) + "." + identifier.Quoted(of.Name)})
	}
	for i := range all {
		if of := aliased[at(i+2, showcreate.TokenName)]; of != nil && at(i, showcreate.TokenName) == identifier.Quoted(catalog.Schema) && at(i+1, showcreate.TokenMark) == "." && at(i+3, showcreate.TokenMark) == "." {
			edits = append(edits, showcreate.Edit{Span: showcreate.Span{From: all[i].From, To: all[i].To}, Text: identifier.Quoted(of.Schema)}) // of a view, in MySQL
		}
		of := unaliased[at(i, showcreate.TokenName)]
		if of != nil && at(i+1, showcreate.TokenMark) == "." && at(i-1, showcreate.TokenMark) != "." {
			edits = append(edits, showcreate.Edit{Span: showcreate.Span{From: all[i].From, To: all[i].From}, Text: identifier.Quoted(of.Schema) + "."})
		}
	}
	slices.SortFunc(edits, func(a, b showcreate.Edit) int { return a.From - b.From })
	return showcreate.Edited(text, edits...)
}

// aliases reports whether the client has given a table its own name as an alias.
func (v *View) aliases(name string) bool {
	text := v.Text
	all := showcreate.Tokens(text)
	for i := range all {
		if all[i].Is(text, "AS") && i+1 < len(all) && all[i+1].Of(text) == identifier.Quoted(name) && i > 2 && all[i-2].Is(text, ".") && all[i-1].Of(text) == identifier.Quoted(name) {
			return true
		}
	}
	return false
}

// withLiterals puts literals into the place of those that stand for them, in their order;
// ok is false if there are not as many. Servers print COUNT(*) as count(0).
func withLiterals(text string, literals []string) (_ string, ok bool) {
	found := shownLiterals(text, func([]showcreate.Token, int) bool { return false })
	if len(found) != len(literals) {
		found = shownLiterals(text, func(all []showcreate.Token, i int) bool {
			return all[i].Of(text) == "0" && i > 1 && all[i-1].Is(text, "(") && all[i-2].Is(text, "COUNT")
		})
	}
	if len(found) != len(literals) {
		return "", false
	}
	edits := make([]showcreate.Edit, len(found))
	for i, at := range found {
		edits[i] = showcreate.Edit{Span: at, Text: shownLiteral(literals[i])}
	}
	return showcreate.Edited(text, edits...), true
}

// shownLiterals are where a text has literals, without the character set before a string, which
// is the server's.
func shownLiterals(text string, but func(all []showcreate.Token, i int) bool) (found []showcreate.Span) {
	all := showcreate.Tokens(text)
	for i, t := range all {
		written := t.Of(text)
		switch {
		case t.Kind == showcreate.TokenString:
			from := t.From
			if written[0] == '_' {
				from += strings.IndexByte(written, '\'')
			}
			found = append(found, showcreate.Span{From: from, To: t.To})
		case t.Kind == showcreate.TokenWord && written[0] >= '0' && written[0] <= '9' && !but(all, i):
			found = append(found, showcreate.Span{From: t.From, To: t.To})
		}
	}
	return found
}

// WithPositions is a query that is shown, with the positions of columns behind ORDER BY and GROUP BY. MariaDB
// shows an empty string in the place of one if something that the view reads is gone; information_schema has them. ok is
// false if the two are not the same query.
func WithPositions(shown, definition string) (_ string, ok bool) {
	all, defined := showcreate.Tokens(shown), showcreate.Tokens(definition)
	var edits []showcreate.Edit
	for i, t := range all {
		if t.Of(shown) != "''" {
			continue
		}
		if len(defined) != len(all) {
			return "", false
		}
		if number := defined[i].Of(definition); isNumber(number) {
			edits = append(edits, showcreate.Edit{Span: showcreate.Span{From: t.From, To: t.To}, Text: number})
		} else if defined[i].Kind != showcreate.TokenString {
			return "", false
		}
	}
	return showcreate.Edited(shown, edits...), true
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
		return showcreate.UnquoteString("'" + strings.ReplaceAll(inside, "'", "''") + "'")
	}
	return showcreate.UnquoteString(written)
}
