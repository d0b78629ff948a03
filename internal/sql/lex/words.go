package lex

// BeforeTemporal are the words that make a string the literal of a type; they
// take one string only, so that a second one is an alias.
var BeforeTemporal = NewWordSet("DATE", "TIME", "TIMESTAMP")

// Introducers are the character sets whose name, after a _, says the character
// set of the string that follows. After another word that begins with _ a
// string is an alias.
var Introducers = introducersOf()

func introducersOf() *WordSet {
	var names []string
	for name := range CharsetNames() {
		if name != "" {
			names = append(names, "_"+string(UpperInto(nil, []byte(name))))
		}
	}
	return NewWordSet(append(names, "_UCS2", "_UTF16", "_UTF16LE", "_UTF32", "_FILENAME")...)
}
