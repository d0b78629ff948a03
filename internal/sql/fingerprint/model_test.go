package fingerprint

import (
	"fmt"
	"regexp"
	"strings"

	"tunic/internal/sql/lex"
	"tunic/internal/sql/sqltest"
)

// The model is a second, slow reading of SQL: the rules of the Fingerprinter's
// comment, written with regular expressions and a list of tokens instead of one
// pass over bytes. Two texts have one template exactly if they have one
// meaning here. It knows UTF-8 sessions with an empty sql_mode and a MariaDB
// 10.11 server.

// modelMeaning is what the text says but for its data; ok is false if it is
// not clean.
func modelMeaning(text string) (meaning string, ok bool) {
	tokens, ok := sqltest.Tokens(text)
	data := modelData(tokens)
	if !ok || modelDots(data) || !modelBalanced(data) {
		return "", false
	}
	var b strings.Builder
	nodes, _ := modelTree(data)
	modelWrite(&b, nodes)
	return b.String(), true
}

func modelBalanced(tokens []sqltest.Token) bool {
	depth := 0
	for _, t := range tokens {
		switch t.Text {
		case "(":
			depth++
		case ")":
			if depth--; depth < 0 {
				return false
			}
		case ";":
			if depth > 0 {
				return false
			}
		}
	}
	return depth == 0
}

// modelDots says that there are three dots in a row, which a template keeps
// for itself.
func modelDots(tokens []sqltest.Token) bool {
	for i := range max(len(tokens)-2, 0) {
		if strings.HasSuffix(tokens[i].Text, ".") && tokens[i+1].Text == "." && tokens[i+2].Text == "." &&
			!tokens[i+1].Gap && !tokens[i+2].Gap {
			return true
		}
	}
	return false
}

// modelData replaces the text of the literals that are data by their class, and
// drops the strings that join another.
func modelData(tokens []sqltest.Token) []sqltest.Token {
	r := modelReader{tokens: tokens, frames: []modelFrame{{}}}
	for r.i = range tokens {
		r.read()
	}
	return r.out
}

// modelFrame is what is known at one depth of parentheses.
type modelFrame struct{ by, sized bool }

type modelReader struct {
	tokens []sqltest.Token
	i      int
	out    []sqltest.Token
	frames []modelFrame
	item   bool // a position may stand here
	set    string
	begun  bool
	join   bool // a string here joins the one before
}

// keyword is the upper-case word at index i, or "" if it is no keyword.
func (r *modelReader) keyword(i int) string {
	if i < 0 || r.tokens[i].Class != "word" || (i > 0 && r.tokens[i-1].Text == ".") {
		return ""
	}
	return strings.ToUpper(r.tokens[i].Text)
}

func (r *modelReader) read() {
	t, k := r.tokens[r.i], r.keyword(r.i)
	if t.Class == "string" && r.join {
		return
	}
	r.join = false
	starts := !r.begun && t.Text != ";" && t.Class != "code" && t.Class != "codeend" && t.Class != "note"
	r.begun = r.begun || starts
	frame := &r.frames[len(r.frames)-1]
	switch {
	case starts && k == "SET":
		r.set = "target"
	case len(r.frames) > 1 || r.set == "":
	case t.Text == ",":
		r.set = "target"
	case k == "FOR":
		r.set = ""
	case r.set == "target" && t.Class == "var":
		r.set = "user"
	case r.set == "target":
		r.set = "value"
	}
	item := false
	switch {
	case t.Class == "exact" || t.Class == "float" || t.Class == "hex":
		if !r.item && !frame.sized && r.set != "value" && !(r.i > 0 && r.tokens[r.i-1].Text == ":") {
			t.Text = ""
		}
	case t.Class == "string" || t.Class == "nstring":
		var data bool
		if r.join, data = r.stringIsData(); data {
			t.Text = ""
		}
	case t.Text == ";" && t.Class == "op":
		r.frames, r.begun, r.set = []modelFrame{{}}, false, ""
	case t.Text == "(":
		item = r.item
		r.frames = append(r.frames, modelFrame{sized: r.i > 0 && sizedTypes.Has([]byte(r.keyword(r.i-1)))})
	case t.Text == ")":
		if len(r.frames) > 1 {
			r.frames = r.frames[:len(r.frames)-1]
		}
	case t.Text == ",":
		item = frame.by
	case t.Text == "-" || t.Text == "+":
		item = r.item
	case k == "BY":
		frame.by, item = true, true
	case k != "" && endOfBy.Has([]byte(k)):
		frame.by = false
	case t.Text == "?" && t.Class == "op":
		t.Class = "parameter"
	}
	r.item = item
	r.out = append(r.out, t)
}

// modelEnds are the operators after which no value begins.
var modelEnds = map[string]bool{
	")": true, "}": true, ":": true, "@": true, "\\": true, "]": true, "?": true, ".": true, ";": true,
}

// stringIsData decides by the token before the string.
func (r *modelReader) stringIsData() (joins, data bool) {
	if r.set == "value" || r.i == 0 {
		return false, false
	}
	p := r.tokens[r.i-1]
	switch {
	case p.Class == "word":
		w := []byte(r.keyword(r.i - 1))
		if (len(w) > 0 && r.i > 1 && r.tokens[r.i-2].Text == "{") || lex.BeforeTemporal.Has(w) {
			return false, true
		}
		d := beforeValue.Has(w) || lex.Introducers.Has(w)
		return d, d
	case p.Class == "assign":
		return true, true
	case p.Class == "op":
		d := !modelEnds[p.Text]
		return d, d
	}
	return false, false
}

// modelNode is a token, or a parenthesis with what it holds.
type modelNode struct {
	sqltest.Token
	kids  []modelNode
	paren bool
}

// modelTree reads balanced tokens up to the end of a parenthesis, or of all.
func modelTree(tokens []sqltest.Token) (nodes []modelNode, rest []sqltest.Token) {
	for len(tokens) > 0 && tokens[0].Text != ")" {
		n := modelNode{Token: tokens[0]}
		tokens = tokens[1:]
		if n.Text == "(" {
			n.paren = true
			n.kids, tokens = modelTree(tokens)
			tokens = tokens[1:]
		}
		nodes = append(nodes, n)
	}
	return nodes, tokens
}

// modelWrite writes the nodes so that different ones cannot look alike, lists
// collapsed.
func modelWrite(b *strings.Builder, nodes []modelNode) {
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		word := ""
		if n.Class == "word" && (i == 0 || nodes[i-1].Text != ".") {
			word = strings.ToUpper(n.Text)
		}
		fmt.Fprintf(b, "\x00%s %t %s", n.Class, n.Gap, n.Text)
		if n.paren {
			modelWrite(b, n.kids)
			b.WriteString("\x00)")
		}
		next := i + 1
		switch {
		case next == len(nodes) || !nodes[next].paren:
		case word == "IN":
			fmt.Fprintf(b, "\x00in %t", nodes[next].Gap)
			modelItems(b, nodes[next].kids)
			i = next
		case word == "VALUES":
			fmt.Fprintf(b, "\x00rows %t", nodes[next].Gap)
			i = modelRows(b, nodes, next)
		}
	}
}

// modelItems writes what IN holds: its items if all that come are literals or
// rows of them, repeated ones once.
func modelItems(b *strings.Builder, kids []modelNode) {
	last, count := "", 0
	flush := func() {
		if count > 0 {
			fmt.Fprintf(b, "\x00item %s many=%t", last, count > 1)
		}
	}
	for len(kids) > 0 {
		end := 0
		for end < len(kids) && kids[end].Text != "," {
			end++
		}
		item, simple := modelItem(kids[:end])
		switch {
		case modelConstant(kids[:end]):
			flush()
			last, count = "", 0
			modelWrite(b, kids[:end])
		case !simple:
			flush()
			modelWrite(b, kids)
			return
		case item != last:
			flush()
			last, count = item, 1
		default:
			count++
		}
		if end == len(kids) {
			flush()
			return
		}
		kids = kids[end+1:]
	}
	flush()
}

// modelItem is a literal, which may have a sign if it is a number, or a row of
// them.
func modelItem(nodes []modelNode) (string, bool) {
	if len(nodes) == 1 && nodes[0].paren {
		var b strings.Builder
		for kids := nodes[0].kids; ; {
			end := 0
			for end < len(kids) && kids[end].Text != "," {
				end++
			}
			item, simple := modelItem(kids[:end])
			if !simple || strings.HasPrefix(item, "(") {
				return "", false
			}
			b.WriteString(item + ",")
			if end == len(kids) {
				return "(" + b.String(), true
			}
			kids = kids[end+1:]
		}
	}
	signed := len(nodes) == 2 && (nodes[0].Text == "-" || nodes[0].Text == "+")
	if signed {
		nodes = nodes[1:]
	}
	if len(nodes) != 1 || nodes[0].Text != "" || nodes[0].paren {
		return "", false
	}
	c := nodes[0].Class
	return c, c == "exact" || c == "float" || (!signed && c != "")
}

// modelRows writes the rows of VALUES from index i on, repeated ones once, and
// returns the index of the last. If the first may not be repeated it is alone:
// VALUES(a) may be the function, and what follows its next argument.
func modelRows(b *strings.Builder, nodes []modelNode, i int) int {
	last, many := "", false
	for first := true; ; first = false {
		row, literals := modelRow(nodes[i].kids)
		if !first && row == last && literals {
			many = true
		} else {
			fmt.Fprintf(b, " many=%t\x00row %s", many, row)
			last, many = row, false
			if !literals {
				last = "\x00none"
			}
		}
		if first && !literals || i+2 >= len(nodes) || nodes[i+1].Text != "," || !nodes[i+2].paren {
			fmt.Fprintf(b, " many=%t\x00rows end", many)
			return i
		}
		i += 2
	}
}

// modelRow writes a row, and says whether it may be repeated: it has a literal
// and no parameter.
func modelRow(kids []modelNode) (row string, literals bool) {
	var b strings.Builder
	for {
		end := 0
		for end < len(kids) && kids[end].Text != "," {
			end++
		}
		cell := kids[:end]
		if _, simple := modelItem(cell); simple && !cell[0].paren || modelConstant(cell) {
			b.WriteString("\x00cell")
		} else {
			b.WriteString("\x00other")
			modelWrite(&b, cell)
		}
		if end == len(kids) {
			break
		}
		kids = kids[end+1:]
	}
	row = b.String()
	literals = !strings.Contains(row, "\x00parameter") &&
		(strings.Contains(row, "\x00cell") || modelHasLiteral.MatchString(row))
	return row, literals
}

var modelHasLiteral = regexp.MustCompile(`\x00(?:exact|float|hex|string|nstring) (?:true|false) (?:\x00|$)|\x00item`)

func modelConstant(cell []modelNode) bool {
	if len(cell) != 1 || cell[0].Class != "word" {
		return false
	}
	w := strings.ToUpper(cell[0].Text)
	return w == "NULL" || w == "TRUE" || w == "FALSE"
}
