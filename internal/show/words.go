package show

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"strconv"

	"tunic/internal/wire"
)

// wordKind is what a word stands for.
type wordKind uint8

const (
	defaultWord wordKind = iota // COLUMN_DEFAULT
	typeWord                    // COLUMN_TYPE with labels
	commentWord                 // COLUMN_COMMENT
	tableWord                   // TABLE_COMMENT
)

// words stand, in what the server computes, for texts that it is not to know. Equal
// texts have the same word.
type words struct {
	kinds [4]map[string]string // word by text
	texts map[string]string    // text by word
}

func newWords() *words {
	w := &words{texts: map[string]string{}}
	for i := range w.kinds {
		w.kinds[i] = map[string]string{}
	}
	return w
}

// wordPrefix begins all words of this process: nobody has it by chance.
var wordPrefix = func() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return "tunic:" + hex.EncodeToString(b[:]) + ":"
}()

// text is the literal that stands for a text. The empty one is no secret: that there
// is none is known.
func (w *words) text(kind wordKind, text string) string {
	if text == "" {
		return "''"
	}
	word, ok := w.kinds[kind][text]
	if !ok {
		word = wordPrefix + strconv.Itoa(len(w.texts))
		if kind == typeWord {
			word = text[:slices.Index([]byte(text), '(')] + "('" + word + "')" // as long as servers tell types
		}
		w.kinds[kind][text] = word
		w.texts[word] = text
	}
	return "_utf8mb4 X'" + hex.EncodeToString([]byte(word)) + "'"
}

// replace puts the texts in the place of words.
func (w *words) replace(cells []wire.Cell, c Charset) {
	if len(w.texts) == 0 {
		return
	}
	for i := range cells {
		if text, ok := w.texts[string(cells[i].Bytes)]; ok && !cells[i].Null {
			cells[i].Bytes = c.Encode(text)
		}
	}
}
