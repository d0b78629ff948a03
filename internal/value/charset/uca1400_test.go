package charset

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestUCA1400 asks MariaDB for the weights of all characters, and for what
// contracts, and compares them with the table; -rewrite writes it. The table is
// part of the program, so TestCollations sees what was written only when it runs
// the next time.
func TestUCA1400(t *testing.T) {
	if !*all && !*rewrite {
		t.Skip("TestCollations compares a part of it; -all compares everything")
	}
	for _, o := range oracles(t) {
		if o.flavor != MariaDB {
			continue
		}
		o.makeWeightTables(t)
		text := o.weightLines(t) + o.contractionLines(t)
		switch known := unpacked(uca1400File, uca1400GZ); {
		case known == text:
		case *rewrite:
			writePacked(t, uca1400File, text)
		default:
			t.Errorf("the weights are not those of the table; run with -rewrite (%d bytes, were %d)", len(text), len(known))
		}
	}
}

// makeWeightTables makes a table of all characters and their weights; implicit
// is the base of implicit weights, NULL where they are not the rule.
func (o *oracle) makeWeightTables(t *testing.T) {
	t.Helper()
	for _, statement := range []string{
		"SET NAMES utf8mb4",
		"DROP TABLE IF EXISTS uca",
		"CREATE TABLE uca (id INT PRIMARY KEY, c VARCHAR(4) CHARACTER SET utf8mb4 COLLATE utf8mb4_uca1400_ai_ci," +
			" w VARBINARY(60), implicit INT, block INT, KEY (block)) ENGINE=Aria",
		"INSERT INTO uca (id, c) SELECT seq, CONVERT(CHAR(seq USING utf32) USING utf8mb4) FROM seq_0_to_1114111",
		"UPDATE uca SET w = WEIGHT_STRING(c), block = id >> 7",
		"UPDATE uca SET implicit = CONV(HEX(LEFT(w, 2)), 16, 10) - (id >> 15)" +
			" WHERE LENGTH(w) = 4 AND ASCII(w) = 0xFB AND CONV(HEX(RIGHT(w, 2)), 16, 10) = (id & 0x7FFF) | 0x8000",
	} {
		o.exec(t, statement)
	}
}

// weightLines writes the ranges of implicit weights, and all other characters
// that have weights.
func (o *oracle) weightLines(t *testing.T) string {
	t.Helper()
	var ranges, chars strings.Builder
	first, last, base := 0, -2, ""
	flush := func() {
		if base != "" {
			n, _ := strconv.Atoi(base)
			fmt.Fprintf(&ranges, "%04X..%04X\t%04X\n", first, last, n)
		}
	}
	for _, r := range o.rows(t, "SELECT id, implicit, w FROM uca WHERE w <> '' ORDER BY id") {
		id, _ := strconv.Atoi(string(r[0]))
		if r[1] == nil {
			fmt.Fprintf(&chars, "%04X\t%X\n", id, r[2])
			continue
		}
		if id != last+1 || base != string(r[1]) {
			flush()
			first, base = id, string(r[1])
		}
		last = id
	}
	flush()
	return ranges.String() + chars.String()
}

// contractionLines writes what weighs more or less together than apart. Where
// the characters of a contraction are in one block of 128, the server finds it;
// DUCET has few others, and few of three characters.
func (o *oracle) contractionLines(t *testing.T) string {
	t.Helper()
	const pair = "SELECT a.id, b.id, NULL, WEIGHT_STRING(CONCAT(a.c, b.c)) FROM uca a JOIN uca b ON "
	const apart = " AND WEIGHT_STRING(CONCAT(a.c, b.c)) <> CONCAT(a.w, b.w)"
	const triple = "SELECT a.id, b.id, c.id, WEIGHT_STRING(CONCAT(a.c, b.c, c.c)) FROM uca a JOIN uca b JOIN uca c" +
		" ON (a.id, b.id, c.id) IN ((0x0CC6, 0x0CC2, 0x0CD5), (0x0DD9, 0x0DCF, 0x0DCA), (0x0FB2, 0x0F71, 0x0F80), (0x0FB3, 0x0F71, 0x0F80))" +
		" AND WEIGHT_STRING(CONCAT(a.c, b.c, c.c)) <> CONCAT(a.w, b.w, c.w)"
	var lines strings.Builder
	for _, query := range []string{
		pair + "a.block = b.block AND a.implicit IS NULL AND b.implicit IS NULL AND a.id NOT BETWEEN 0xAC00 AND 0xD7FF AND a.id NOT BETWEEN 0x17000 AND 0x18FFF" + apart,
		pair + "b.id BETWEEN 0x300 AND 0x36F AND a.implicit IS NULL" + apart,
		pair + "(a.id, b.id) IN ((0x4C, 0xB7), (0x6C, 0xB7), (0x4C, 0x387), (0x6C, 0x387), (0x0F71, 0x0F80))" + apart,
		triple,
	} {
		for _, r := range o.rows(t, query+" ORDER BY a.id, b.id") {
			for i, id := range r[:3] {
				if n, err := strconv.Atoi(string(id)); err == nil {
					fmt.Fprintf(&lines, "%s%04X", [...]string{"", " "}[min(i, 1)], n)
				}
			}
			fmt.Fprintf(&lines, "\t%X\n", r[3])
		}
	}
	return lines.String()
}

// writePacked writes a table.
func writePacked(t *testing.T, file, text string) {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
