package charset

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestEastern asks the servers for the characters of East Asia's character sets, and compares them
// with the table; -rewrite writes it. The table is part of the program, so TestCharsets sees what was
// written only when it runs the next time.
func TestEastern(t *testing.T) {
	if !*all && !*rewrite {
		t.Skip("TestCharsets compares a part of it; -all compares everything")
	}
	text := easternSectionsOf(t, oracles(t))
	switch known := unpacked(easternFile, easternGZ); {
	case known == text:
	case *rewrite:
		writePacked(t, easternFile, text)
	default:
		t.Errorf("the characters are not those of the table; run with -rewrite (%d bytes, were %d)", len(text), len(known))
	}
}

// easternSectionsOf writes the table. What flavors have in common stands once.
func easternSectionsOf(t *testing.T, servers []*oracle) string {
	t.Helper()
	if len(servers) < 2 {
		t.Skip("takes both servers")
	}
	flavors := map[string]map[string][]string{} // by name and lines
	for _, o := range servers {
		utf8mb4 := o.flavor.names().charsets["utf8mb4"]
		unicode := characters(utf8mb4, 1)
		o.fill(t, "unicode", utf8mb4, []string{"c"}, columnOf(unicode))
		for name, set := range o.flavor.names().charsets {
			if !isEastern(name) {
				continue
			}
			if flavors[name] == nil {
				flavors[name] = map[string][]string{}
			}
			lines := o.easternLines(t, set, unicode)
			flavors[name][lines] = append(flavors[name][lines], o.flavor.String())
		}
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(flavors)) {
		for _, lines := range slices.Sorted(maps.Keys(flavors[name])) {
			fmt.Fprintf(&text, "@%s %s\n%s", name, strings.Join(flavors[name][lines], " "), lines)
		}
	}
	return text.String()
}

// easternLines writes the characters of a set: all of one byte, of two, and of three that begin
// with triple.
func (o *oracle) easternLines(t *testing.T, set *Charset, unicode [][]byte) string {
	t.Helper()
	var lines strings.Builder
	table := readEastern(set.Name, "")
	last := uint32(0)
	read := func(values [][]byte) {
		for _, c := range o.wellFormed(t, set, values) {
			if c.code == last+1 && lines.Len() > 0 {
				lines.WriteByte(' ')
			} else {
				if lines.Len() > 0 {
					lines.WriteByte('\n')
				}
				fmt.Fprintf(&lines, "%02X\t", c.code)
			}
			if c.r == noRune {
				lines.WriteByte('-')
			} else {
				fmt.Fprintf(&lines, "%X", c.r)
			}
			table.add(c.code, c.r)
			last = c.code
		}
	}
	var one, two, three [][]byte
	for b := range 0x100 {
		one = append(one, []byte{byte(b)})
	}
	for b := range 0x10000 {
		two = append(two, []byte{byte(b >> 8), byte(b)})
		three = append(three, []byte{triple, byte(b >> 8), byte(b)})
	}
	read(one)
	if set.BytesMax > 1 {
		read(two)
	}
	if set.BytesMax > 2 {
		read(three)
	}
	lines.WriteByte('\n')
	lines.WriteString(o.writtenLines(t, set, table, unicode))
	return lines.String()
}

// easternChar is the bytes of a character as a number, and its number in Unicode.
type easternChar struct {
	code uint32
	r    rune
}

// wellFormed returns those of values that are one character.
func (o *oracle) wellFormed(t *testing.T, set *Charset, values [][]byte) (found []easternChar) {
	t.Helper()
	o.keep(t, set, values)
	for _, row := range o.rows(t, "SELECT b, CAST(CONVERT(v USING utf32) AS BINARY) FROM bytes JOIN kept USING (id)"+
		" WHERE CAST(v AS BINARY) = b AND CHAR_LENGTH(v) = 1 ORDER BY id") {
		c := easternChar{r: runeOf(row[1])}
		for _, b := range row[0] {
			c.code = c.code<<8 | uint32(b)
		}
		if c.r == '?' && c.code != '?' {
			c.r = noRune
		}
		found = append(found, c)
	}
	return found
}

// runeOf reads a character of utf32.
func runeOf(s []byte) (r rune) {
	for _, b := range s {
		r = r<<8 | rune(b)
	}
	return r
}

// writtenLines writes what characters are written as, where the table has it otherwise.
func (o *oracle) writtenLines(t *testing.T, set *Charset, table *easternTable, unicode [][]byte) string {
	t.Helper()
	var lines strings.Builder
	for _, row := range o.rows(t, "SELECT CAST(CONVERT(c USING utf32) AS BINARY), CAST(CONVERT(c USING "+set.Name+") AS BINARY) FROM unicode"+
		" WHERE c < _utf8mb4 0xF0908080 COLLATE utf8mb4_bin ORDER BY id") {
		r, code := runeOf(row[0]), uint32(0)
		for _, b := range row[1] {
			code = code<<8 | uint32(b)
		}
		known, ok := table.codes[r]
		switch written := code != '?' || r == '?'; {
		case written && (!ok || known != code):
			fmt.Fprintf(&lines, ">%X\t%02X\n", r, code)
		case !written && ok:
			fmt.Fprintf(&lines, ">%X\t-\n", r)
		}
	}
	if len(unicode) == 0 {
		t.Error("no character was asked for")
	}
	return lines.String()
}
