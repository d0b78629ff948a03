package sql

import "tunic/internal/sql/lex"

// Item is where in a text an item of a SELECT's list stands: text[From:To], with
// its alias if it has one.
type Item struct{ From, To int }

// AppendItems appends the items of the list of a text that is a SELECT, in their
// order; none if the text is something else or cannot be read with certainty.
// Servers name the column of an expression that has no alias by its text.
func AppendItems(dst []Item, text []byte, m Modes) []Item {
	var lx lex.Lexer
	lx.Reset(text, m)
	start := len(dst)
	t, open := toList(&lx)
	if t != lex.Word || !lex.Is(lx.Value(), "SELECT") {
		return dst
	}
	for t = lx.Next(); t == lex.Word && selectOptions.Has(lx.Value()) || t == lex.Note || t == lex.Code || t == lex.CodeEnd; {
		t = lx.Next()
	}
	none := Item{From: -1}
	item, depth, prev := none, 0, lex.End
	inside := false // an executable comment begins or ends behind the item that is read
	for ; ; t = lx.Next() {
		switch {
		case t == lex.Open:
			depth++
		case t == lex.Close && depth == 0 && open > 0 && item != none:
			return append(dst, item)
		case t == lex.Close:
			depth--
		case t == lex.Error, lx.Unclean, depth < 0:
			return dst[:start]
		case t == lex.Code, t == lex.CodeEnd:
			inside = item != none
			continue
		case t == lex.Note:
			continue
		case depth > 0 && t != lex.End:
		case t == lex.Comma && item != none:
			dst = append(dst, item)
			item, prev, inside = none, t, false
			continue
		case item == none && (t == lex.Comma || t == lex.End || t == lex.Semi):
			return dst[:start]
		case t == lex.End, t == lex.Semi, t == lex.Word && prev != lex.Dot && item != none && listEnds.Has(lx.Value()):
			return append(dst, item)
		}
		if inside {
			return dst[:start] // whose text is not that of the comment
		}
		if item.From < 0 {
			item.From = lx.From
		}
		item.To, prev = lx.Pos, t
	}
}

// toList goes to what may be the SELECT of a query, whose columns are those of the
// answer: behind common table expressions, and in parentheses, which are left open.
func toList(l *lex.Lexer) (t lex.Token, open int) {
	t = l.Next()
	if t == lex.Word && lex.Is(l.Value(), "WITH") {
		for depth := 0; ; {
			switch t = l.Next(); {
			case t == lex.Open:
				depth++
			case t == lex.Close:
				depth--
			case t == lex.End, t == lex.Semi, t == lex.Error, depth < 0:
				return lex.Error, 0
			}
			if depth == 0 && t == lex.Word && lex.Is(l.Value(), "SELECT") {
				return t, 0
			}
		}
	}
	for t == lex.Open {
		open++
		t = l.Next()
	}
	return t, open
}

// selectOptions may stand between SELECT and its list; listEnds begin what follows
// the list.
var (
	selectOptions = lex.NewWordSet("ALL", "DISTINCT", "DISTINCTROW", "HIGH_PRIORITY", "STRAIGHT_JOIN", "SQL_SMALL_RESULT", "SQL_BIG_RESULT",
		"SQL_BUFFER_RESULT", "SQL_CACHE", "SQL_NO_CACHE", "SQL_CALC_FOUND_ROWS")
	listEnds = lex.NewWordSet("FROM", "INTO", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "EXCEPT", "INTERSECT", "FOR", "LOCK", "WINDOW",
		"PROCEDURE", "OFFSET", "FETCH")
)

// AppendFormats appends where arguments of TO_CHAR begin in a text that are formats: servers read them when they prepare
// a statement (MariaDB manual, "TO_CHAR").
func AppendFormats(dst []int, text []byte, m Modes) []int {
	if !ContainsFold(text, "to_char") {
		return dst
	}
	for c := lex.NewCursor(text, m); !c.Ended(); c.Next() {
		at := c
		if !at.Accept("TO_CHAR") || at.Token != lex.Open {
			continue
		}
		at.Next()
		for !at.Ended() && at.Token != lex.Comma && at.Token != lex.Close {
			if at.Token == lex.Open {
				at.SkipParens()
				continue
			}
			at.Next()
		}
		if at.Token == lex.Comma {
			at.Next()
			dst = append(dst, at.Lexer.From)
		}
	}
	return dst
}
