package sql

// Item is where in a text an item of a SELECT's list stands: text[From:To], with
// its alias if it has one.
type Item struct{ From, To int }

// AppendItems appends the items of the list of a text that is a SELECT, in their
// order; none if the text is something else or cannot be read with certainty.
// Servers name the column of an expression that has no alias by its text.
func AppendItems(dst []Item, text []byte, m Modes) []Item {
	var lx lexer
	lx.reset(text, m)
	start := len(dst)
	t, open := toList(&lx)
	if t != tokenWord || !is(lx.value(), "SELECT") {
		return dst
	}
	for t = lx.next(); t == tokenWord && selectOptions.has(lx.value()) || t == tokenNote; {
		t = lx.next()
	}
	none := Item{From: -1}
	item, depth, prev := none, 0, tokenEnd
	for ; ; t = lx.next() {
		switch {
		case t == tokenOpen:
			depth++
		case t == tokenClose && depth == 0 && open > 0 && item != none:
			return append(dst, item)
		case t == tokenClose:
			depth--
		case t == tokenCode, t == tokenCodeEnd, t == tokenError, lx.unclean, depth < 0:
			return dst[:start]
		case depth > 0 && t != tokenEnd:
		case t == tokenComma && item != none:
			dst = append(dst, item)
			item, prev = none, t
			continue
		case item == none && (t == tokenComma || t == tokenEnd || t == tokenSemi):
			return dst[:start]
		case t == tokenEnd, t == tokenSemi, t == tokenWord && prev != tokenDot && item != none && listEnds.has(lx.value()):
			return append(dst, item)
		}
		if item.From < 0 {
			item.From = lx.from
		}
		item.To, prev = lx.pos, t
	}
}

// toList goes to what may be the SELECT of a query, whose columns are those of the
// answer: behind common table expressions, and in parentheses, which are left open.
func toList(l *lexer) (t token, open int) {
	t = l.next()
	if t == tokenWord && is(l.value(), "WITH") {
		for depth := 0; ; {
			switch t = l.next(); {
			case t == tokenOpen:
				depth++
			case t == tokenClose:
				depth--
			case t == tokenEnd, t == tokenSemi, t == tokenError, depth < 0:
				return tokenError, 0
			}
			if depth == 0 && t == tokenWord && is(l.value(), "SELECT") {
				return t, 0
			}
		}
	}
	for t == tokenOpen {
		open++
		t = l.next()
	}
	return t, open
}

// selectOptions may stand between SELECT and its list; listEnds begin what follows
// the list.
var (
	selectOptions = newWordSet("ALL", "DISTINCT", "DISTINCTROW", "HIGH_PRIORITY", "STRAIGHT_JOIN", "SQL_SMALL_RESULT", "SQL_BIG_RESULT",
		"SQL_BUFFER_RESULT", "SQL_CACHE", "SQL_NO_CACHE", "SQL_CALC_FOUND_ROWS")
	listEnds = newWordSet("FROM", "INTO", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "EXCEPT", "INTERSECT", "FOR", "LOCK", "WINDOW",
		"PROCEDURE", "OFFSET", "FETCH")
)
