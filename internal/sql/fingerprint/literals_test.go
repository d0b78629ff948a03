package fingerprint

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/sql/lex"
	"tunic/internal/sql/sqltest"
)

// TestLiteralsOfRandomTexts: what is recorded of a text agrees with its
// template and with the slow model, whatever the text is.
func TestLiteralsOfRandomTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range perCheck {
			checkLiterals(t, []byte(drawSoup(t, "text")), sqltest.ModelModes)
		}
	})
}

// TestLiteralsOfRandomLists is the same for lists of all kinds.
func TestLiteralsOfRandomLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range perCheck {
			phrase := rapid.SampledFrom(phrases).Draw(t, "phrase")
			before := rapid.SampledFrom(phrase.before).Draw(t, "before")
			after := rapid.SampledFrom(phrase.after).Draw(t, "after")
			comma := rapid.SampledFrom([]string{",", ", ", " ,", ",\n"}).Draw(t, "comma")
			list := rapid.SliceOfN(rapid.SampledFrom(elements), 1, 4).Draw(t, "elements")
			for i := range list {
				for range rapid.IntRange(0, 2).Draw(t, "again") {
					list = append(list[:i+1], list[i:]...)
				}
			}
			checkLiterals(t, []byte(before+strings.Join(list, comma)+after), sqltest.ModelModes)
		}
	})
}

// checkLiterals holds the recorded literals of a text to everything else that
// is known of it.
func checkLiterals(t fataler, text []byte, m lex.Modes) {
	t.Helper()
	var plain, f Fingerprinter
	without := plain.Fingerprint(text, m)
	f.Record(true)
	fp := f.Fingerprint(text, m)
	if !bytes.Equal(without.Template, fp.Template) || without.Clean != fp.Clean || len(plain.literals.all) != 0 {
		t.Fatalf("%q: recording changes the template\n%q\n%q", text, without.Template, fp.Template)
	}
	l := f.Literals()
	if !fp.Clean || !l.Regular() {
		return
	}
	checkOrder(t, text, l, m)
	checkMarks(t, text, string(fp.Template), l)
	checkOtherValues(t, text, string(fp.Template), l, m)
	checkOtherSizes(t, text, string(fp.Template), l, m)
	if m == sqltest.ModelModes && !sqltest.OtherVersions.Match(text) {
		checkLiteralsOfModel(t, text, l)
	}
}

// checkOrder: literals are in the order of the text, At finds each of them
// once, and each has a value.
func checkOrder(t fataler, text []byte, l *Literals, m lex.Modes) {
	t.Helper()
	seen := map[Literal]bool{}
	visit := func(p Place, element int) {
		lit := l.At(p, element)
		if seen[lit] {
			t.Fatalf("%q: two places of %v", text, lit)
		}
		seen[lit] = true
		if _, kind := lit.AppendValue(nil, text, m); kind == LiteralInvalid {
			t.Fatalf("%q: %q at %v is no literal", text, text[lit.From:lit.To], p)
		}
	}
	for i := range l.Singles() {
		visit(Place{Group: -1, Cell: i}, 0)
	}
	for g := range l.Groups() {
		for e := range l.Elements(g) {
			for c := range l.Cells(g) {
				visit(Place{Group: g, Cell: c}, e)
			}
		}
	}
	end := int32(0)
	for _, lit := range l.all {
		if lit.From < end || lit.To <= lit.From || int(lit.To) > len(text) {
			t.Fatalf("%q: literals %v", text, l.all)
		}
		end = lit.To
	}
	if len(seen) != len(l.all) {
		t.Fatalf("%q: %d literals, %d places", text, len(l.all), len(seen))
	}
}

// checkMarks: the template has as many marks as there are places, and as many
// collapsed elements as there are groups.
func checkMarks(t fataler, text []byte, template string, l *Literals) {
	t.Helper()
	if bytes.ContainsAny(text, "?") || bytes.Contains(text, []byte("..")) {
		return
	}
	places := l.Singles()
	for g := range l.Groups() {
		places += l.Cells(g)
	}
	if strings.Count(template, "?") != places || strings.Count(template, runMark) != l.Groups() {
		t.Fatalf("%q\n%q: %d places, %d groups", text, template, places, l.Groups())
	}
}

// otherLiteral is a literal of the same mark as the one in text.
func otherLiteral(l Literal, text []byte) string {
	switch l.Mark(text) {
	case MarkAny:
		if bytes.Contains(bytes.ToUpper(text), []byte("BY")) {
			return "'seven'" // in a list after BY, a number would be a position
		}
		return "-77.5e7"
	case MarkExact:
		return "77"
	case MarkFloat:
		return "7e7"
	case MarkHex:
		return "x'77'"
	case MarkString:
		return "'seven'"
	default:
		return "n'seven'"
	}
}

// checkOtherValues: with other literals in the places the text has the same
// template, and the literals are those.
func checkOtherValues(t fataler, text []byte, template string, l *Literals, m lex.Modes) {
	t.Helper()
	var out []byte
	var want []string
	at := int32(0)
	for _, lit := range l.all {
		other := otherLiteral(lit, text)
		out = append(append(out, text[at:lit.From]...), other...)
		want = append(want, other)
		at = lit.To
		if joins(text, lit) {
			return // 77x is another token than 1.5x
		}
	}
	out = append(out, text[at:]...)
	var f Fingerprinter
	f.Record(true)
	if fp := f.Fingerprint(out, m); string(fp.Template) != template {
		t.Fatalf("%q\n%q\n%q\n%q", text, template, out, fp.Template)
	}
	for i, lit := range f.Literals().all {
		if got := string(out[lit.From:lit.To]); got != want[i] {
			t.Fatalf("%q: %q is %q", out, want[i], got)
		}
	}
}

// joins says that another literal might be one token with what is around it.
func joins(text []byte, l Literal) bool {
	before, after := byte(' '), byte(' ')
	if l.From > 0 {
		before = text[l.From-1]
	}
	if int(l.To) < len(text) {
		after = text[l.To]
	}
	return lex.IsWord(before) || lex.IsWord(after) || bytes.IndexByte([]byte(".-'\"`@:"), before) >= 0 || bytes.IndexByte([]byte(".'\"`"), after) >= 0
}

// checkOtherSizes: a group with its elements after the first repeated has the
// same template and more elements.
func checkOtherSizes(t fataler, text []byte, template string, l *Literals, m lex.Modes) {
	t.Helper()
	for i := range l.groups {
		g := &l.groups[i]
		longer := bytes.Join([][]byte{text[:g.end], text[g.headEnd:g.end], text[g.end:]}, nil)
		var f Fingerprinter
		f.Record(true)
		fp := f.Fingerprint(longer, m)
		if string(fp.Template) != template || f.Literals().Elements(i) != 2*g.elements-1 {
			t.Fatalf("%q\n%q\n%q\n%q: %d elements were %d", text, template, longer, fp.Template, f.Literals().Elements(i), g.elements)
		}
	}
}

// checkLiteralsOfModel: the model has the same literals in the same order, but
// for constants, which it does not count.
func checkLiteralsOfModel(t fataler, text []byte, l *Literals) {
	t.Helper()
	tokens, _ := sqltest.Tokens(string(text))
	r := modelReader{tokens: tokens, frames: []modelFrame{{}}}
	var want []string
	for r.i = range tokens {
		before := len(r.out)
		original := tokens[r.i].Text
		if r.read(); len(r.out) > before && r.out[before].Text == "" {
			want = append(want, original)
		}
	}
	for _, lit := range l.all {
		span := text[lit.From:lit.To]
		if constantKind(span) != LiteralInvalid {
			continue
		}
		if len(want) == 0 || !bytes.Contains(span, []byte(want[0])) {
			t.Fatalf("%q: %q is not the model's %q", text, span, want)
		}
		want = want[1:]
	}
	if len(want) > 0 {
		t.Fatalf("%q: %q is not recorded", text, want)
	}
}

// TestLiteralValues: each kind of literal, and what it says.
func TestLiteralValues(t *testing.T) {
	gbk := lex.Modes(0).WithCharset("gbk")
	for _, c := range []struct {
		text  string
		modes lex.Modes
		value string
		kind  LiteralKind
	}{
		{"SELECT 17", 0, "17", LiteralInteger},
		{"SELECT -17", 0, "17", LiteralInteger},
		{"SELECT 99999999999999999999999999", 0, "99999999999999999999999999", LiteralInteger},
		{"SELECT a IN (-17)", 0, "-17", LiteralInteger},
		{"SELECT a IN (- /* minus */ 17)", 0, "-17", LiteralInteger},
		{"SELECT a IN (+ 1.50)", 0, "1.50", LiteralDecimal},
		{"SELECT .5", 0, ".5", LiteralDecimal},
		{"SELECT 1.", 0, "1.", LiteralDecimal},
		{"SELECT -1E-5", 0, "1E-5", LiteralFloat},
		{"SELECT 'it''s'", 0, "it's", LiteralString},
		{`SELECT 'a\n\%\'' 'b' /* c */ "d""e"`, 0, "a\n\\%'bd\"e", LiteralString},
		{`SELECT 'a\' 'b'`, lex.NoBackslashEscapes, `a\b`, LiteralString},
		{"SELECT '\x95\\' 'b'", gbk, "\x95\\b", LiteralString},
		{"SELECT N'a' 'b'", 0, "ab", LiteralNational},
		{"SELECT n''", 0, "", LiteralNational},
		{"SELECT x'4D5a'", 0, "MZ", LiteralHex},
		{"SELECT X''", 0, "", LiteralHex},
		{"SELECT 0x4D5", 0, "\x04\xd5", LiteralHexNumber},
		{"SELECT b'1'", 0, "\x01", LiteralBit},
		{"SELECT B'101010101'", 0, "\x01\x55", LiteralBit},
		{"SELECT b''", 0, "", LiteralBit},
		{"SELECT 0b01000001", 0, "A", LiteralBit},
		{"SELECT DATE '2026-01-31'", 0, "2026-01-31", LiteralDate},
		{"SELECT time'10:11:12'", 0, "10:11:12", LiteralTime},
		{"SELECT TIMESTAMP\n'2026-01-31 10:11:12'", 0, "2026-01-31 10:11:12", LiteralTimestamp},
		{"SELECT {d '2026-01-31'}", 0, "2026-01-31", LiteralDate},
		{"SELECT { ts '2026-01-31 00:00:00'}", 0, "2026-01-31 00:00:00", LiteralTimestamp},
		{"SELECT _latin1'a' 'b'", 0, "ab", LiteralString},
		{"VALUES (NULL)", 0, "", LiteralNull},
		{"INSERT INTO t VALUES (True)", 0, "", LiteralTrue},
		{"INSERT INTO t VALUES (false, f())", 0, "", LiteralFalse},
		{"INSERT INTO t VALUES ( - 5 )", 0, "-5", LiteralInteger},
		{"INSERT INTO t VALUES ( -5 )", 0, "-5", LiteralInteger},
		{"INSERT INTO t VALUES ( null)", 0, "", LiteralNull},
	} {
		var f Fingerprinter
		f.Record(true)
		f.Fingerprint([]byte(c.text), c.modes)
		l := f.Literals()
		if l.Singles() != 1 || l.Groups() != 0 {
			t.Errorf("%q: %d singles, %d groups", c.text, l.Singles(), l.Groups())
			continue
		}
		value, kind := l.At(Place{Group: -1}, 0).AppendValue([]byte("x"), []byte(c.text), c.modes)
		if string(value) != "x"+c.value || kind != c.kind {
			t.Errorf("%q: %v %q, want %v %q", c.text, kind, value, c.kind, c.value)
		}
	}
}

func TestIntroducers(t *testing.T) {
	var f Fingerprinter
	f.Record(true)
	text := []byte("SELECT _utf8mb4 'a', 'b', _binary/**/'c', DATE 'd' FROM t WHERE a IN (_latin1'e') AND b = _latin1 x'e9' OR c = _binary 0x41")
	f.Fingerprint(text, 0)
	var got []string
	for i := range f.Literals().Singles() {
		l := f.Literals().At(Place{Group: -1, Cell: i}, 0)
		got = append(got, string(l.Introducer(text)))
	}
	if s := strings.Join(got, ","); s != "utf8mb4,,binary,,latin1,latin1,binary" {
		t.Errorf("introducers %s", s)
	}
}

// TestGroups: places are numbered as the template has them.
func TestGroups(t *testing.T) {
	text := []byte("INSERT INTO t VALUES (1, f('a', 2), NULL), (-3, f('b', 4), 5), (6, f('c', 7), 8), (9, 10), (11, 12) " +
		"ON DUPLICATE KEY UPDATE a = 13 + VALUES(a), b = a IN (14, -15), c = (a, b) IN ((16, 'x'), (17, 'y')), d = 18")
	var f Fingerprinter
	f.Record(true)
	fp := f.Fingerprint(text, 0)
	l := f.Literals()
	var b strings.Builder
	for g := range l.Groups() {
		fmt.Fprintf(&b, "group %d:", g)
		for e := range l.Elements(g) {
			for c := range l.Cells(g) {
				lit := l.At(Place{Group: g, Cell: c}, e)
				fmt.Fprintf(&b, " %s", text[lit.From:lit.To])
			}
			b.WriteString(";")
		}
		b.WriteString("\n")
	}
	for i := range l.Singles() {
		lit := l.At(Place{Group: -1, Cell: i}, 0)
		fmt.Fprintf(&b, "single %s\n", text[lit.From:lit.To])
	}
	want := "group 0: 1 'a' 2 NULL; -3 'b' 4 5; 6 'c' 7 8;\ngroup 1: 9 10; 11 12;\ngroup 2: 14; -15;\ngroup 3: 16 'x'; 17 'y';\nsingle 13\nsingle 18\n"
	if b.String() != want {
		t.Errorf("%s\n%s", fp.Template, b.String())
	}
}

// TestNestedGroups: lists of their own length in rows that collapse.
func TestNestedGroups(t *testing.T) {
	for text, regular := range map[string]bool{
		"INSERT INTO t VALUES (1, a IN (1, 2)), (2, a IN (1, 2, 3))": false,
		"INSERT INTO t VALUES (1, a IN (1, 2)), (2, a IN (1))":       true,
		"INSERT INTO t VALUES (1, a IN (1)), (2, a IN (3))":          true,
		"INSERT INTO t VALUES (1, a IN (1, 2))":                      true,
	} {
		var f Fingerprinter
		f.Record(true)
		if f.Fingerprint([]byte(text), 0); f.Literals().Regular() != regular {
			t.Errorf("%q: regular %t", text, !regular)
		}
	}
}

// TestLiteralsAllocateNothing: after the first texts, whatever their size; and
// what a huge one needed is given back.
func TestLiteralsAllocateNothing(t *testing.T) {
	var f Fingerprinter
	f.Record(true)
	huge := append([]byte("INSERT INTO t VALUES (1,'a')"), bytes.Repeat([]byte(",(2,'b')"), 50_000)...)
	small := []byte("SELECT a FROM t WHERE b IN (1, -2, 3) AND c = 'it''s'")
	buf := make([]byte, 0, 100)
	for _, text := range [][]byte{small, huge} {
		f.Fingerprint(text, 0)
		if n := testing.AllocsPerRun(10, func() {
			f.Fingerprint(text, 0)
			for _, l := range f.Literals().all {
				buf, _ = l.AppendValue(buf[:0], text, 0)
			}
		}); n != 0 {
			t.Errorf("%.40q: %v allocations", text, n)
		}
	}
	f.Fingerprint(small, 0)
	f.Fingerprint(small, 0)
	if n := cap(f.literals.all); n > literalsKeep {
		t.Errorf("%d literals are kept", n)
	}
}

// FuzzLiterals: whatever the text and the modes, what is recorded agrees with
// the template.
func FuzzLiterals(f *testing.F) {
	sqltest.Seed(f, "../testdata/golden")
	f.Fuzz(func(t *testing.T, text []byte, modes uint32) {
		checkLiterals(t, text, lex.Modes(modes))
	})
}
