package outline

import (
	_ "embed"
	"strings"

	"tunic/internal/sql/lex"
)

// keywordsText are the words that are not names to one of the servers, wherever they may stand:
// what MySQL and MariaDB list in information_schema.KEYWORDS, and the names of functions that
// are words of the grammar when a parenthesis follows (MySQL manual, "Function Name Parsing and
// Resolution"). TestOutlinePlaces of package sql finds what a server has beside them. A word that a server does
// not know does no harm here: whoever asks the server writes it as it is.
//
//go:embed keywords.txt
var keywordsText string

// Keywords are the words of keywords.txt, for who asks servers about them.
var Keywords = lex.NewWordSet(strings.Fields(keywordsText)...)
