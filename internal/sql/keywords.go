package sql

import (
	_ "embed"
	"strings"

	"tunic/internal/sql/lex"
)

// keywordsText are the words that are not names to one of the servers, wherever they may stand:
// what MySQL and MariaDB list in information_schema.KEYWORDS, and the names of functions that
// are words of the grammar when a parenthesis follows (MySQL manual, "Function Name Parsing and
// Resolution"). TestOutlinePlaces finds what a server has beside them. A word that a server does
// not know does no harm here: whoever asks the server writes it as it is.
//
//go:embed keywords.txt
var keywordsText string

var keywords = lex.NewWordSet(strings.Fields(keywordsText)...)
