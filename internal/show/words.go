package show

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/wire"
)

// wordKind is what a word stands for.
type wordKind uint8

const (
	defaultWord   wordKind = iota // COLUMN_DEFAULT
	typeWord                      // COLUMN_TYPE with labels
	commentWord                   // COLUMN_COMMENT
	tableWord                     // TABLE_COMMENT
	viewWord                      // VIEW_DEFINITION
	generatedWord                 // GENERATION_EXPRESSION
	checkWord                     // CHECK_CLAUSE
	reasonWord                    // why a job was asked for
	whyWord                       // why a layer is advised, or is not

	wordKinds = iota
)

// words stand, in what the server computes, for texts that it is not to know. They
// are made for one statement, and each stands for one text of one thing, so that
// nothing can be learned of two of them: not whether the texts are equal, and nothing
// by writing them into another statement.
type words struct {
	prefix string
	kinds  [wordKinds][]word
	made   map[wordOf]string // words by what they are of
	texts  map[string]string // texts by word
}

// word is a text and what stands for it.
type word struct{ text, word string }

// wordOf is what a word is of: a column, or a table, where the column is "".
type wordOf struct {
	kind   wordKind
	table  catalog.ID
	column string
}

func newWords() *words {
	var random [12]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the program instead
	return &words{
		prefix: "tunic:" + hex.EncodeToString(random[:]) + ":",
		made:   map[wordOf]string{}, texts: map[string]string{},
	}
}

// text is the literal that stands for a text. The empty one is no secret: that there
// is none is known.
func (w *words) text(of wordOf, text string) string {
	if text == "" {
		return "''"
	}
	made, ok := w.made[of]
	if !ok {
		made = w.prefix + strconv.Itoa(len(w.texts))
		if of.kind == typeWord {
			name, _, _ := strings.Cut(text, "(")
			made = name + "('" + made + "')"
		}
		w.made[of], w.texts[made] = made, text
		w.kinds[of.kind] = append(w.kinds[of.kind], word{text, made})
	}
	return "'" + strings.ReplaceAll(made, "'", "''") + "'" // of the collation that other literals have
}

// replace puts a text in the place of a word.
func (w *words) replace(cell *wire.Cell, c Charset) {
	if text, ok := w.texts[string(cell.Bytes)]; ok && !cell.Null {
		cell.Bytes = c.Encode(text)
	}
}
