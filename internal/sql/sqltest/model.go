package sqltest

import (
	"regexp"
	"strings"
)

// Token is a token: its class, its text, and whether white space or a
// comment stands before it.
type Token struct {
	Class string
	Text  string
	Gap   bool
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

// Tokens splits the text, or says that it is not clean.
func Tokens(text string) ([]Token, bool) {
	var all []Token
	gap, code := false, false
next:
	for text != "" {
		t, ok := modelNumberOrWord(text, all, gap)
		if !ok {
			return nil, false
		}
		for _, c := range modelClasses {
			if t.Class != "" {
				break
			}
			if m := c.re.FindString(text); m != "" {
				if c.class == "-gap" {
					gap, text = true, text[len(m):]
					continue next
				}
				t = Token{Class: c.class, Text: m}
			}
		}
		switch {
		case t.Class == "code" && code, t.Class == "note" && !modelQuotesEnd.MatchString(t.Text):
			return nil, false
		case t.Class == "code":
			code = true
		case t.Class == "" && code && strings.HasPrefix(text, "*/"):
			t, code = Token{Class: "codeend", Text: "*/"}, false
		case t.Class == "" && strings.ContainsAny(text[:1], "'\"`"), t.Class == "" && strings.HasPrefix(text, "/*"):
			return nil, false // nothing ends it
		case t.Class == "" && modelUnclean.MatchString(text):
			return nil, false
		case t.Class == "":
			t = Token{Class: "op", Text: text[:1]}
		}
		t.Gap = gap && len(all) > 0
		all, gap, text = append(all, t), false, text[len(t.Text):]
	}
	return all, !code
}

var modelNames = map[string]bool{"word": true, "name": true, "sysvar": true}

// modelNumberOrWord reads what begins with a digit, a letter or a dot.
func modelNumberOrWord(text string, before []Token, gap bool) (Token, bool) {
	afterDot := len(before) > 0 && before[len(before)-1].Text == "." && !gap
	afterName := len(before) > 0 && !gap && modelNames[before[len(before)-1].Class]
	w := modelWord.FindString(text)
	switch {
	case strings.HasPrefix(text, "."):
		if afterName {
			return Token{}, true
		}
	case w == "":
		return Token{}, true
	case text[0] < '0' || text[0] > '9':
		if len(w) == 1 && len(text) > 1 && text[1] == '\'' && strings.ContainsAny(w, "xXbBnN") {
			if strings.ContainsAny(w, "nN") {
				return Token{}, true
			}
			for _, c := range modelClasses {
				if c.class == "hex" && c.re.MatchString(text) {
					return Token{}, true
				}
			}
			return Token{}, false
		}
		return Token{Class: "word", Text: w}, true
	case afterDot:
		return Token{Class: "word", Text: w}, true
	case modelHex.MatchString(w):
		return Token{Class: "hex", Text: w}, true
	}
	if m := modelFloat.FindString(text); m != "" {
		return Token{Class: "float", Text: m}, true
	}
	if modelHalf.MatchString(text) {
		return Token{}, false
	}
	if m := modelExact.FindString(text); m != "" {
		return Token{Class: "exact", Text: m}, true
	}
	if strings.HasPrefix(text, ".") {
		return Token{}, true
	}
	if modelInteger.MatchString(w) {
		return Token{Class: "exact", Text: w}, true
	}
	return Token{Class: "word", Text: w}, true
}
