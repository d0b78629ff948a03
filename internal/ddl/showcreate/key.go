package showcreate

// ItemsOf are the parts between commas that are in no parentheses, as spans of tokens.
func ItemsOf(text string, all []Token, from, end int) (items []Span) {
	at := from
	for i := from; i < end; i++ {
		switch {
		case all[i].Is(text, "("):
			i = GroupEnd(text, all, i) - 1
		case all[i].Is(text, ","):
			items = append(items, Span{From: at, To: i})
			at = i + 1
		}
	}
	if at < end {
		items = append(items, Span{From: at, To: end})
	}
	return items
}

// TailComment finds the string of a key's COMMENT.
func TailComment(tail string) Span {
	all := Tokens(tail)
	for i := 0; i+1 < len(all); i++ {
		if all[i].Is(tail, "COMMENT") && all[i+1].Kind == TokenString {
			return Span{From: all[i+1].From, To: all[i+1].To}
		}
	}
	return Span{}
}
