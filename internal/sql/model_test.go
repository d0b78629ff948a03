package sql

import (
	"fmt"
	"regexp"
	"strings"
)

// The model is a second, slow reading of SQL: the rules of the Fingerprinter's
// comment, written with regular expressions and a list of tokens instead of one
// pass over bytes. Two texts have one template exactly if they have one
// meaning here. It knows UTF-8 sessions with an empty sql_mode and a MariaDB
// 10.11 server.

// modelToken is a token: its class, its text, and whether white space or a
// comment stands before it.
type modelToken struct {
	class string
	text  string
	gap   bool
}

// modelClasses are tried in order; a class that begins with a dash is dropped.
var modelClasses = []struct {
	class string
	re    *regexp.Regexp
}{
	{"-gap", regexp.MustCompile(`^[ \t\n\v\f\r]+`)},
	{"-gap", regexp.MustCompile("^--(?:\n|[\\x01-\\x20\\x7f][^\n\\x00]*(?:\n|$)|$)")},
	{"-gap", regexp.MustCompile("^#[^\n\\x00]*(?:\n|$)")},
	{"note", regexp.MustCompile(`^(?s)/\*\+.*?\*/`)},
	{"-gap", regexp.MustCompile(`^(?s)/\*(?:\*/|[^!+].*?\*/)`)},
	{"code", regexp.MustCompile(`^/\*!(?:40101)?`)},
	{"string", regexp.MustCompile(`^(?s)'(?:[^'\\]|\\.|'')*'`)},
	{"string", regexp.MustCompile(`^(?s)"(?:[^"\\]|\\.|"")*"`)},
	{"nstring", regexp.MustCompile(`^(?s)[nN]'(?:[^'\\]|\\.|'')*'`)},
	{"hex", regexp.MustCompile(`^[xX]'(?:[0-9a-fA-F]{2})*'`)},
	{"hex", regexp.MustCompile(`^[bB]'[01]*'`)},
	{"name", regexp.MustCompile("^`(?:[^`]|``)*`")},
	{"var", regexp.MustCompile("^@(?:[A-Za-z0-9_$.]+|`(?:[^`]|``)*`|'(?:[^'\\\\]|\\\\.|'')*'|\"(?:[^\"\\\\]|\\\\.|\"\")*\")")},
	{"sysvar", regexp.MustCompile("^@@(?:[A-Za-z0-9_$\\x{80}-\\x{10ffff}]+|`(?:[^`]|``)*`)(?:\\.(?:[A-Za-z0-9_$\\x{80}-\\x{10ffff}]+|`(?:[^`]|``)*`))*")},
	{"null", regexp.MustCompile(`^\\N`)},
	{"assign", regexp.MustCompile(`^:=`)},
}

var (
	modelWord    = regexp.MustCompile(`^[A-Za-z0-9_$\x{80}-\x{10ffff}]+`)
	modelInteger = regexp.MustCompile(`^[0-9]+$`)
	modelHex     = regexp.MustCompile(`^(?:0x[0-9a-fA-F]+|0b[01]+)$`)
	modelFloat   = regexp.MustCompile(`^(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+`)
	modelExact   = regexp.MustCompile(`^(?:[0-9]+\.[0-9]*|\.[0-9]+)`)
	modelHalf    = regexp.MustCompile(`^(?:[0-9]+\.[0-9]*|\.[0-9]+)[eE]`)
)

// modelUnclean is what no server reads on from: @@ without a name, and a zero
// byte in a comment of one line.
var modelUnclean = regexp.MustCompile("^(?:@@|#[^\n]*\\x00|--[\\x00-\\x20\\x7f])")

// modelQuotesEnd are the hints that end where a comment would.
var modelQuotesEnd = regexp.MustCompile("^(?s)(?:[^'\"`]|'[^']*'|\"[^\"]*\"|`[^`]*`)*$")

// modelLex splits the text, or says that it is not clean.
func modelLex(text string) ([]modelToken, bool) {
	var all []modelToken
	gap, code := false, false
next:
	for text != "" {
		t, ok := modelNumberOrWord(text, all, gap)
		if !ok {
			return nil, false
		}
		for _, c := range modelClasses {
			if t.class != "" {
				break
			}
			if m := c.re.FindString(text); m != "" {
				if c.class == "-gap" {
					gap, text = true, text[len(m):]
					continue next
				}
				t = modelToken{class: c.class, text: m}
			}
		}
		switch {
		case t.class == "code" && code, t.class == "note" && !modelQuotesEnd.MatchString(t.text):
			return nil, false
		case t.class == "code":
			code = true
		case t.class == "" && code && strings.HasPrefix(text, "*/"):
			t, code = modelToken{class: "codeend", text: "*/"}, false
		case t.class == "" && strings.ContainsAny(text[:1], "'\"`"), t.class == "" && strings.HasPrefix(text, "/*"):
			return nil, false // nothing ends it
		case t.class == "" && modelUnclean.MatchString(text):
			return nil, false
		case t.class == "":
			t = modelToken{class: "op", text: text[:1]}
		}
		t.gap = gap && len(all) > 0
		all, gap, text = append(all, t), false, text[len(t.text):]
	}
	return all, !code
}

var modelNames = map[string]bool{"word": true, "name": true, "sysvar": true}

// modelNumberOrWord reads what begins with a digit, a letter or a dot.
func modelNumberOrWord(text string, before []modelToken, gap bool) (modelToken, bool) {
	afterDot := len(before) > 0 && before[len(before)-1].text == "." && !gap
	afterName := len(before) > 0 && !gap && modelNames[before[len(before)-1].class]
	w := modelWord.FindString(text)
	switch {
	case strings.HasPrefix(text, "."):
		if afterName {
			return modelToken{}, true
		}
	case w == "":
		return modelToken{}, true
	case text[0] < '0' || text[0] > '9':
		if len(w) == 1 && len(text) > 1 && text[1] == '\'' && strings.ContainsAny(w, "xXbBnN") {
			if strings.ContainsAny(w, "nN") {
				return modelToken{}, true
			}
			for _, c := range modelClasses {
				if c.class == "hex" && c.re.MatchString(text) {
					return modelToken{}, true
				}
			}
			return modelToken{}, false
		}
		return modelToken{class: "word", text: w}, true
	case afterDot:
		return modelToken{class: "word", text: w}, true
	case modelHex.MatchString(w):
		return modelToken{class: "hex", text: w}, true
	}
	if m := modelFloat.FindString(text); m != "" {
		return modelToken{class: "float", text: m}, true
	}
	if modelHalf.MatchString(text) {
		return modelToken{}, false
	}
	if m := modelExact.FindString(text); m != "" {
		return modelToken{class: "exact", text: m}, true
	}
	if strings.HasPrefix(text, ".") {
		return modelToken{}, true
	}
	if modelInteger.MatchString(w) {
		return modelToken{class: "exact", text: w}, true
	}
	return modelToken{class: "word", text: w}, true
}

// modelMeaning is what the text says but for its data; ok is false if it is
// not clean.
func modelMeaning(text string) (meaning string, ok bool) {
	tokens, ok := modelLex(text)
	data := modelData(tokens)
	if !ok || modelDots(data) || !modelBalanced(data) {
		return "", false
	}
	var b strings.Builder
	nodes, _ := modelTree(data)
	modelWrite(&b, nodes)
	return b.String(), true
}

func modelBalanced(tokens []modelToken) bool {
	depth := 0
	for _, t := range tokens {
		switch t.text {
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
func modelDots(tokens []modelToken) bool {
	for i := range max(len(tokens)-2, 0) {
		if strings.HasSuffix(tokens[i].text, ".") && tokens[i+1].text == "." && tokens[i+2].text == "." &&
			!tokens[i+1].gap && !tokens[i+2].gap {
			return true
		}
	}
	return false
}

// modelData replaces the text of the literals that are data by their class, and
// drops the strings that join another.
func modelData(tokens []modelToken) []modelToken {
	r := modelReader{tokens: tokens, frames: []modelFrame{{}}}
	for r.i = range tokens {
		r.read()
	}
	return r.out
}

// modelFrame is what is known at one depth of parentheses.
type modelFrame struct{ by, sized bool }

type modelReader struct {
	tokens []modelToken
	i      int
	out    []modelToken
	frames []modelFrame
	item   bool // a position may stand here
	set    string
	begun  bool
	join   bool // a string here joins the one before
}

// keyword is the upper-case word at index i, or "" if it is no keyword.
func (r *modelReader) keyword(i int) string {
	if i < 0 || r.tokens[i].class != "word" || (i > 0 && r.tokens[i-1].text == ".") {
		return ""
	}
	return strings.ToUpper(r.tokens[i].text)
}

func (r *modelReader) read() {
	t, k := r.tokens[r.i], r.keyword(r.i)
	if t.class == "string" && r.join {
		return
	}
	r.join = false
	starts := !r.begun && t.text != ";" && t.class != "code" && t.class != "codeend" && t.class != "note"
	r.begun = r.begun || starts
	frame := &r.frames[len(r.frames)-1]
	switch {
	case starts && k == "SET":
		r.set = "target"
	case len(r.frames) > 1 || r.set == "":
	case t.text == ",":
		r.set = "target"
	case k == "FOR":
		r.set = ""
	case r.set == "target" && t.class == "var":
		r.set = "user"
	case r.set == "target":
		r.set = "value"
	}
	item := false
	switch {
	case t.class == "exact" || t.class == "float" || t.class == "hex":
		if !r.item && !frame.sized && r.set != "value" && !(r.i > 0 && r.tokens[r.i-1].text == ":") {
			t.text = ""
		}
	case t.class == "string" || t.class == "nstring":
		var data bool
		if r.join, data = r.stringIsData(); data {
			t.text = ""
		}
	case t.text == ";" && t.class == "op":
		r.frames, r.begun, r.set = []modelFrame{{}}, false, ""
	case t.text == "(":
		item = r.item
		r.frames = append(r.frames, modelFrame{sized: r.i > 0 && sizedTypes.Has([]byte(r.keyword(r.i-1)))})
	case t.text == ")":
		if len(r.frames) > 1 {
			r.frames = r.frames[:len(r.frames)-1]
		}
	case t.text == ",":
		item = frame.by
	case t.text == "-" || t.text == "+":
		item = r.item
	case k == "BY":
		frame.by, item = true, true
	case k != "" && endOfBy.Has([]byte(k)):
		frame.by = false
	case t.text == "?" && t.class == "op":
		t.class = "parameter"
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
	case p.class == "word":
		w := []byte(r.keyword(r.i - 1))
		if (len(w) > 0 && r.i > 1 && r.tokens[r.i-2].text == "{") || beforeTemporal.Has(w) {
			return false, true
		}
		d := beforeValue.Has(w) || introducers.Has(w)
		return d, d
	case p.class == "assign":
		return true, true
	case p.class == "op":
		d := !modelEnds[p.text]
		return d, d
	}
	return false, false
}

// modelNode is a token, or a parenthesis with what it holds.
type modelNode struct {
	modelToken
	kids  []modelNode
	paren bool
}

// modelTree reads balanced tokens up to the end of a parenthesis, or of all.
func modelTree(tokens []modelToken) (nodes []modelNode, rest []modelToken) {
	for len(tokens) > 0 && tokens[0].text != ")" {
		n := modelNode{modelToken: tokens[0]}
		tokens = tokens[1:]
		if n.text == "(" {
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
		if n.class == "word" && (i == 0 || nodes[i-1].text != ".") {
			word = strings.ToUpper(n.text)
		}
		fmt.Fprintf(b, "\x00%s %t %s", n.class, n.gap, n.text)
		if n.paren {
			modelWrite(b, n.kids)
			b.WriteString("\x00)")
		}
		next := i + 1
		switch {
		case next == len(nodes) || !nodes[next].paren:
		case word == "IN":
			fmt.Fprintf(b, "\x00in %t", nodes[next].gap)
			modelItems(b, nodes[next].kids)
			i = next
		case word == "VALUES":
			fmt.Fprintf(b, "\x00rows %t", nodes[next].gap)
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
		for end < len(kids) && kids[end].text != "," {
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
			for end < len(kids) && kids[end].text != "," {
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
	signed := len(nodes) == 2 && (nodes[0].text == "-" || nodes[0].text == "+")
	if signed {
		nodes = nodes[1:]
	}
	if len(nodes) != 1 || nodes[0].text != "" || nodes[0].paren {
		return "", false
	}
	c := nodes[0].class
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
		if first && !literals || i+2 >= len(nodes) || nodes[i+1].text != "," || !nodes[i+2].paren {
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
		for end < len(kids) && kids[end].text != "," {
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
	if len(cell) != 1 || cell[0].class != "word" {
		return false
	}
	w := strings.ToUpper(cell[0].text)
	return w == "NULL" || w == "TRUE" || w == "FALSE"
}
