package policy

import (
	"errors"
	"slices"
	"strings"
)

// Note is what an annotation says of a column.
type Note struct {
	// Protection is that of the column, unless the note is Silent about it: then it is as if there were none.
	Protection Protection
	Silent     bool
	// Family is the name of the family that the column is in, in lower case; "" if it is to be sealed by itself.
	Family string
}

// Errors of what an annotation says of a family.
var (
	ErrFamily      = errors.New("family takes one name, of letters, digits and _, and stands behind all other words")
	ErrFamilyPlain = errors.New("a plain column is in no family")
)

// familyWord stands before the name of a family.
const familyWord = "family"

// parseNote reads what follows the mark: a protection, a family, or the one and behind it the other.
func parseNote(text string) (n Note, err error) {
	words := strings.Fields(strings.ToLower(text))
	at := slices.Index(words, familyWord)
	if at < 0 {
		n.Protection, err = Parse(text)
		return n, err
	}
	if name := words[at+1:]; len(name) != 1 || !isFamilyName(name[0]) {
		return Note{}, ErrFamily
	}
	if n.Silent = at == 0; !n.Silent {
		if n.Protection, err = Parse(strings.Join(words[:at], " ")); err != nil {
			return Note{}, err
		}
		if !n.Protection.Protected {
			return Note{}, ErrFamilyPlain
		}
	}
	n.Family = words[at+1]
	return n, nil
}

// isFamilyName reports whether a name is of letters, digits and _ alone: the stored column's name is made of it.
func isFamilyName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(c rune) bool { return c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') })
}

// String is the note as an annotation has it behind its mark.
func (n Note) String() string {
	switch {
	case n.Family == "":
		return n.Protection.String()
	case n.Silent:
		return familyWord + " " + n.Family
	}
	return n.Protection.String() + " " + familyWord + " " + n.Family
}
