package arch

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// document is a Markdown file, split line by line into prose and code.
type document struct {
	path   string
	prose  []line  // lines outside fenced code, code spans included
	blocks []block // fenced code
}

// line is one line of a file.
type line struct {
	number int // 1-based
	text   string
}

// block is one fenced code block.
type block struct {
	language string // the word after the opening fence, "" if none
	lines    []line
}

// readDocument splits a Markdown file. Fences are ``` at the start of a line,
// indented or not; that is the only form the project's documents use. A fence
// that nothing closes reaches to the end, as readers of Markdown show it.
func readDocument(t text) *document {
	d := &document{path: t.path}
	var open *block
	number := 0
	for s := range strings.Lines(t.body) {
		number++
		s = strings.TrimRight(s, "\r\n")
		fence, isFence := strings.CutPrefix(strings.TrimSpace(s), "```")
		switch {
		case isFence && open == nil:
			open = &block{language: strings.TrimSpace(fence)}
		case isFence:
			d.blocks = append(d.blocks, *open)
			open = nil
		case open != nil:
			open.lines = append(open.lines, line{number, s})
		default:
			d.prose = append(d.prose, line{number, s})
		}
	}
	if open != nil {
		d.blocks = append(d.blocks, *open)
	}
	return d
}

// block returns the lines of the first code block of that language.
func (d *document) block(language string) []line {
	for _, b := range d.blocks {
		if b.language == language {
			return b.lines
		}
	}
	return nil
}

var (
	headingPattern = regexp.MustCompile(`^#{1,6} +(.+?) *#*$`)
	anchorPattern  = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
	spanPattern    = regexp.MustCompile("`([^`]+)`")
	linkPattern    = regexp.MustCompile(`\]\(([^()\s]+)(?: "[^"]*")?\)`)
	labelPattern   = regexp.MustCompile(`\[([^\]]*)\]\([^()]*\)`)
)

// anchors returns the fragment of every heading and every explicit anchor.
func (d *document) anchors() map[string]bool {
	found, times := map[string]bool{}, map[string]int{}
	for _, l := range d.prose {
		for _, m := range anchorPattern.FindAllStringSubmatch(l.text, -1) {
			found[m[1]] = true
		}
		m := headingPattern.FindStringSubmatch(l.text)
		if m == nil {
			continue
		}
		slug := slugOf(m[1])
		if n := times[slug]; n > 0 {
			found[fmt.Sprintf("%s-%d", slug, n)] = true
		}
		times[slug]++
		found[slug] = true
	}
	return found
}

// slugOf turns a heading into the fragment GitHub gives it: lower case,
// punctuation dropped, spaces to hyphens.
func slugOf(heading string) string {
	heading = labelPattern.ReplaceAllString(heading, "$1")
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// spans returns the code spans of the prose.
func (d *document) spans() []line {
	var found []line
	for _, l := range d.prose {
		for _, m := range spanPattern.FindAllStringSubmatch(l.text, -1) {
			found = append(found, line{l.number, strings.TrimSpace(m[1])})
		}
	}
	return found
}

// links returns the targets of the links and images of the prose.
func (d *document) links() []line {
	var found []line
	for _, l := range d.prose {
		bare := spanPattern.ReplaceAllString(l.text, "")
		for _, m := range linkPattern.FindAllStringSubmatch(bare, -1) {
			found = append(found, line{l.number, m[1]})
		}
	}
	return found
}
