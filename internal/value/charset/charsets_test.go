package charset

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestCharsets compares every character set with the server that has it: what is
// well formed, how many characters it is, what it is in utf8mb4, and how every
// character of Unicode is written. What it finds is charsets.tsv; -rewrite
// writes it. Without -all it takes every eleventh character.
func TestCharsets(t *testing.T) {
	for _, o := range oracles(t) {
		t.Run(o.flavor.String(), func(t *testing.T) {
			sets := o.flavor.names().charsets
			utf8mb4 := sets["utf8mb4"]
			step := 11
			if *all || *rewrite {
				step = 1
			}
			unicode := characters(utf8mb4, step)
			o.fill(t, "unicode", utf8mb4, []string{"c"}, columnOf(unicode))
			var lines []string
			for _, name := range slices.Sorted(maps.Keys(sets)) {
				verdict := o.judgeCharset(t, sets[name], unicode, step)
				lines = append(lines, fmt.Sprintf("%s\t%s\t%s", o.flavor, name, verdict))
			}
			if *rewrite {
				rewriteLines(t, "charsets.tsv", o.flavor, lines)
				return
			}
			compareLines(t, charsetsTSV, o.flavor, lines)
		})
	}
}

func columnOf(values [][]byte) [][][]byte {
	rows := make([][][]byte, len(values))
	for i, v := range values {
		rows[i] = [][]byte{v}
	}
	return rows
}

// judgeCharset returns "exact", or what is not.
func (o *oracle) judgeCharset(t *testing.T, set *Charset, unicode [][]byte, step int) string {
	t.Helper()
	if !set.convert && !*all && !*rewrite {
		return set.why
	}
	if _, ok := set.codec.(unknownCodec); ok {
		return "no tables"
	}
	if diff := o.judgeReading(t, set, byteStrings(set, step)); diff != "" {
		return diff
	}
	if diff := o.judgeWriting(t, set, unicode); diff != "" {
		return diff
	}
	return "exact"
}

// byteStrings returns strings of the character set, well formed and not.
func byteStrings(set *Charset, step int) [][]byte {
	var found [][]byte
	for b := range 0x100 {
		found = append(found, append(make([]byte, set.BytesMin-1), byte(b)))
	}
	if set.BytesMax > 1 {
		for b := 0x8000; b < 0x10000; b += step {
			found = append(found, append(make([]byte, max(set.BytesMin-2, 0)), byte(b>>8), byte(b)))
		}
	}
	chars := characters(set, 7)
	rng := rand.New(rand.NewPCG(3, 4))
	edges := []byte{0, 'a', 0x7f, 0x80, 0x8e, 0x8f, 0x9f, 0xa0, 0xa1, 0xbf, 0xc0, 0xc1, 0xc2, 0xd8, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xfe, 0xff}
	for range 20000 / step {
		var s []byte
		for range rng.IntN(6) {
			switch rng.IntN(3) {
			case 0:
				s = append(s, edges[rng.IntN(len(edges))])
			default:
				s = append(s, chars[rng.IntN(len(chars))]...)
			}
		}
		if len(s)%set.BytesMin == 0 {
			found = append(found, s)
		}
	}
	return found
}

// keep stores strings of bytes, in table bytes as they are and in kept in the character set.
func (o *oracle) keep(t *testing.T, set *Charset, values [][]byte) {
	t.Helper()
	o.exec(t, "DROP TABLE IF EXISTS bytes, kept")
	o.exec(t, "CREATE TABLE bytes (id INT PRIMARY KEY, b VARBINARY(200))")
	o.insert(t, "bytes", columnOf(values))
	o.exec(t, "CREATE TABLE kept (id INT PRIMARY KEY, v VARCHAR(200) CHARACTER SET "+set.Name+")")
	o.exec(t, "INSERT INTO kept SELECT id, b FROM bytes")
}

// judgeReading compares what strings of bytes are, once they are stored.
func (o *oracle) judgeReading(t *testing.T, set *Charset, values [][]byte) string {
	t.Helper()
	o.keep(t, set, values)
	query := "SELECT id, CAST(v AS BINARY), CAST(CONVERT(v USING utf8mb4) AS BINARY), CHAR_LENGTH(v), CAST(LEFT(v, 2) AS BINARY) FROM kept"
	var wrong differences
	for _, r := range o.rows(t, query) {
		id, _ := strconv.Atoi(string(r[0]))
		if !readsAs(set, values[id], r[1:]) {
			wrong.note(values[id])
		}
	}
	return wrong.verdict("reads differ", len(values))
}

// readsAs reports whether s is to us what it is to the server, which answers
// with what it has stored of s, that in utf8mb4, its length, and its first two
// characters.
func readsAs(set *Charset, s []byte, answer [][]byte) bool {
	if set.Valid(s) != bytes.Equal(s, answer[0]) {
		return false
	}
	s = repaired(set, s)
	utf8mb4, _ := CharsetByName(set.Flavor, "utf8mb4")
	converted, _ := Convert(nil, utf8mb4, set, s)
	return bytes.Equal(s, answer[0]) && (set.isBinary() || bytes.Equal(converted, answer[1])) &&
		strconv.Itoa(set.CharLen(s)) == string(answer[2]) && bytes.Equal(set.TruncateChars(s, 2), answer[3])
}

// repaired is what the server stores of s where it takes bytes that are not well
// formed with a warning: MySQL stores what stands before them, MariaDB puts a
// question mark for each of them.
func repaired(set *Charset, s []byte) []byte {
	bad := set.FirstBad(s)
	if bad >= 0 && set.Flavor != MariaDB {
		return s[:bad]
	}
	return set.AppendRepaired(nil, s, 0)
}

// judgeWriting compares how characters are written.
func (o *oracle) judgeWriting(t *testing.T, set *Charset, unicode [][]byte) string {
	t.Helper()
	utf8mb4, _ := CharsetByName(set.Flavor, "utf8mb4")
	var wrong differences
	for _, r := range o.rows(t, "SELECT id, CAST(CONVERT(c USING "+set.Name+") AS BINARY) FROM unicode") {
		id, _ := strconv.Atoi(string(r[0]))
		if ours, _ := Convert(nil, set, utf8mb4, unicode[id]); !bytes.Equal(ours, r[1]) {
			wrong.note(unicode[id])
		}
	}
	return wrong.verdict("writes differ", len(unicode))
}

// differences counts, and keeps the first in order of the bytes.
type differences struct {
	count int
	first []byte
}

func (d *differences) note(s []byte) {
	if d.count++; d.count == 1 || bytes.Compare(s, d.first) < 0 {
		d.first = s
	}
}

func (d *differences) verdict(what string, of int) string {
	if d.count == 0 {
		return ""
	}
	return strings.TrimSpace(fmt.Sprintf("%s at %d of %d, first x'%x'", what, d.count, of, d.first))
}
