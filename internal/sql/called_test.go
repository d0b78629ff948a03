package sql

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCalled(t *testing.T) {
	text := func(s string) Arg { return Arg{Kind: ArgString, Text: []byte(s)} }
	for _, c := range []struct {
		text string
		want *Called // nil cannot be read
	}{
		{"CALL tunic.jobs()", &Called{Name: TableName{Schema: "tunic", Name: "jobs"}}},
		{"call `tunic` . `jobs` ( ) ;", &Called{Name: TableName{Schema: "tunic", Name: "jobs"}}},
		{"CALL jobs", &Called{Name: TableName{Name: "jobs"}}},
		{"CALL tunic.pause(17)", &Called{TableName{Schema: "tunic", Name: "pause"}, []Arg{{Kind: ArgNumber, Text: []byte("17")}}}},
		{"CALL tunic.pause(?)", &Called{TableName{Schema: "tunic", Name: "pause"}, []Arg{{Kind: ArgParam}}}},
		{"CALL tunic.a('it''s', \"x\\n\", NULL) -- end", &Called{TableName{Schema: "tunic", Name: "a"}, []Arg{text("it's"), text("x\n"), {Kind: ArgNull}}}},
		{"CALL tunic.a('x' 'y')", nil},
		{"CALL tunic.a(1 + 1)", nil},
		{"CALL tunic.a(-1)", nil},
		{"CALL tunic.a(_latin1'x')", nil},
		{"CALL tunic.a(@x)", nil},
		{"CALL tunic.a((SELECT 1))", nil},
		{"CALL tunic.a(1,)", nil},
		{"CALL tunic.a(1", nil},
		{"CALL tunic.a(1) 2", nil},
		{"DO tunic.a(1)", nil},
	} {
		read, err := Parse([]byte(c.text), 0)
		if err != nil || len(read) != 1 {
			t.Fatalf("%s: %d statements, %v", c.text, len(read), err)
		}
		got, ok := read[0].Called()
		if ok != (c.want != nil) {
			t.Errorf("%s: read is %t", c.text, ok)
		}
		if ok && c.want != nil {
			if diff := cmp.Diff(*c.want, got); diff != "" {
				t.Errorf("%s: %s", c.text, diff)
			}
		}
	}
}

func TestSplitName(t *testing.T) {
	for name, want := range map[string][]string{
		"t": {"t"}, "s.t": {"s", "t"}, "my-shop.a b": {"my-shop", "a b"}, "`s.x`.`t``y`": {"s.x", "t`y"}, "s.`t`": {"s", "t"}, "`t`": {"t"},
		"": nil, ".t": nil, "s.": nil, "`t": nil, "`s`.`t`.`c`": nil, "`s` t": nil, "`s`.": nil,
	} {
		got, ok := SplitName(name)
		if ok != (want != nil) || ok && !cmp.Equal(want, got) {
			t.Errorf("%q: %q, %t", name, got, ok)
		}
	}
}
