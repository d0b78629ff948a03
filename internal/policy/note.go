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
	// Family is the name of the family that the column is in, in lower case; "" if the note names none.
	Family string
	// Apart says that the column is sealed by itself.
	Apart bool
}

// Errors of what is said of a family.
var (
	ErrFamily      = errors.New("family takes one name, of letters, digits and _, and stands behind all other words; so does apart, without a name")
	ErrFamilyPlain = errors.New("a plain column is in no family, and not apart")
)

// familyWord stands before the name of a family, apartWord in the place of both.
const (
	familyWord = "family"
	apartWord  = "apart"
)

// parseNote reads what follows the mark: a protection, what family the column is in, or the one and behind it the other.
func parseNote(text string) (n Note, err error) {
	words := strings.Fields(strings.ToLower(text))
	at := slices.IndexFunc(words, func(w string) bool { return w == familyWord || w == apartWord })
	if at < 0 {
		n.Protection, err = Parse(text)
		return n, err
	}
	switch name := words[at+1:]; {
	case words[at] == apartWord && len(name) == 0:
		n.Apart = true
	case words[at] == familyWord && len(name) == 1 && isFamilyName(name[0]):
		n.Family = name[0]
	default:
		return Note{}, ErrFamily
	}
	if n.Silent = at == 0; n.Silent {
		return n, nil
	}
	if n.Protection, err = Parse(strings.Join(words[:at], " ")); err != nil {
		return Note{}, err
	}
	if !n.Protection.Protected {
		return Note{}, ErrFamilyPlain
	}
	return n, nil
}

// isFamilyName reports whether a name is of letters, digits and _ alone: the stored column's name is made of it.
func isFamilyName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(c rune) bool { return c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') })
}

// String is the note as an annotation has it behind its mark.
func (n Note) String() string {
	var words []string
	if !n.Silent {
		words = append(words, n.Protection.String())
	}
	switch {
	case n.Apart:
		words = append(words, apartWord)
	case n.Family != "":
		words = append(words, familyWord, n.Family)
	}
	return strings.Join(words, " ")
}
