package usage

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"tunic/internal/sql"
)

// openText is the Template of a text.
func openText(top *Top, text string, lasting bool) *Template {
	var fp sql.Fingerprinter
	f := fp.Fingerprint([]byte(text), 0)
	return top.Open(&f, 0, lasting)
}

// TestTopKeepsTheCostly: whatever comes between, the list has the templates that have cost most.
func TestTopKeepsTheCostly(t *testing.T) {
	const entries = 10
	top := NewTop(entries)
	costly := make([]*Template, entries/2)
	for i := range 2000 {
		openText(top, fmt.Sprintf("SELECT once%d FROM t", i), i%2 == 0).Add(time.Microsecond, true)
		if i == 1000 {
			for j := range costly {
				costly[j] = openText(top, fmt.Sprintf("SELECT c%d FROM t WHERE a = 1", j), true)
			}
		}
		for j, one := range costly {
			one.Add(time.Duration(j+1)*time.Millisecond, true)
		}
	}
	most := top.Most(entries)
	if len(most) != entries {
		t.Fatalf("%d entries", len(most))
	}
	for j := range costly {
		if u := most[len(costly)-1-j]; u.Template != costly[j] || u.Statements != 1000 || u.Took != time.Duration(j+1)*time.Second {
			t.Errorf("place %d: %s, %d statements, %v", len(costly)-1-j, u.Template.Text(Names{}), u.Statements, u.Took)
		}
	}
	if again := openText(top, "SELECT c0 FROM t WHERE a = 2", true); again != costly[0] {
		t.Error("the same template is another one")
	}
}

// TestTopIsBounded: the list never has more than its entries, whoever counts.
func TestTopIsBounded(t *testing.T) {
	top := NewTop(20)
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 500 {
				one := openText(top, fmt.Sprintf("SELECT a%d FROM t%d", i%100, worker), i%3 == 0)
				one.Add(time.Duration(i), true)
				if i%50 == 0 {
					_ = top.Most(5)
				}
			}
		})
	}
	all.Wait()
	if n := len(top.Most(100)); n > 20 || len(top.byHash) != 20 || len(top.heap) != 20 {
		t.Errorf("%d shown, %d known, %d in the heap", n, len(top.byHash), len(top.heap))
	}
	for i, one := range top.heap {
		if one.listedAs != i || !one.listed.Load() || top.byHash[one.hash] != one {
			t.Errorf("entry %d does not know its place", i)
		}
	}
}

// TestPhases: phases that were timed are shares of the time, and what nobody timed is local.
func TestPhases(t *testing.T) {
	one := openText(NewTop(5), "SELECT a FROM t", true)
	var c Clock
	if !one.Timed() {
		t.Fatal("the first statement is not timed")
	}
	c.Begin(true)
	*c.Spent(Server) += 6 * time.Second
	*c.Spent(Open) += time.Second
	c.End(one, 10*time.Second)
	one.Add(10*time.Second, true)
	if one.Timed() {
		t.Error("the second is")
	}
	if got, want := one.usage().Phases, [Phases]float64{Server: 0.6, Open: 0.1, Local: 0.3}; got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if c.On() || c.Spent(Send) != nil || !c.Start().IsZero() {
		t.Error("the clock goes on")
	}
}

// TestText: what of a template is shown, before and after the server has accepted it.
func TestText(t *testing.T) {
	protected := func(words map[string]bool) map[string]bool {
		if !words["person"] {
			return map[string]bool{}
		}
		return map[string]bool{"shop": true, "person": true, "name": true, "id": true}
	}
	builtIn := func(name string) bool { return name == "upper" }
	for _, c := range []struct{ text, before, after string }{
		{"SELECT name FROM person WHERE id = 7", "SELECT name FROM person WHERE id = ?", ""},
		{"SELECT secret FROM free WHERE a = 'x'", "SELECT n1 FROM n2 WHERE n3 = ?", "SELECT secret FROM free WHERE a = ?"},
		{"SELECT a AS secret FROM free", "SELECT n1 AS n2 FROM n3", "SELECT a AS n1 FROM free"},
		{"SELECT a AS a, f.b AS b FROM free AS f", "SELECT n1 AS n1, n2.n3 AS n3 FROM n4 AS n2", "SELECT a AS a, n1.b AS b FROM free AS n1"},
		{"SELECT UPPER(b), secret(b) FROM free", "SELECT UPPER(n1), n2(n1) FROM n3", "SELECT UPPER(b), n1(b) FROM free"},
		{"SELECT d.secret FROM (SELECT 1 AS secret) AS d", "SELECT n1.n2 FROM (SELECT ? AS n2) AS n1", ""},
		{"SET @secret = 'x', time_zone = 'secret'", "SET @? = ?, n1 = ?", ""},
		{"SET sql_mode = secret", "SET n1 = n2", ""},
		{"SELECT \"secret\", `secret` FROM person ORDER BY 1", "SELECT ?, n1 FROM person ORDER BY ?", "SELECT ?, `secret` FROM person ORDER BY ?"},
		{"INSERT INTO free (a, b) VALUES (1, 2.5e0), (3, x'00')", "", "INSERT INTO free (a, b) VALUES (?,?)..."},
		{"SELECT a FROM free WHERE a IN (1, 2, 3) /* secret */", "", "SELECT a FROM free WHERE a IN (?...)"},
		{"SELECT a FROM free JOIN other USING (b)", "", "SELECT a FROM free JOIN other USING (b)"},
		{"SELECT secret FROM free, JSON_TABLE(free.b, '$' COLUMNS (secret INT PATH '$')) j", "", "SELECT n1 FROM n2, JSON_TABLE(n2.n3, ? COLUMNS (n1 INT PATH ?)) n4"},
	} {
		one := openText(NewTop(5), c.text, true)
		names := Names{BuiltIn: builtIn, Protected: protected}
		if got := one.Text(names); c.before != "" && got != c.before {
			t.Errorf("%s, before:\n got %s\nwant %s", c.text, got, c.before)
		}
		one.Add(time.Second, true)
		want := c.after
		if want == "" {
			want = c.before
		}
		if got := one.Text(names); got != want {
			t.Errorf("%s, after:\n got %s\nwant %s", c.text, got, want)
		}
	}
}

// TestRefused: the last template of each code is kept.
func TestRefused(t *testing.T) {
	top := NewTop(5)
	a, b := openText(top, "SELECT a", true), openText(top, "SELECT b", true)
	var r Refused
	r.Note(2001, a)
	r.Note(2001, b)
	r.Note(2002, a)
	r.Note(2003, nil)
	if r.Last(2001) != b || r.Last(2002) != a || r.Last(2003) != nil || a.usage().Refused != 2 {
		t.Errorf("%v, %v, %v", r.Last(2001), r.Last(2002), r.Last(2003))
	}
	var none *Refused
	none.Note(2001, a)
	if none.Last(2001) != nil {
		t.Error("nothing keeps something")
	}
}

// TestHotPathDoesNotAllocate: counting a statement allocates nothing.
func TestHotPathDoesNotAllocate(t *testing.T) {
	one := openText(NewTop(5), "SELECT a FROM t", true)
	if n := testing.AllocsPerRun(100, func() { hotPath(one) }); n != 0 {
		t.Errorf("%v allocations a statement", n)
	}
}

// hotPath is what a statement pays.
func hotPath(one *Template) {
	var c Clock
	timed := one.Timed()
	c.Begin(timed)
	c.End(one, time.Millisecond)
	one.Add(time.Millisecond, true)
}

func BenchmarkHotPath(b *testing.B) {
	one := openText(NewTop(5), "SELECT a FROM t", true)
	b.ReportAllocs()
	for range b.N {
		hotPath(one)
	}
}

func BenchmarkHotPathParallel(b *testing.B) {
	one := openText(NewTop(5), "SELECT a FROM t", true)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			hotPath(one)
		}
	})
}
