package twin

import (
	"strings"
	"unicode/utf8"

	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// What is described over the twin has the words of the client's statement, and
// nothing else of it: every literal is a place, and filled with another one. A literal
// that is part of the statement's form has no place, and a statement with one is not
// described: behind a hint, in what a word makes one of a number or a string (TRIM,
// EXTRACT, CHAR … USING), and wherever else the template keeps one.

// Mute takes out of a statement what decides nothing of how it is described:
// separators, which have no place either, and the paths into documents and into XML, UUIDs and
// JSON, as servers describe no statement with a text there that is none.
func Mute(root ast.Statement, m sql.Modes) {
	texts := muting{documents: m&sql.MariaDB == 0}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		texts.node(n)
		return true, nil
	}, root)
}

// muting takes texts out of calls. With documents, literals that are read as documents become some:
// MySQL has an error of others; MariaDB has a warning, and describes a result by how long its document is.
type muting struct{ documents bool }

func (m muting) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.GroupConcatExpr:
		n.Separator = ""
	case *ast.CastExpr:
		muteJSON(&n.Expr, n.Type)
	case *ast.ConvertExpr:
		muteJSON(&n.Expr, n.Type)
	case *ast.ExtractValueExpr:
		muteText(&n.XPathExpr, anyElement)
	case *ast.UpdateXMLExpr:
		muteText(&n.XPathExpr, anyElement)
	case *ast.FuncExpr:
		if as, ok := wellFormed[n.Name.Lowered()]; ok && len(n.Exprs) > 0 {
			muteText(&n.Exprs[0], as)
		}
	default:
		m.json(n)
	}
}

// json mutes what the functions of JSON read.
func (m muting) json(n ast.Node) {
	switch n := n.(type) {
	case *ast.JSONExtractExpr:
		m.document(&n.JSONDoc)
		mutePaths(n.PathList)
	case *ast.JSONValueExpr:
		m.document(&n.JSONDoc)
		muteText(&n.Path, wholeDocument)
	case *ast.JSONKeysExpr:
		m.document(&n.JSONDoc)
		muteText(&n.Path, wholeDocument)
	case *ast.JSONAttributesExpr:
		m.document(&n.JSONDoc)
		muteText(&n.Path, wholeDocument)
	case *ast.JSONContainsExpr:
		m.document(&n.Target, &n.Candidate)
		mutePaths(n.PathList)
	case *ast.JSONContainsPathExpr:
		m.document(&n.JSONDoc)
		muteText(&n.OneOrAll, "one")
		mutePaths(n.PathList)
	case *ast.JSONSearchExpr:
		m.document(&n.JSONDoc)
		muteText(&n.OneOrAll, "one")
		mutePaths(n.PathList)
	case *ast.JSONRemoveExpr:
		m.document(&n.JSONDoc)
		muteTexts(n.PathList, "$.a") // the whole cannot be removed
	case *ast.JSONValueModifierExpr:
		m.document(&n.JSONDoc)
		for _, p := range n.Params {
			muteText(&p.Key, wholeDocument)
		}
	case *ast.JSONValueMergeExpr:
		m.document(&n.JSONDoc)
		for i := range n.JSONDocList {
			m.document(&n.JSONDocList[i])
		}
	case *ast.JSONOverlapsExpr:
		m.document(&n.JSONDoc1, &n.JSONDoc2)
	case *ast.JSONPrettyExpr:
		m.document(&n.JSONVal)
	case *ast.MemberOfExpr:
		m.document(&n.JSONArr)
	}
}

// document has literals that are read as documents be some, where they have to be.
func (m muting) document(all ...*ast.Expr) {
	if !m.documents {
		return
	}
	for _, e := range all {
		muteText(e, emptyDocument)
	}
}

// wellFormed are operands that the functions take: of others MySQL has an error in every
// sql_mode, which it raises when it prepares a statement.
var wellFormed = map[string]string{
	"uuid_to_bin": "00000000-0000-0000-0000-000000000000",
	"bin_to_uuid": "0000000000000000",
}

// muteJSON has a text that becomes a document be one.
func muteJSON(e *ast.Expr, to *ast.ConvertType) {
	if strings.EqualFold(to.Type, "json") {
		muteText(e, emptyDocument)
	}
}

const (
	wholeDocument = "$" // the path that every document has
	emptyDocument = "{}"
	anyElement    = "a" // a path into XML
)

func mutePaths(list []ast.Expr) { muteTexts(list, wholeDocument) }

func muteTexts(list []ast.Expr, as string) {
	for i := range list {
		muteText(&list[i], as)
	}
}

// muteText puts another text into the place of a literal. A parameter stays: the
// server describes it too.
func muteText(e *ast.Expr, as string) {
	if a, ok := (*e).(*ast.Argument); ok {
		if _, literal := sql.PlaceOf(a); literal {
			*e = &ast.Literal{Type: ast.StrVal, Val: as}
		}
	}
}

// Silent refuses a statement of which more than its words would be described.
func Silent(root ast.Statement) error {
	said := positions(root)
	return ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.Literal:
			if !said[n] {
				return false, &resolve.Beyond{What: "a literal in this place"}
			}
		}
		return true, nil
	}, root)
}

// positions are the numbers of columns by which a statement sorts or groups, those of
// LIMIT, and the character that escapes in a pattern.
func positions(root ast.Statement) map[*ast.Literal]bool {
	said := map[*ast.Literal]bool{}
	number := func(e ast.Expr) {
		if l, ok := e.(*ast.Literal); ok && l.Type == ast.IntVal {
			said[l] = true
		}
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ComparisonExpr:
			if l, ok := n.Escape.(*ast.Literal); ok && utf8.RuneCountInString(l.Val) <= 1 {
				said[l] = true
			}
		case *ast.Order:
			number(n.Expr)
		case *ast.GroupBy:
			for _, e := range n.Exprs {
				number(e)
			}
		case *ast.Limit:
			number(n.Offset)
			number(n.Rowcount)
		}
		return true, nil
	}, root)
	return said
}
