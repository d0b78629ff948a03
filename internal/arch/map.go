package arch

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// mapPath is the document that draws the house.
const mapPath = "ARCHITECTURE.md"

// house is the layers block of ARCHITECTURE.md, read.
//
//	a, b < c     c may import a and b, and whatever they may
//	a !< b       b must not reach a, not even through other rooms
//	planned a    a is drawn, and not built yet
//	tests a      any room's tests may import a as well
//
// Statements end in a semicolon; # starts a comment; NONE is the empty room.
// On the left of !< there may also be a package of the standard library or of
// another module: then b must not import it itself.
type house struct {
	below   map[string]map[string]bool // room -> rooms it may import, closed
	never   []ban
	planned map[string]bool
	tests   map[string]bool
	lines   map[string]int // room -> line of its first mention
}

// ban is one "a !< b".
type ban struct {
	low, high string
	line      int
}

// has reports whether the block draws the room.
func (h *house) has(room string) bool { return h.below[room] != nil }

// rooms returns the drawn rooms in alphabetical order.
func (h *house) rooms() []string { return slices.Sorted(maps.Keys(h.below)) }

// readHouse parses the layers block. Its findings are mistakes in the block.
func readHouse(lines []line) (*house, []finding) {
	h := &house{
		below: map[string]map[string]bool{}, planned: map[string]bool{},
		tests: map[string]bool{}, lines: map[string]int{},
	}
	var found []finding
	for _, s := range statements(lines) {
		if err := h.add(s); err != nil {
			found = append(found, finding{mapPath, s.number, err.Error(), "write it as the comment above the block says"})
		}
	}
	h.close()
	return h, append(found, h.contradictions()...)
}

// statements joins lines and cuts them at semicolons. A statement has the
// number of the line it ends on.
func statements(lines []line) []line {
	var found []line
	pending := ""
	for _, l := range lines {
		text, _, _ := strings.Cut(l.text, "#")
		pending += " " + text
		for {
			s, rest, ok := strings.Cut(pending, ";")
			if !ok {
				break
			}
			found = append(found, line{l.number, strings.TrimSpace(s)})
			pending = rest
		}
	}
	if s := strings.TrimSpace(pending); s != "" {
		found = append(found, line{lines[len(lines)-1].number, s})
	}
	return found
}

// add enters one statement.
func (h *house) add(s line) error {
	if low, high, ok := strings.Cut(s.text, "!<"); ok {
		return h.addBans(names(low), names(high), s.number)
	}
	if rest, ok := strings.CutPrefix(s.text, "planned "); ok {
		return mark(h.planned, names(rest))
	}
	if rest, ok := strings.CutPrefix(s.text, "tests "); ok {
		return mark(h.tests, names(rest))
	}
	lists := strings.Split(s.text, "<")
	if len(lists) < 2 {
		return fmt.Errorf("%q is no statement", s.text)
	}
	for i := range lists[1:] {
		if err := h.addEdges(names(lists[i]), names(lists[i+1]), s.number); err != nil {
			return err
		}
	}
	return nil
}

// names splits a list of names.
func names(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
}

func mark(set map[string]bool, rooms []string) error {
	for _, room := range rooms {
		if set[room] {
			return fmt.Errorf("%s is named twice", room)
		}
		set[room] = true
	}
	return nil
}

func (h *house) addBans(low, high []string, number int) error {
	if len(low) == 0 || len(high) == 0 {
		return errors.New("a side of !< is empty")
	}
	for _, l := range low {
		for _, u := range high {
			h.never = append(h.never, ban{l, u, number})
		}
	}
	return nil
}

func (h *house) addEdges(low, high []string, number int) error {
	if len(low) == 0 || len(high) == 0 {
		return errors.New("a side of < is empty")
	}
	for _, u := range high {
		if h.below[u] == nil {
			h.below[u] = map[string]bool{}
			h.lines[u] = number
		}
		for _, l := range low {
			if l != "NONE" {
				h.below[u][l] = true
			}
		}
	}
	return nil
}

// close adds to every room what the rooms below it may import.
func (h *house) close() {
	for grown := true; grown; {
		grown = false
		for _, direct := range h.below {
			for low := range maps.Clone(direct) {
				for lower := range h.below[low] {
					grown = grown || !direct[lower]
					direct[lower] = true
				}
			}
		}
	}
}

// contradictions finds what the block says against itself.
func (h *house) contradictions() []finding {
	var found []finding
	say := func(number int, use, format string, args ...any) {
		found = append(found, finding{mapPath, number, fmt.Sprintf(format, args...), use})
	}
	for _, room := range h.rooms() {
		if h.below[room][room] {
			say(h.lines[room], "turn the layers into an order", "%s is below itself", room)
		}
		for _, low := range slices.Sorted(maps.Keys(h.below[room])) {
			if !h.has(low) {
				say(h.lines[room], "say what is below it, or NONE", "%s is below %s and above nothing", low, room)
			}
		}
	}
	for _, b := range h.never {
		if h.below[b.high][b.low] {
			say(b.line, "take away the < that leads there", "%s !< %s, yet the layers allow it", b.low, b.high)
		}
		if !h.has(b.high) {
			say(b.line, "name a room of the block", "!< speaks of %s, which is no room", b.high)
		}
	}
	for _, set := range []map[string]bool{h.planned, h.tests} {
		for _, room := range slices.Sorted(maps.Keys(set)) {
			if !h.has(room) {
				say(0, "say what is below it, or NONE", "%s is marked and has no place in the layers", room)
			}
		}
	}
	return found
}

// house reads the layers block of the repository.
func (r *repo) house() (*house, []finding) {
	lines := r.document(mapPath).block("layers")
	if len(lines) == 0 {
		return &house{}, []finding{{mapPath, 0, "no layers block", "draw the rooms in a fenced block of language layers"}}
	}
	return readHouse(lines)
}
