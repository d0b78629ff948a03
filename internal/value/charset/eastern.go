package charset

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// easternGZ has the character sets of East Asia of the servers, written by TestEastern from the
// servers themselves. It is text. A character set begins with a line of its name and the flavors
// that have it so:
//
//	@gbk mariadb mysql
//
// Then come its characters, by their bytes: those of the first, and the numbers in Unicode of it and
// of those whose bytes follow each other; "-" is a character that Unicode has not:
//
//	8140	4E02 4E04 4E05 4E06
//
// At last come characters that are not written as the lowest bytes that are read as them, or that are
// written and not read as themselves; "-" is one that is not written:
//
//	>A5	5C
//
//go:embed eastern.txt.gz
var easternGZ []byte

const easternFile = "eastern.txt.gz"

// easternCodec is a character set of East Asia. A character has one byte or two; with three
// bytes the first is triple.
type easternCodec struct {
	table func() *easternTable
	low   bool // of a character's number, only the lower 16 bits count for what it is written as
}

// triple begins the characters of three bytes, of those character sets that have any (SS3 of EUC).
const triple = 0x8F

// noChar stands for bytes that are no well-formed character.
const noChar rune = -2

type easternTable struct {
	one   [0x100]rune
	two   []rune          // by the number that the bytes are
	three []rune          // by the number that the bytes behind triple are; nil if there are none
	codes map[rune]uint32 // what a character is written as
}

func (c easternCodec) decode(s []byte) (rune, int) {
	t := c.table()
	if r := t.one[s[0]]; r != noChar {
		return r, 1
	}
	if len(s) > 1 {
		if r := t.two[int(s[0])<<8|int(s[1])]; r != noChar {
			return r, 2
		}
	}
	if len(s) > 2 && s[0] == triple && t.three != nil {
		if r := t.three[int(s[1])<<8|int(s[2])]; r != noChar {
			return r, 3
		}
	}
	return 0, 0
}

func (c easternCodec) encode(dst []byte, r rune) ([]byte, bool) {
	if c.low && r > 0xFFFF {
		if r &= 0xFFFF; r == 0 {
			return dst, false
		}
	}
	code, ok := c.table().codes[r]
	switch {
	case !ok:
		return dst, false
	case code > 0xFFFF:
		dst = append(dst, byte(code>>16))
		fallthrough
	case code > 0xFF:
		dst = append(dst, byte(code>>8))
	}
	return append(dst, byte(code)), true
}

// isEastern reports whether a character set is one of the table.
func isEastern(name string) bool {
	switch name {
	case "big5", "cp932", "eucjpms", "euckr", "gb2312", "gbk", "sjis", "tis620", "ujis":
		return true
	}
	return false
}

// newEasternCodec finds a character set in the table when it is used.
func newEasternCodec(f Flavor, name string) easternCodec {
	table := sync.OnceValue(func() *easternTable { return readEastern(name, easternSections()[[2]string{name, f.String()}]) })
	return easternCodec{table: table, low: name == "tis620"}
}

// easternSections are the lines of the table by the name of the character set and the flavor.
var easternSections = sync.OnceValue(func() map[[2]string]string {
	found := map[[2]string]string{}
	for section := range strings.SplitSeq(unpacked(easternFile, easternGZ), "@") {
		head, lines, ok := strings.Cut(section, "\n")
		if !ok {
			continue
		}
		names := strings.Fields(head)
		for _, flavor := range names[1:] {
			found[[2]string{names[0], flavor}] = lines
		}
	}
	return found
})

// readEastern reads a character set. Without lines no byte of it is well formed.
func readEastern(name, lines string) *easternTable {
	t := &easternTable{two: unread(0x10000), codes: map[rune]uint32{}}
	copy(t.one[:], unread(len(t.one)))
	for line := range strings.Lines(lines) {
		if err := t.readLine(strings.TrimSuffix(line, "\n")); err != nil {
			panic(fmt.Sprintf("charset: %s: %s: %.60q: %v", easternFile, name, line, err))
		}
	}
	return t
}

func unread(n int) []rune { return slices.Repeat([]rune{noChar}, n) }

// readLine takes in one line.
func (t *easternTable) readLine(line string) error {
	head, rest, ok := strings.Cut(line, "\t")
	if !ok {
		return errors.New("no tab")
	}
	if written, ok := strings.CutPrefix(head, ">"); ok {
		return t.readWritten(written, rest)
	}
	code, err := strconv.ParseUint(head, 16, 24)
	if err != nil {
		return err
	}
	for number := range strings.FieldsSeq(rest) {
		r := noRune
		if number != "-" {
			n, err := strconv.ParseInt(number, 16, 32)
			if err != nil {
				return err
			}
			r = rune(n)
		}
		t.add(uint32(code), r)
		code++
	}
	return nil
}

// add takes in a character. The lowest bytes, which come first, are those that it is written as.
func (t *easternTable) add(code uint32, r rune) {
	switch {
	case code <= 0xFF:
		t.one[code] = r
	case code <= 0xFFFF:
		t.two[code] = r
	default:
		if t.three == nil {
			t.three = unread(0x10000)
		}
		t.three[code&0xFFFF] = r
	}
	if _, known := t.codes[r]; !known && r != noRune {
		t.codes[r] = code
	}
}

// readWritten takes in a character that is written as other bytes, or not at all.
func (t *easternTable) readWritten(number, bytes string) error {
	r, err := strconv.ParseInt(number, 16, 32)
	if err != nil {
		return err
	}
	if bytes == "-" {
		delete(t.codes, rune(r))
		return nil
	}
	code, err := strconv.ParseUint(bytes, 16, 24)
	t.codes[rune(r)] = uint32(code)
	return err
}
