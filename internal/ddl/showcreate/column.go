package showcreate

import (
	"strings"

	"tunic/internal/identifier"
)

// Span is a part of a text.
type Span struct{ From, To int }

func (s Span) Empty() bool { return s.From == s.To }

// ColumnParts is where the parts of a column's definition are in its text that
// stand in the twin by proxy. A part that is not there is empty.
type ColumnParts struct {
	Labels   Span // what stands in the parentheses of ENUM and SET
	Value    Span // what follows DEFAULT
	As       Span // what stands in the parentheses of GENERATED ALWAYS AS
	Comment  Span // the string that follows COMMENT
	Check    Span // CHECK (…), with the space before it
	NotNull  bool
	OnUpdate bool
	// Generated says that the server computes the column.
	Generated bool
	Stored    bool // and so is its value
	Invisible bool
}

// PartsOf finds the parts.
func PartsOf(text string) ColumnParts {
	var c ColumnParts
	all := Tokens(text)
	i := 2 // behind the name and the type's
	if len(all) < 2 {
		return c
	}
	if end := GroupEnd(text, all, i); end > i {
		if all[1].Is(text, "ENUM", "SET") {
			c.Labels = Span{From: all[i].To, To: all[end-1].From}
		}
		i = end
	}
	for ; i < len(all); i++ {
		switch t := all[i]; {
		case t.Is(text, "("):
			i = GroupEnd(text, all, i) - 1
		case t.Is(text, "DEFAULT") && i+1 < len(all):
			end := ValueEnd(text, all, i+1)
			c.Value = Span{From: all[i+1].From, To: all[end-1].To}
			i = end - 1
		case t.Is(text, "COMMENT") && i+1 < len(all) && all[i+1].Kind == TokenString:
			i++
			c.Comment = Span{From: all[i].From, To: all[i].To}
		case t.Is(text, "CHECK"):
			end := GroupEnd(text, all, i+1)
			c.Check = Span{From: all[i-1].To, To: all[end-1].To}
			i = end - 1
		case t.Is(text, "NOT"):
			c.NotNull = true
		case t.Is(text, "ON"):
			c.OnUpdate = true
		case t.Is(text, "AS") && i+1 < len(all):
			end := GroupEnd(text, all, i+1)
			c.Generated, c.As = true, Span{From: all[i+1].To, To: all[end-1].From}
			i = end - 1
		case t.Is(text, "STORED", "PERSISTENT"):
			c.Stored = true
		case t.Is(text, "INVISIBLE"):
			c.Invisible = true
		}
	}
	return c
}

// ValueEnd is the index behind the value of DEFAULT that begins at all[i]: a
// literal, a function, or an expression of MariaDB's without parentheses around
// it, which ends at the next attribute.
func ValueEnd(text string, all []Token, i int) int {
	for end := i; end < len(all); end++ {
		if end > i && all[end].Is(text, "ON", "COMMENT", "CHECK", "INVISIBLE", "AUTO_INCREMENT", "COLUMN_FORMAT", "STORAGE", "REF_SYSTEM_ID") {
			return end
		}
		if all[end].Is(text, "(") {
			end = GroupEnd(text, all, end) - 1
		}
	}
	return len(all)
}

// Edit is text to stand in place of a part of another.
type Edit struct {
	Span
	Text string
}

// Edited applies edits in the order of the text.
func Edited(text string, edits ...Edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.From])
		b.WriteString(e.Text)
		at = e.To
	}
	b.WriteString(text[at:])
	return b.String()
}

// OptionComment finds COMMENT='…' in the options of a table, with the space before
// it, and the string alone.
func OptionComment(options string) (all, value Span) {
	t := Tokens(options)
	for i := 0; i+2 < len(t); i++ {
		if t[i].Is(options, "PARTITION") {
			break
		}
		if t[i].Is(options, "COMMENT") && t[i+1].Is(options, "=") && t[i+2].Kind == TokenString {
			return Span{From: strings.LastIndexByte(options[:t[i].From], ' '), To: t[i+2].To}, Span{From: t[i+2].From, To: t[i+2].To}
		}
	}
	return Span{}, Span{}
}

// OptionAutoIncrement finds AUTO_INCREMENT=n, with the space before it.
func OptionAutoIncrement(options string) Span {
	t := Tokens(options)
	for i := 0; i+2 < len(t); i++ {
		if t[i].Is(options, "AUTO_INCREMENT") && t[i+1].Is(options, "=") {
			return Span{From: strings.LastIndexByte(options[:t[i].From], ' '), To: t[i+2].To}
		}
	}
	return Span{}
}

// OptionPartitions is where the partitions of a table begin among its options, with the end of the line before; -1 if it has none.
func OptionPartitions(options string) int {
	for _, t := range Tokens(options) {
		if t.Is(options, "PARTITION") {
			return max(strings.LastIndexByte(options[:t.From], '\n'), 0)
		}
	}
	return -1
}

// OptionEngine is the engine and the span of ENGINE=name.
func OptionEngine(options string) (name string, at Span) {
	t := Tokens(options)
	for i := 0; i+2 < len(t); i++ {
		if t[i].Is(options, "ENGINE") && t[i+1].Is(options, "=") {
			return t[i+2].Of(options), Span{From: t[i].From, To: t[i+2].To}
		}
	}
	return "", Span{}
}

// NameIn is the table's name in a definition.
func NameIn(definition string) string {
	for _, t := range Tokens(definition) {
		if t.Kind == TokenName {
			return identifier.Unquoted(t.Of(definition))
		}
	}
	return ""
}

// BodyOf is a column's text behind its name.
func BodyOf(text string) string { return text[Tokens(text)[0].To:] }
