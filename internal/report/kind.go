package report

import (
	"errors"
	"slices"
	"strings"

	"tunic/internal/policy"
)

// Kind is what sort of decision is wanted. The names are for `--accept` and for programs.
type Kind string

// The kinds, in the order in which they are listed.
const (
	Unencrypted Kind = "plain-copy"      // values are in the clear beside their sealed forms
	NotPlain    Kind = "plain-column"    // a rule or annotation protects it, and it is plain
	Changed     Kind = "changed"         // a stored table is not as the catalog says
	Unopened    Kind = "unopened"        // a value of the sample does not open
	Stranger    Kind = "unknown-table"   // a table has tunic's mark and is not in the catalog
	Weaker      Kind = "above-policy"    // a column may have more than the policy allows by now
	Readable    Kind = "readable-layer"  // the values or the type speak against a layer
	Unasked     Kind = "unasked-layer"   // nothing asks for a layer
	NoCheck     Kind = "no-check"        // no CHECK refuses values in the clear
	Leftover    Kind = "leftover-column" // a stored column belongs to nothing
	Stopped     Kind = "stopped-job"     // a job has failed, or is paused
	Moving      Kind = "changing"        // the table was being changed
	OpenLink    Kind = "connection"      // somebody in between could read along
	KeepsText   Kind = "log"             // a log keeps the literals of statements
)

// kinds are all of them.
var kinds = []Kind{Unencrypted, NotPlain, Changed, Unopened, Stranger, Weaker, Readable, Unasked, NoCheck, Leftover, Stopped, Moving, OpenLink, KeepsText}

// titles are what the kinds are about, for people.
var titles = map[Kind]string{
	Unencrypted: "values in the clear beside their sealed forms", NotPlain: "plain columns that are to be protected", Changed: "stored tables that are not as the catalog says",
	Unopened: "values that do not open", Stranger: "tables with tunic's mark that the catalog does not know", Weaker: "columns that may have more than the policy allows by now",
	Readable: "layers that can be read", Unasked: "layers that nothing asks for", NoCheck: "tables without the CHECK that refuses values in the clear",
	Leftover: "stored columns that belong to nothing", Stopped: "jobs that have stopped", Moving: "tables that were being changed", OpenLink: "connections that somebody could read along",
	KeepsText: "logs that keep literals",
}

// Title is what the kind is about, for people.
func (k Kind) Title() string { return titles[k] }

// ErrKind says that something is accepted that is no kind of decision.
var ErrKind = errors.New("no kind of decision")

// Accept is a list of what has been decided: each a kind, or a kind and a pattern of objects, in which *
// stands for any characters, as readable-layer:shop.*.
type Accept []string

// Check is ErrKind if there is no such kind.
func (a Accept) Check() error {
	for _, one := range a {
		kind, _, _ := strings.Cut(one, ":")
		if !slices.Contains(kinds, Kind(kind)) {
			return ErrKind
		}
	}
	return nil
}

// has reports whether a decision is on the list.
func (a Accept) has(d *Decision) bool {
	return slices.ContainsFunc(a, func(one string) bool {
		kind, objects, some := strings.Cut(one, ":")
		return Kind(kind) == d.Kind && (!some || policy.Glob(objects, d.Object))
	})
}

// KindNames are the names of all kinds.
func KindNames() []string {
	var all []string
	for _, k := range kinds {
		all = append(all, string(k))
	}
	return all
}
