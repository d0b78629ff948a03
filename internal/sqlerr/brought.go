package sqlerr

// Telling is what a layer tells the server.
type Telling uint8

// What layers tell.
const (
	TellsEqual Telling = iota
	TellsOrder
	TellsSteps
)

var tellings = [...]fact{
	TellsEqual: "which rows have the same value",
	TellsOrder: "the order of the values, and which of them are the same",
	TellsSteps: "which step of the order each value is in",
}

// Verdict is what is known of a column's values, or of its type, about a layer.
type Verdict uint8

// The verdicts.
const (
	VerdictNone      Verdict = iota // there are no values, or too few, and the type says nothing
	VerdictUnknown                  // nobody could look at the values
	VerdictFine                     // nothing speaks against the layer
	VerdictOnce                     // each value occurs once
	VerdictFew                      // there are few values
	VerdictDominated                // one has a large part of the rows
	VerdictDense                    // they fill their range
	VerdictTypeFew                  // the type has few values
	VerdictTypeDense                // values of the type fill their range
)

var verdicts = [...]fact{
	VerdictNone:      "there are too few values yet to judge by",
	VerdictUnknown:   "the values could not be looked at",
	VerdictFine:      "the values do not speak against it",
	VerdictOnce:      "each value is there once, so that how often it is says nothing",
	VerdictFew:       "the values speak against it: " + valuesFacts[ValuesFew],
	VerdictDominated: "the values speak against it: " + valuesFacts[ValuesDominated],
	VerdictDense:     "the values speak against it: " + valuesFacts[ValuesDense],
	VerdictTypeFew:   "the type speaks against it: it has few values, and how often each occurs would name them",
	VerdictTypeDense: "the type speaks against it: its values often fill their range, and their order would name them",
}

// AnnotationLost is the note of a definition after which the comment of a column does not say any more how it is protected;
// annotation is what it said.
func AnnotationLost(column, annotation string) *Error {
	return clientError(annotationLost, ident("column", column), ident("annotation", annotation))
}

// LayerBrought is the note of a definition that has given a column a layer; layer is its word.
func LayerBrought(column, layer string, tells Telling, verdict Verdict) *Error {
	return clientError(layerBrought, ident("column", column), ident("layer", layer), constant("told", tellings[tells]), constant("verdict", verdicts[verdict]))
}
