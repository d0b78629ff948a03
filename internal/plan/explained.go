package plan

import (
	"slices"
	"strings"
	"unsafe"

	"tunic/internal/recipe"
)

// Explained is an EXPLAIN of a statement over a protected table: what the server is
// asked, and what tunic has to say itself. Like a Run it is data, without a value.
type Explained struct {
	// Run is how the statement would be carried out.
	Run *recipe.Run
	// Prefix stands before the stored statement (sql.Explained).
	Prefix string

	parts []part
	// blunt are the parts where a value has no token.
	blunt  []part
	advice []Advice
	// enough says that with all of the advice nothing would be left to do locally.
	enough bool
}

// part is a part of a statement: a condition, a key of ORDER BY, and who does it.
type part struct {
	clause, text string
	// remote says that the server does it.
	remote bool
	// how is what the server does it with, or why it does not.
	how string
}

// listed is a list in words.
func listed(all []string) string {
	if last := len(all) - 1; last > 0 {
		return strings.Join(all[:last], ", ") + " and " + all[last]
	}
	return strings.Join(all, "")
}

// size is about how much memory the plan takes, in bytes.
func (e *Explained) size() int64 {
	n := int64(unsafe.Sizeof(*e)) + e.Run.Size() + int64(cap(e.advice))*int64(unsafe.Sizeof(Advice{}))
	for _, p := range slices.Concat(e.parts, e.blunt) {
		n += int64(unsafe.Sizeof(p)) + int64(len(p.text)+len(p.how))
	}
	return n
}
