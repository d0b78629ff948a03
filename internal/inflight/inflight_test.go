package inflight

import (
	"testing"

	"tunic/internal/catalog"
)

// text is a plan that holds by no newer catalog if it says so.
type text string

func outlived(p *text, _ *catalog.Catalog) bool { return *p == "names it" }

// TestStatement: a statement is behind a version if it was planned before, and the plan would be another one by now, or is
// not known yet; and none is that has ended.
func TestStatement(t *testing.T) {
	names, others := text("names it"), text("names others")
	for _, c := range []struct {
		name   string
		do     func(*Statement[text])
		behind bool
	}{
		{"none", func(*Statement[text]) {}, false},
		{"not planned", func(s *Statement[text]) { s.Begin(4) }, true},
		{"planned before", func(s *Statement[text]) { s.Begin(4); s.IsFor(&names) }, true},
		{"planned before, of something else", func(s *Statement[text]) { s.Begin(4); s.IsFor(&others) }, false},
		{"planned by it", func(s *Statement[text]) { s.Begin(5); s.IsFor(&names) }, false},
		{"planned by the first version", func(s *Statement[text]) { s.Begin(0); s.IsFor(&names) }, true},
		{"answered", func(s *Statement[text]) { s.Begin(4); s.IsFor(&names); s.End() }, false},
		{"planned anew", func(s *Statement[text]) { s.Begin(4); s.IsFor(&names); s.Begin(5) }, false},
		{"the next of one that was of something else", func(s *Statement[text]) { s.Begin(4); s.IsFor(&others); s.End(); s.Begin(4) }, true},
	} {
		s := New(outlived)
		c.do(s)
		if _, behind := s.Behind(5, nil); behind != c.behind {
			t.Errorf("%s: behind is %t", c.name, behind)
		}
		s.GoesOver(7)
		left := s.Left()
		s.End()
		if left == nil {
			if c.behind {
				t.Errorf("%s: nothing is left", c.name)
			}
			continue
		}
		if left.Connection() != 7 {
			t.Errorf("%s: what is left goes over connection %d", c.name, left.Connection())
		}
		if _, behind := left.Behind(5, nil); behind != c.behind {
			t.Errorf("%s: what is left is behind %t", c.name, behind)
		}
	}
}

// cut is somebody who was cut off, with whom the server has done after some looks.
type cut struct {
	*Statement[text]
	looks, closed int
}

func (c *cut) Over() bool { c.looks--; return c.looks < 0 }
func (c *cut) Close()     { c.closed++ }

// TestRegistry: the oldest statement that is behind is told, of clients and of those cut off, until they are no more.
func TestRegistry(t *testing.T) {
	var r Registry
	names := text("names it")
	one, other := New(outlived), New(outlived)
	r.Enter(one)
	r.Enter(other)
	one.Begin(3)
	one.IsFor(&names)
	other.Begin(4)
	other.IsFor(&names)
	const version = 7
	one.GoesOver(11)
	other.GoesOver(12)
	if got := r.Connections(version, nil); len(got) != 2 || got[0]+got[1] != 11+12 {
		t.Errorf("statements are behind on connections %d", got)
	}
	if got := r.Connections(3, nil); len(got) != 0 {
		t.Errorf("and none is behind an older version: %d", got)
	}
	is := func(what string, want uint64) {
		t.Helper()
		if got := r.Oldest(version, nil); got != want {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
	is("two", 3)
	one.End()
	is("one", 4)
	gone := &cut{Statement: New(outlived), looks: 2}
	gone.Begin(2)
	r.Leave(one, gone)
	is("one and one cut off", 2)
	is("the same", 2)
	is("it has ended", 4)
	r.Leave(other, nil)
	is("none", version)
	if gone.closed != 1 {
		t.Errorf("closed %d times", gone.closed)
	}
}

// TestRegistryClosed: at the end it is known whether the server may still be doing something.
func TestRegistryClosed(t *testing.T) {
	for looks, want := range map[int]bool{0: false, 1 << 30: true} {
		var r Registry
		c := &cut{Statement: New(outlived), looks: looks}
		r.Leave(nil, c)
		if left := r.Close(0, func() {}); left != want || c.closed != 1 {
			t.Errorf("left is %t; closed %d times", left, c.closed)
		}
		if r.Close(0, func() {}) {
			t.Error("something is left of nothing")
		}
	}
}
