package examination

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/showcreate"
)

// BetweenSteps finds out which of the things found are what the steps of an encryption and of a
// decryption leave for the next one: keys aside, plain columns that were swapped, shadow columns that
// are invisible still, a fence that the mark does not know yet, what stands for columns of families and is not computed; and what was stored of columns that have become plain.
func BetweenSteps(t *catalog.Table, is, want *showcreate.Table, found []Mismatch) []Mismatch {
	for i := range found {
		m := &found[i]
		switch {
		case m.Of == "key" && m.Problem == Unknown && strings.HasPrefix(m.Name, catalog.KeyAsidePrefix),
			m.Of == "column" && m.Problem == Unknown && isAside(t, m.Name),
			m.Of == "column" && m.Problem == Different && (isInvisible(is, want, m.Name) || isSolid(t, is, m.Name)),
			m.Of == "column" && isFenceAhead(t, m.Name):
			m.Problem = Between
		}
	}
	return found
}

// isAside reports whether a stored column that the catalog does not know is one that was
// swapped, or a fence that was or is to be one.
func isAside(t *catalog.Table, name string) bool {
	if t.Bared && catalog.Reserved(name) && !catalog.IsFence(name) || strings.EqualFold(name, revision.BareFence) || strings.EqualFold(name, revision.LeftFence) {
		return true
	}
	return slices.ContainsFunc(t.Columns, func(c catalog.Column) bool {
		return c.Protected() && strings.EqualFold(name, catalog.AsideName(c.Name))
	})
}

// isSolid reports whether a stored column stands in the place of a column of a family, and has no value though it is not computed.
func isSolid(t *catalog.Table, is *showcreate.Table, name string) bool {
	at := is.Place(name)
	return at >= 0 && t.StoredColumn(name).Kind == catalog.StoredMember && showcreate.IsUnwritten(is.Columns[at].Text)
}

// isFenceAhead reports whether a stored column is the fence that a table without one is about to
// get. It is made before the mark says so (Definer.fence).
func isFenceAhead(t *catalog.Table, name string) bool {
	next := *t
	next.Fenced, next.Revision = true, t.Revision+1
	return !t.Fenced && name == next.Fence()
}

// isInvisible reports whether a stored column is what it is to be, but for being invisible and
// taking NULL.
func isInvisible(is, want *showcreate.Table, name string) bool {
	text := func(s *showcreate.Table) (string, bool) {
		at := s.Place(name)
		if at < 0 {
			return "", false
		}
		parts := showcreate.PartsOf(s.Columns[at].Text)
		words := slices.DeleteFunc(strings.Fields(alteration.PlainBody(s.Columns[at].Text)), func(w string) bool { return w == "/*!80023" || w == "*/" || w == "INVISIBLE" })
		body := strings.Join(words, " ")
		return strings.TrimSuffix(strings.TrimSuffix(body, " DEFAULT NULL"), " NOT NULL"), parts.Invisible
	}
	x, invisible := text(is)
	y, _ := text(want)
	return invisible && x == y
}
