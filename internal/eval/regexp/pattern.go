package regexp

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Pattern is a regular expression of the part of the grammar that means the
// same to PCRE2, which MariaDB matches with, to ICU, which MySQL matches with, and
// to package regexp, which matches in time that is linear in the text: characters,
// classes of them, groups, alternatives, counts that are greedy or not, and ends.
//
// Where the libraries differ in what they make of some characters of a text,
// check refuses texts that have one.
type Pattern struct {
	re    *regexp.Regexp
	steps *steps
	// counts is how many pieces are there more than once, or not at all. nests says
	// that one of them is a group with others in it.
	counts int
	nests  bool
	// ignoresCase matches a letter with its other case, too.
	ignoresCase bool
	// foldsStrings is ICU's: it knows that ß is ss.
	foldsStrings bool
	// letters are those that the pattern has.
	letters map[rune]bool
	// lines says that line ends matter: to a point, or to the end of the text.
	lines bool
	// ascii says that what is beyond ASCII matters: to \w, \b and their like.
	ascii bool
	// spaces says that it matters what a space is.
	spaces bool
	// bounds says that a match is the same to all, and not only whether there is one.
	bounds bool
	// groups says the same of what groups have matched.
	groups bool
	// empty says that it may match nothing, and where the next match begins then is
	// not the same to all.
	empty bool
}

// Limits of patterns and texts. Within them servers have the memory for what they
// make of a text.
const (
	patternBytesMax = 1 << 10
	matchedBytesMax = 1 << 14
	repeatMax       = 250
	nestingMax      = 20
)

// patternReader reads a pattern and writes what package regexp calls it.
type patternReader struct {
	Pattern
	in    string
	out   strings.Builder
	depth int
}

// Read makes a pattern; ok is false if it has what is not in the common
// part of the grammar.
func Read(text string, ignoresCase, foldsStrings bool) (p *Pattern, ok bool) {
	if text == "" || len(text) > patternBytesMax || !utf8.ValidString(text) {
		return nil, false
	}
	r := patternReader{in: text}
	r.Pattern = Pattern{ignoresCase: ignoresCase, foldsStrings: foldsStrings, letters: map[rune]bool{}, bounds: true, groups: true}
	if ignoresCase {
		r.out.WriteString("(?i)")
	}
	empty, ok := r.alternatives()
	if !ok || r.in != "" {
		return nil, false
	}
	r.empty = empty
	var err error
	if r.re, err = regexp.Compile(r.out.String()); err != nil {
		return nil, false
	}
	r.steps, err = newSteps(r.out.String())
	return &r.Pattern, err == nil
}

// next takes the next character.
func (r *patternReader) next() rune {
	c, n := utf8.DecodeRuneInString(r.in)
	r.in = r.in[n:]
	return c
}

func (r *patternReader) has(prefix string) bool { return strings.HasPrefix(r.in, prefix) }

// take takes what the pattern goes on with, and writes it as it is.
func (r *patternReader) take(what string) bool {
	if !r.has(what) {
		return false
	}
	r.in = r.in[len(what):]
	r.out.WriteString(what)
	return true
}

// alternatives reads branches, none of which is empty. empty says that one may
// match nothing.
func (r *patternReader) alternatives() (empty, ok bool) {
	for {
		nothing, ok := r.branch()
		if !ok {
			return false, false
		}
		empty = empty || nothing
		if !r.take("|") {
			return empty, true
		}
	}
}

func (r *patternReader) branch() (empty, ok bool) {
	empty = true
	pieces := 0
	for ; r.in != "" && !r.has("|") && !r.has(")"); pieces++ {
		nothing, ok := r.piece()
		if !ok {
			return false, false
		}
		empty = empty && nothing
	}
	return empty, pieces > 0
}

// piece reads an atom and how often it is there.
func (r *patternReader) piece() (empty, ok bool) {
	if r.take("^") {
		return true, !r.counted()
	}
	if r.take("$") {
		r.lines = true
		return true, !r.counted()
	}
	grouped, before, nested := r.has("("), r.counts, r.nests
	r.nests = false
	empty, ok = r.atom()
	if !ok || !r.counted() {
		r.nests = r.nests || nested
		return empty, ok
	}
	if r.nests { // a third one around two
		return false, false
	}
	r.nests = nested || r.counts > before
	r.counts++
	least, ok := r.count()
	if grouped { // what a group holds after several rounds
		r.groups = false
	}
	if empty { // when a round without progress ends
		r.bounds = false
	}
	return empty || least == 0, ok && !r.counted()
}

func (r *patternReader) counted() bool {
	return r.has("*") || r.has("+") || r.has("?") || r.has("{")
}

// count reads * + ? {n} {n,} {n,m}, and a ? behind it.
func (r *patternReader) count() (least int, ok bool) {
	switch {
	case r.take("*"), r.take("?"):
	case r.take("+"):
		least = 1
	default:
		if least, ok = r.braces(); !ok {
			return 0, false
		}
	}
	r.take("?")
	return least, true
}

func (r *patternReader) braces() (least int, ok bool) {
	inside, rest, closed := strings.Cut(r.in[1:], "}")
	low, high, ranged := strings.Cut(inside, ",")
	least, ok = readCount(low)
	if !closed || !ok {
		return 0, false
	}
	if ranged && high != "" {
		most, ok := readCount(high)
		if !ok || most < least {
			return 0, false
		}
	}
	r.out.WriteString(r.in[:len(r.in)-len(rest)])
	r.in = rest
	return least, true
}

func readCount(s string) (int, bool) {
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n <= repeatMax
}

// atom reads one character, class or group.
func (r *patternReader) atom() (empty, ok bool) {
	switch {
	case r.has("("):
		return r.group()
	case r.has("["):
		r.in = r.in[1:]
		return false, r.class()
	case r.has(`\`):
		r.in = r.in[1:]
		return r.escape()
	case r.take("."):
		r.lines = true
		return false, true
	}
	c := r.next()
	if strings.ContainsRune("*+?{}])|", c) {
		return false, false
	}
	return false, r.literal(c)
}

func (r *patternReader) group() (empty, ok bool) {
	if !r.take("(?:") {
		r.take("(")
	}
	if r.depth++; r.depth > nestingMax || r.has("?") || r.has("*") {
		return false, false
	}
	empty, ok = r.alternatives()
	r.depth--
	return empty, ok && r.take(")")
}

// literal writes a character that stands for itself.
func (r *patternReader) literal(c rune) bool {
	if !r.note(c) {
		return false
	}
	r.out.WriteString(regexp.QuoteMeta(string(c)))
	return true
}

// note takes notice of a character of the pattern; false if its other cases are
// not the same to all.
func (r *patternReader) note(c rune) bool {
	if c == 0 || c == utf8.RuneError {
		return false
	}
	if isLineEnd(c) { // all of them take it for itself, but it is rare
		return c == '\n' || c == '\r'
	}
	if !r.ignoresCase || unicode.SimpleFold(c) == c && foldings32[c] == "" {
		return true
	}
	r.letters[unicode.ToLower(c)] = true
	if c < utf8.RuneSelf {
		return true
	}
	const afterCyrillic = 0x530
	other := unicode.SimpleFold(c)
	return c < afterCyrillic && foldings32[c] == "" && unicode.SimpleFold(other) == c
}

// escape reads what follows a backslash: a sign that stands for itself, a class,
// or a boundary of words.
func (r *patternReader) escape() (empty, ok bool) {
	if r.in == "" {
		return false, false
	}
	switch c := r.next(); c {
	case 'd', 'D', 'w', 'W', 's', 'S':
		r.classEscape(c)
		return false, true
	case 'b', 'B':
		r.ascii = true
		r.out.WriteString(`\` + string(c))
		return true, !r.counted()
	default:
		literal, ok := escaped(c)
		return false, ok && r.literal(literal)
	}
}

func (r *patternReader) classEscape(c rune) {
	r.ascii = true
	r.spaces = r.spaces || c == 's' || c == 'S'
	r.out.WriteString(`\` + string(c))
}

// escaped is the character that a backslash and another stand for.
func escaped(c rune) (rune, bool) {
	switch c {
	case 't':
		return '\t', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	}
	isSign := c > ' ' && c < utf8.RuneSelf && !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '<' && c != '>'
	return c, isSign
}

// class reads what follows a bracket, up to the one that closes it.
func (r *patternReader) class() bool {
	r.out.WriteByte('[')
	r.take("^")
	if r.has("]") || r.has("^") {
		return false
	}
	for first := true; !r.has("]"); first = false {
		if !r.member(first) {
			return false
		}
	}
	return r.take("]")
}

// member reads a character of a class, a range of them, or a class within it.
// What ICU takes for operations on sets is refused.
func (r *patternReader) member(first bool) bool {
	if r.in == "" || r.has("&&") || r.has("--") {
		return false
	}
	if r.has("[:") {
		return r.named()
	}
	if r.has("-") && !first && !r.has("-]") {
		return false
	}
	low, isClass, ok := r.memberChar()
	if !ok || isClass {
		return ok && !r.has("-")
	}
	r.quoteMember(low)
	if !r.has("-") || r.has("-]") {
		return true
	}
	r.in = r.in[1:]
	high, isClass, ok := r.memberChar()
	if !ok || isClass || high < low || !r.rangeOf(low, high) {
		return false
	}
	r.out.WriteByte('-')
	r.quoteMember(high)
	return true
}

func (r *patternReader) quoteMember(c rune) {
	if c < utf8.RuneSelf && !unicode.IsLetter(c) && !unicode.IsDigit(c) && c > ' ' {
		r.out.WriteByte('\\')
	}
	r.out.WriteRune(c)
}

func (r *patternReader) memberChar() (c rune, isClass, ok bool) {
	if r.in == "" {
		return 0, false, false
	}
	c = r.next()
	switch c {
	case '[', ']':
		return 0, false, false
	case '\\':
		if r.in == "" {
			return 0, false, false
		}
		c = r.next()
		if strings.ContainsRune("dDwWsS", c) {
			r.classEscape(c)
			return 0, true, true
		}
		c, ok = escaped(c)
		return c, false, ok && r.note(c)
	}
	return c, false, r.note(c)
}

// rangeOf takes notice of the letters between two characters. Beyond ASCII a range
// has characters whose other cases are not the same to all.
func (r *patternReader) rangeOf(low, high rune) bool {
	if high >= utf8.RuneSelf {
		return !r.ignoresCase
	}
	for c := low; c <= high; c++ {
		if unicode.IsLetter(c) {
			r.letters[unicode.ToLower(c)] = true
		}
	}
	return true
}

// classNamesOf are the named classes that have the same characters of ASCII for
// all. Those of one case are not, where case is ignored.
var classNamesOf = map[string]bool{"alpha": true, "digit": true, "alnum": true, "space": true, "xdigit": true, "upper": false, "lower": false}

func (r *patternReader) named() bool {
	name, rest, ok := strings.Cut(r.in[2:], ":]")
	anyCase, known := classNamesOf[name]
	if !ok || !known || r.ignoresCase && !anyCase {
		return false
	}
	r.ascii = true
	r.spaces = r.spaces || name == "space"
	r.out.WriteString("[:" + name + ":]")
	r.in = rest
	return !r.has("-")
}

// foldings32 are characters beyond ASCII that are letters of the pattern in
// another case, of which the libraries know some or all: each with all of the
// letters that it stands for.
var foldings32 = map[rune]string{
	'\u017F': "s", '\u212A': "k", '\u212B': "å", '\u00DF': "s", '\u1E9E': "s", '\u0130': "i", '\u0131': "i", '\u0149': "n", '\u01F0': "j",
	'\u1E96': "h", '\u1E97': "t", '\u1E98': "w", '\u1E99': "y", '\u1E9A': "a", '\uFB00': "f", '\uFB01': "fi", '\uFB02': "fl",
	'\uFB03': "fi", '\uFB04': "fl", '\uFB05': "st", '\uFB06': "st",
}

// singleFoldings are those of the characters that stand for one letter.
var singleFoldings = map[rune]bool{'\u017F': true, '\u212A': true, '\u212B': true}

func isLineEnd(c rune) bool {
	return c >= '\n' && c <= '\r' || c == '\u0085' || c == '\u2028' || c == '\u2029'
}

// Check reports whether a text means the same to all: whether it has no character
// in whose class or case the libraries differ, and does not take the
// servers more steps than they have.
func (p *Pattern) Check(s []byte) bool {
	if len(s) > matchedBytesMax {
		return false
	}
	for i := 0; i < len(s); {
		c, n := rune(s[i]), 1
		if c >= utf8.RuneSelf {
			if p.ascii {
				return false
			}
			c, n = utf8.DecodeRune(s[i:])
			if p.ignoresCase && p.folds(c) {
				return false
			}
		}
		if p.lines && isLineEnd(c) || p.spaces && c == '\v' {
			return false
		}
		i += n
	}
	return p.steps.enough(s, p.counts, p.nests)
}

// folds reports whether c is, to some, a letter of the pattern in another case.
func (p *Pattern) folds(c rune) bool {
	letters := foldings32[c]
	if letters == "" || !p.foldsStrings && !singleFoldings[c] {
		return false
	}
	for _, l := range letters {
		if !p.letters[l] {
			return false
		}
	}
	return true
}
