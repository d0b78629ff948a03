package statements

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/sql"
)

// Text is a statement that PREPARE has named and that the server does not have: its
// text speaks of protected tables. It is planned anew each time that it is executed.
type Text struct {
	Text   []byte
	Params int
	In     In
	binding.PriorTypes
}

// AtServer is what is kept of a statement that PREPARE has named and that the server has.
type AtServer struct {
	Asks  []byte     // its text, if it asks about the statement before it
	Plan  *plan.Plan // of the text; nil where in doubt
	Kills uint64     // the connection of the KILL QUERY that it is; 0 if it is none

	clients *plan.Plan // of the client's own text, where another one may be in its place
}

// asPrepared is the plan of the client's own text, also where another one may be in its place; nil where it is not known.
func (st AtServer) asPrepared() *plan.Plan { return cmp.Or(st.Plan, st.clients) }

// MayLock reports whether it may lock tables for the session, or run a program, which may.
func (st AtServer) MayLock() bool { return st.Plan == nil || st.Plan.MayLock() }

// NamedMax bounds the statements of PREPARE that are known by their names.
const NamedMax = 4096

// Named are the statements of one client that PREPARE has named.
type Named struct {
	texts    map[string]*Text
	atServer map[string]AtServer
	// versions are those of the catalog when a statement was prepared at the server.
	versions map[string]uint64
	// none are names of which the server has no statement.
	none map[string]struct{}
}

// Among the names of statements these stand for those that a program may have prepared, and for those of the client's that are not
// kept.
const (
	unknown   = ""
	forgotten = "\x00"
)

// Texts is how many the server does not have.
func (n *Named) Texts() int { return len(n.texts) }

// Text is one that the server does not have; nil if there is none of this name.
func (n *Named) Text(name string) *Text { return n.texts[strings.ToLower(name)] }

// KeepText keeps one that the server does not have.
func (n *Named) KeepText(name string, t *Text) {
	if n.texts == nil {
		n.texts = map[string]*Text{}
	}
	n.texts[strings.ToLower(name)] = t
}

// Forget forgets the one of a name, and reports whether the server may have one.
func (n *Named) Forget(name string) (mayBeAtServer bool) {
	name = strings.ToLower(name)
	_, known := n.versions[name]
	_, any := n.versions[unknown]
	delete(n.texts, name)
	delete(n.atServer, name)
	delete(n.versions, name)
	return known || any
}

// ForgetText forgets one that the server does not have.
func (n *Named) ForgetText(name string) { delete(n.texts, strings.ToLower(name)) }

// AtServer is what is known of one that the server has.
func (n *Named) AtServer(name string) (st AtServer, known bool) {
	st, known = n.atServer[strings.ToLower(name)]
	return st, known
}

// IsFull reports whether no more are kept that the server has.
func (n *Named) IsFull() bool { return len(n.atServer) >= NamedMax }

// KeepAtServer keeps one that the server has; of one of many it is not known.
func (n *Named) KeepAtServer(name string, st AtServer) {
	switch {
	case n.atServer == nil:
		n.atServer = map[string]AtServer{}
	case n.IsFull():
		return
	}
	n.atServer[strings.ToLower(name)] = st
}

// Doubt is after what may have been a program of the server's: it may have prepared other
// statements under the same names.
func (n *Named) Doubt() {
	clear(n.none)
	for name, st := range n.atServer {
		st.clients = st.asPrepared()
		st.Plan, st.Kills = nil, 0
		n.atServer[name] = st
	}
}

// Prepare notes the version of the catalog by which statements were planned that PREPARE
// has made at the server, in place of what was known by their names. If there are too many to be kept, they are all taken to be as old as the
// oldest.
func (n *Named) Prepare(p *plan.Plan, version uint64) {
	for i := range p.Statements {
		st := &p.Statements[i]
		if st.Kind != sql.Prepare {
			continue
		}
		switch {
		case n.versions == nil:
			n.versions = map[string]uint64{}
		case len(n.versions) > NamedMax:
			oldest := n.oldest()
			n.versions = map[string]uint64{unknown: oldest, forgotten: oldest}
		}
		name := strings.ToLower(st.Effects.Prepared)
		delete(n.atServer, name)
		delete(n.none, name)
		n.versions[name] = version
	}
}

// oldest is the version of the statement that was prepared first.
func (n *Named) oldest() uint64 { return slices.Min(slices.Collect(maps.Values(n.versions))) }

// MayHave notes that a program may have prepared statements by a version of the catalog, under names that nobody else knows.
func (n *Named) MayHave(version uint64) {
	if before, known := n.versions[unknown]; known && (before == Outdated || before <= version) {
		return
	}
	if n.versions == nil {
		n.versions = map[string]uint64{}
	}
	n.versions[unknown] = version
}

// KeepNone notes that the server has no statement of a name, until something prepares one.
func (n *Named) KeepNone(name string) {
	switch {
	case n.none == nil:
		n.none = map[string]struct{}{}
	case len(n.none) >= NamedMax:
		return
	}
	n.none[strings.ToLower(name)] = struct{}{}
}

// IsNone reports whether the server is known to have no statement of a name.
func (n *Named) IsNone(name string) bool {
	_, none := n.none[strings.ToLower(name)]
	return none
}

// AnyAtServer reports whether the server may have one.
func (n *Named) AnyAtServer() bool { return len(n.versions) > 0 }

// Outlived reports whether a plan is to execute a statement that was prepared, by
// PREPARE, by another catalog than that of now, and that may come to a table that is protected since.
//
// What is behind an EXECUTE in the same text is not read; it may be another. A program may execute any.
func (n *Named) Outlived(p *plan.Plan, now *catalog.Catalog) bool {
	if !n.AnyAtServer() {
		return false
	}
	for i := range p.Statements {
		switch st := &p.Statements[i]; st.Kind {
		case sql.Execute:
			name := strings.ToLower(st.Effects.Prepared)
			if n.isOutlived(name, now) || n.mayRunProgram(name) && n.isClientsOutlived(now) {
				return true
			}
		case sql.Unknown:
			if n.oldest() != now.Version {
				return true
			}
		default:
			if st.MayPrepare() && n.isClientsOutlived(now) {
				return true
			}
		}
	}
	return false
}

// isOutlived is Outlived of the statement of a name.
func (n *Named) isOutlived(name string, now *catalog.Catalog) bool {
	version, known := n.versions[name]
	if !known && !n.IsNone(name) {
		version, known = n.versions[unknown]
	}
	return known && isOutlivedBy(n.atServer[name].Plan, version, now)
}

// isOutlivedBy is Outlived of a statement that was prepared by a version of the catalog; nil is one of which the plan is not known.
func isOutlivedBy(of *plan.Plan, version uint64, now *catalog.Catalog) bool {
	return version != now.Version && (version == Outdated || of == nil || of.Outlived(now))
}

// mayRunProgram reports whether the statement of a name may run a program.
func (n *Named) mayRunProgram(name string) bool {
	of := n.atServer[name].asPrepared()
	return of != nil && slices.ContainsFunc(of.Statements, plan.Statement.MayPrepare)
}

// isClientsOutlived is Outlived of any that the client has prepared itself: a program may execute it. What programs have prepared,
// programs may not execute once a table is protected (package migrate).
func (n *Named) isClientsOutlived(now *catalog.Catalog) bool {
	for name, version := range n.versions {
		if name != unknown && isOutlivedBy(n.atServer[name].asPrepared(), version, now) {
			return true
		}
	}
	return false
}

// Outdate has none be executed by the server any more: what they name may have to be protected by now.
func (n *Named) Outdate() {
	for name := range n.versions {
		n.versions[name] = Outdated
	}
}

// Clear forgets them all.
func (n *Named) Clear() {
	clear(n.texts)
	clear(n.atServer)
	clear(n.versions)
	clear(n.none)
}
