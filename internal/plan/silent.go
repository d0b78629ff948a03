package plan

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

// mute takes out of a statement what decides nothing of how it is described:
// separators, which have no place either, and the paths into documents and into XML, UUIDs and
// JSON, as servers describe no statement with a text there that is none.
func mute(root ast.Statement, m sql.Modes) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		muteNode(n)
		if m&sql.MariaDB == 0 {
			muteDocuments(n)
		}
		return true, nil
	}, root)
}

func muteNode(n ast.Node) {
	switch n := n.(type) {
	case *ast.GroupConcatExpr:
		n.Separator = ""
	case *ast.JSONExtractExpr:
		mutePaths(n.PathList, wholeDocument)
	case *ast.JSONValueExpr:
		mutePath(&n.Path, wholeDocument)
	case *ast.JSONKeysExpr:
		mutePath(&n.Path, wholeDocument)
	case *ast.JSONAttributesExpr:
		mutePath(&n.Path, wholeDocument)
	case *ast.JSONContainsExpr:
		mutePaths(n.PathList, wholeDocument)
	case *ast.JSONContainsPathExpr:
		mutePaths(n.PathList, wholeDocument)
		mutePath(&n.OneOrAll, "one")
	case *ast.JSONRemoveExpr:
		mutePaths(n.PathList, "$.a") // the whole cannot be removed
	case *ast.JSONValueModifierExpr:
		for _, p := range n.Params {
			mutePath(&p.Key, wholeDocument)
		}
	case *ast.CastExpr:
		muteJSON(&n.Expr, n.Type)
	case *ast.ConvertExpr:
		muteJSON(&n.Expr, n.Type)
	case *ast.ExtractValueExpr:
		mutePath(&n.XPathExpr, anyElement)
	case *ast.UpdateXMLExpr:
		mutePath(&n.XPathExpr, anyElement)
	case *ast.FuncExpr:
		if as, ok := wellFormed[n.Name.Lowered()]; ok && len(n.Exprs) > 0 {
			mutePath(&n.Exprs[0], as)
		}
	}
}

// muteDocuments has literals that are read as documents be some. MySQL has an error of others;
// MariaDB has a warning, and describes a result by how long its document is.
func muteDocuments(n ast.Node) {
	switch n := n.(type) {
	case *ast.JSONExtractExpr:
		mutePath(&n.JSONDoc, emptyDocument)
	case *ast.JSONValueExpr:
		mutePath(&n.JSONDoc, emptyDocument)
	case *ast.JSONKeysExpr:
		mutePath(&n.JSONDoc, emptyDocument)
	case *ast.JSONAttributesExpr:
		mutePath(&n.JSONDoc, emptyDocument)
	case *ast.JSONContainsExpr:
		mutePath(&n.Target, emptyDocument)
		mutePath(&n.Candidate, emptyDocument)
	case *ast.JSONContainsPathExpr:
		mutePath(&n.JSONDoc, emptyDocument)
	case *ast.JSONRemoveExpr:
		mutePath(&n.JSONDoc, emptyDocument)
	case *ast.JSONValueModifierExpr:
		mutePath(&n.JSONDoc, emptyDocument)
	case *ast.JSONValueMergeExpr:
		mutePath(&n.JSONDoc, emptyDocument)
		mutePaths(n.JSONDocList, emptyDocument)
	case *ast.JSONSearchExpr:
		mutePath(&n.JSONDoc, emptyDocument)
		mutePath(&n.OneOrAll, "one")
		mutePaths(n.PathList, wholeDocument)
	case *ast.JSONOverlapsExpr:
		mutePath(&n.JSONDoc1, emptyDocument)
		mutePath(&n.JSONDoc2, emptyDocument)
	case *ast.JSONPrettyExpr:
		mutePath(&n.JSONVal, emptyDocument)
	case *ast.MemberOfExpr:
		mutePath(&n.JSONArr, emptyDocument)
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
		mutePath(e, emptyDocument)
	}
}

const (
	wholeDocument = "$" // the path that every document has
	emptyDocument = "{}"
	anyElement    = "a" // a path into XML
)

func mutePaths(list []ast.Expr, as string) {
	for i := range list {
		mutePath(&list[i], as)
	}
}

// mutePath puts another text into the place of a literal. A parameter stays: the
// server describes it too.
func mutePath(e *ast.Expr, as string) {
	if a, ok := (*e).(*ast.Argument); ok {
		if _, literal := sql.PlaceOf(a); literal {
			*e = &ast.Literal{Type: ast.StrVal, Val: as}
		}
	}
}

// silent refuses a statement of which more than its words would be described.
func silent(root ast.Statement) error {
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

// comments are where a statement has its comments: behind its first word.
func comments(root ast.Statement) **ast.ParsedComments {
	switch n := root.(type) {
	case *ast.Select:
		return &n.Comments
	case *ast.Insert:
		return &n.Comments
	case *ast.Update:
		return &n.Comments
	case *ast.Delete:
		return &n.Comments
	}
	return new(*ast.ParsedComments)
}

// hinted reports whether comments have something in them for the server.
func hinted(root ast.Statement) bool {
	for _, text := range (*comments(root)).GetComments() {
		if strings.HasPrefix(text, "/*+") || strings.HasPrefix(text, "/*!") || strings.HasPrefix(text, "/*M!") {
			return true
		}
	}
	return false
}
