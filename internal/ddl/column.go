package ddl

import (
	"strings"
)

// span is a part of a text.
type span struct{ from, to int }

func (s span) empty() bool { return s.from == s.to }

// columnText is where the parts of a column's definition are in its text that
// stand in the twin by proxy. A part that is not there is empty.
type columnText struct {
	labels   span // what stands in the parentheses of ENUM and SET
	value    span // what follows DEFAULT
	as       span // what stands in the parentheses of GENERATED ALWAYS AS
	comment  span // the string that follows COMMENT
	check    span // CHECK (…), with the space before it
	notNull  bool
	onUpdate bool
	// generated says that the server computes the column.
	generated bool
	stored    bool // and so is its value
	invisible bool
}

// readColumn finds the parts.
func readColumn(text string) columnText {
	var c columnText
	all := tokens(text)
	i := 2 // behind the name and the type's
	if len(all) < 2 {
		return c
	}
	if end := group(text, all, i); end > i {
		if all[1].is(text, "ENUM", "SET") {
			c.labels = span{from: all[i].to, to: all[end-1].from}
		}
		i = end
	}
	for ; i < len(all); i++ {
		switch t := all[i]; {
		case t.is(text, "("):
			i = group(text, all, i) - 1
		case t.is(text, "DEFAULT") && i+1 < len(all):
			end := valueEnd(text, all, i+1)
			c.value = span{from: all[i+1].from, to: all[end-1].to}
			i = end - 1
		case t.is(text, "COMMENT") && i+1 < len(all) && all[i+1].kind == tokenString:
			i++
			c.comment = span{from: all[i].from, to: all[i].to}
		case t.is(text, "CHECK"):
			end := group(text, all, i+1)
			c.check = span{from: all[i-1].to, to: all[end-1].to}
			i = end - 1
		case t.is(text, "NOT"):
			c.notNull = true
		case t.is(text, "ON"):
			c.onUpdate = true
		case t.is(text, "AS") && i+1 < len(all):
			end := group(text, all, i+1)
			c.generated, c.as = true, span{from: all[i+1].to, to: all[end-1].from}
			i = end - 1
		case t.is(text, "STORED", "PERSISTENT"):
			c.stored = true
		case t.is(text, "INVISIBLE"):
			c.invisible = true
		}
	}
	return c
}

// valueEnd is the index behind the value of DEFAULT that begins at all[i]: a
// literal, a function, or an expression of MariaDB's without parentheses around
// it, which ends at the next attribute.
func valueEnd(text string, all []token, i int) int {
	for end := i; end < len(all); end++ {
		if end > i && all[end].is(text, "ON", "COMMENT", "CHECK", "INVISIBLE", "AUTO_INCREMENT", "COLUMN_FORMAT", "STORAGE", "REF_SYSTEM_ID") {
			return end
		}
		if all[end].is(text, "(") {
			end = group(text, all, end) - 1
		}
	}
	return len(all)
}

// edit is text to stand in place of a part of another.
type edit struct {
	span
	text string
}

// edited applies edits in the order of the text.
func edited(text string, edits ...edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.WriteString(text[at:])
	return b.String()
}

// optionComment finds COMMENT='…' in the options of a table, with the space before
// it, and the string alone.
func optionComment(options string) (all, value span) {
	t := tokens(options)
	for i := 0; i+2 < len(t); i++ {
		if t[i].is(options, "PARTITION") {
			break
		}
		if t[i].is(options, "COMMENT") && t[i+1].is(options, "=") && t[i+2].kind == tokenString {
			return span{from: strings.LastIndexByte(options[:t[i].from], ' '), to: t[i+2].to}, span{from: t[i+2].from, to: t[i+2].to}
		}
	}
	return span{}, span{}
}

// optionAutoIncrement finds AUTO_INCREMENT=n, with the space before it.
func optionAutoIncrement(options string) span {
	t := tokens(options)
	for i := 0; i+2 < len(t); i++ {
		if t[i].is(options, "AUTO_INCREMENT") && t[i+1].is(options, "=") {
			return span{from: strings.LastIndexByte(options[:t[i].from], ' '), to: t[i+2].to}
		}
	}
	return span{}
}

// optionEngine is the engine and the span of ENGINE=name.
func optionEngine(options string) (name string, at span) {
	t := tokens(options)
	for i := 0; i+2 < len(t); i++ {
		if t[i].is(options, "ENGINE") && t[i+1].is(options, "=") {
			return t[i+2].of(options), span{from: t[i].from, to: t[i+2].to}
		}
	}
	return "", span{}
}

// nameIn is the table's name in a definition.
func nameIn(definition string) string {
	for _, t := range tokens(definition) {
		if t.kind == tokenName {
			return unquoteName(t.of(definition))
		}
	}
	return ""
}

// columnBody is a column's text behind its name.
func columnBody(text string) string { return text[tokens(text)[0].to:] }
