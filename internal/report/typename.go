package report

import "strings"

// typeWords is a type as the server writes it, without the labels of ENUM and SET: they are values.
func typeWords(typ string) string {
	for _, kind := range []string{"enum(", "set("} {
		if len(typ) >= len(kind) && strings.EqualFold(typ[:len(kind)], kind) {
			return strings.ToLower(kind[:len(kind)-1]) + " of " + count(labels(typ[len(kind):]), "label", "labels")
		}
	}
	return typ
}

// labels counts the strings in a list of labels, in which a quote is doubled.
func labels(list string) (n int) {
	quoted := false
	for i := 0; i < len(list); i++ {
		switch {
		case list[i] != '\'':
		case quoted && i+1 < len(list) && list[i+1] == '\'':
			i++
		default:
			if quoted = !quoted; quoted {
				n++
			}
		}
	}
	return n
}
