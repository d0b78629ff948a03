package difftest

import (
	"slices"
	"strings"
	"testing"
)

func TestAllowance(t *testing.T) {
	file := strings.ReplaceAll("# comment\n\nmariadb sealed text TUNIC-2001 SELECT 3\nmariadb sealed text TUNIC-2002 SHOW|INDEX 1\nmysql order text hollow INSERT 2\n", " ", "\t")
	file = strings.ReplaceAll(strings.Replace(file, "#\tcomment", "# comment", 1), "|", " ")
	allowed, err := ParseAllowance("file", file)
	if err != nil {
		t.Fatal(err)
	}
	selects := Refused{"mariadb", "sealed", "text", "TUNIC-2001", "SELECT"}
	if allowed[selects] != 3 || allowed[Refused{"mariadb", "sealed", "text", "TUNIC-2002", "SHOW INDEX"}] != 1 {
		t.Errorf("read %v", allowed)
	}
	if again, err := ParseAllowance("again", allowed.String()); err != nil || again.String() != allowed.String() {
		t.Errorf("what is written is not read: %v", err)
	}
	counted := Allowance{selects: 4, {"mariadb", "sealed", "text", "TUNIC-2010", "SELECT"}: 1}
	if got := allowed.Exceeded(counted); len(got) != 2 || !strings.Contains(got[0], "4, allowed are 3") {
		t.Errorf("exceeded: %v", got)
	}
	if got := allowed.Unused(counted, "mariadb", "sealed", "text"); len(got) != 1 || !strings.Contains(got[0], "SHOW INDEX") {
		t.Errorf("unused: %v", got)
	}
	allowed.Replace(counted, "mariadb", "sealed", "text")
	if len(allowed) != 3 || allowed[selects] != 4 {
		t.Errorf("replaced: %v", allowed)
	}
}

func TestAllowanceRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"mariadb sealed text":          "file:1: want flavor",
		"#\na\tb\tc\td\te\tmany":       "file:2: count",
		"a\tb\tc\td\te\t1\nx\ty\tz\t1": "file:2: want",
	} {
		if _, err := ParseAllowance("file", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestPoliciesAreKnownByName: what the corpus and the list of refusals name is there.
func TestPoliciesAreKnownByName(t *testing.T) {
	var names []string
	for _, p := range Policies {
		if slices.Contains(names, p.Name) || findPolicy(p.Name) != p {
			t.Errorf("policy %s", p.Name)
		}
		names = append(names, p.Name)
	}
	if findPolicy("nothere") != nil || len(names) < 4 {
		t.Errorf("policies %v", names)
	}
}
