package plan

import (
	"bytes"

	"tunic/internal/plan/shape"
	"tunic/internal/policy"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// defines are the kinds of statements that make, change or drop a table or a
// schema. What they come to is for the policy to say, so all of them are carried
// out by the room ddl, those that name nothing protected included.
var defines = map[sql.Kind]bool{
	sql.CreateTable: true, sql.AlterTable: true, sql.DropTable: true, sql.RenameTable: true, sql.TruncateTable: true,
	sql.CreateIndex: true, sql.DropIndex: true, sql.CreateDatabase: true, sql.AlterDatabase: true, sql.DropDatabase: true,
	sql.CreateSequence: true, sql.AlterSequence: true, sql.DropSequence: true,
}

// definesView are the kinds of statements that make or change a view.
var definesView = map[sql.Kind]bool{sql.CreateView: true, sql.AlterView: true}

// define plans a text with a definition, if there is a catalog that it might
// change, and reports whether it has. A definition that cannot be read is one of
// nothing protected for sure only if it names none of it and nothing in it speaks to
// tunic; then the policy decides whether it may pass.
func (k *knowledge) define(p *Plan, read []sql.Statement, text []byte, m sql.Modes) bool {
	if k.catalog == nil {
		return k.names.Empty() && refuseAnnotations(p, read, text, m)
	}
	forward := p.forward()
	for i := range read {
		s := &read[i]
		switch {
		case runsDefinition(s):
			p.refuse(sqlerr.StatementRefused("a definition in a statement that is prepared from text"))
			return true
		case definesView[s.Kind] && len(read) == 1 && k.defineView(p, s, m):
			return true
		case s.Kind == sql.DropView && len(read) == 1 && s.Mentions(k.names.Protected):
			k.defineOne(p, s, text)
			return true
		case mayDefine(s) && annotates(s, text):
			p.refuse(sqlerr.StatementRefused("a program that defines tables with annotations"))
			return true
		case !defines[s.Kind]:
			forward.MayDefine = forward.MayDefine || s.Kind.IsProgram() && s.Mentions(isDefining(s.Kind))
		case len(read) > 1:
			p.refuse(sqlerr.StatementRefused(s.Kind.String() + " beside other statements"))
			return true
		case ofSequence[s.Kind]:
			k.defineSequence(p, s, text, m)
			return true
		default:
			k.defineOne(p, s, text)
			if d, ok := p.Action.(*Define); ok && makesOfQuery(d.Statement) {
				d.Made, p.OfSchema = k.made(s, m), true
			}
			return true
		}
	}
	return false
}

// refuseAnnotations refuses an annotation at a tunic without a catalog: its table would be
// plain. What a variable has that a statement is prepared from is looked at then.
func refuseAnnotations(p *Plan, read []sql.Statement, text []byte, m sql.Modes) bool {
	for i := range read {
		s := &read[i]
		prepares := s.Kind == sql.Prepare || s.Kind == sql.ExecuteImmediate
		switch {
		case prepares && preparesUnseen(p, s, text, m, len(read) == 1):
			return true
		case (s.Kind == sql.SetStatement || s.Kind == sql.Compound) && s.Mentions(isPreparing) && mayPutTogether(s, text, m):
			p.refuse(sqlerr.StatementUnkeyed("a statement from text in another one"))
			return true
		case (defines[s.Kind] || prepares || mayDefine(s)) && annotates(s, text):
			p.refuse(sqlerr.StatementUnkeyed("a definition with an annotation"))
			return true
		}
	}
	return false
}

// preparesUnseen plans a statement that is prepared from a text which is not there to be looked at; it
// reports false for one from a string. alone says that there are no other statements beside it.
func preparesUnseen(p *Plan, s *sql.Statement, text []byte, m sql.Modes, alone bool) bool {
	t, textual := s.Textual()
	switch {
	case !textual && m&sql.MariaDB != 0 && mayPutTogether(s, text, m): // the others take no expressions
		p.refuse(sqlerr.StatementUnkeyed("a statement that is prepared from an expression"))
	case t.Variable == "":
		return false
	case alone:
		p.Action = &ByName{t}
	default:
		p.refuse(sqlerr.StatementUnread())
	}
	return true
}

// mayPutTogether reports whether an annotation may come of an expression: of a variable, or of its
// strings one behind the other.
func mayPutTogether(s *sql.Statement, text []byte, m sql.Modes) bool {
	var together []byte
	read := s.EachString(func(value string) { together = append(together, value...) })
	variables, more := sql.UserVariables(text, m)
	return !read || len(variables) > 0 || more || policy.MayAnnotate(together)
}

// mayDefine reports whether a statement is a program that may define a table, or may have
// a definition in it.
func mayDefine(s *sql.Statement) bool {
	return (s.Kind.IsProgram() || s.Kind == sql.SetStatement || s.Kind == sql.Unknown) && s.Mentions(isDefining(s.Kind))
}

// annotates reports whether a statement may have an annotation in it; text is what it is in.
func annotates(s *sql.Statement, text []byte) (found bool) {
	if !policy.MayAnnotate(text) {
		return false
	}
	read := s.EachString(func(value string) {
		_, annotated, err := policy.Annotation(value)
		found = found || annotated || err != nil
	})
	return found || !read
}

// isDefining says of which words one is enough for a program to define a table, or to run
// a statement from text, which may be anything. In functions and triggers servers take no
// statements from text (MySQL manual, "Restrictions on Stored Programs").
func isDefining(k sql.Kind) func(word []byte) bool {
	fromText := k != sql.CreateFunction && k != sql.CreateTrigger
	return func(word []byte) bool {
		return bytes.EqualFold(word, []byte("TABLE")) || fromText && isPreparing(word)
	}
}

// isPreparing reports whether a word is one without which no statement is run from text.
func isPreparing(word []byte) bool {
	return bytes.EqualFold(word, []byte("PREPARE")) || bytes.EqualFold(word, []byte("IMMEDIATE"))
}

// makesOfQuery reports whether a definition is a CREATE TABLE … SELECT.
func makesOfQuery(statement ast.Statement) bool {
	n, ok := statement.(*ast.CreateTable)
	return ok && n.Select != nil
}

// defineOne plans a definition. If it names nothing protected, the plan says of which
// tables it is; MayDefine says that it may be of others.
func (k *knowledge) defineOne(p *Plan, s *sql.Statement, text []byte) {
	d := &Define{MayDefine: true}
	p.Action = d
	if err := k.takes(p, d, s); err != nil {
		p.refuse(err)
		return
	}
	if tree, err := s.Tree(); err == nil {
		d.Statement = tree.Root()
	}
	if s.Mentions(k.names.Protected) || policy.MayAnnotate(text) {
		if d.Statement == nil {
			p.refuse(sqlerr.StatementUnread())
		}
		return
	}
	names, ok := s.DefinedTables()
	d.MayDefine = !ok
	for _, n := range names {
		if n.Schema == "" {
			n.Schema, p.OfSchema = k.schema, true
		}
		p.Names = append(p.Names, resolve.Name{Schema: n.Schema, Table: n.Name})
	}
}

// definesWithQuery reports whether a definition that can be read has a query in it that
// is not the one that it makes a table of.
func definesWithQuery(s *sql.Statement) bool {
	tree, err := s.Tree()
	if err != nil {
		return false // as defineOne decides
	}
	root := tree.Root()
	if n, ok := root.(*ast.CreateTable); ok && n.Select != nil {
		rest := *n
		rest.Select = nil
		root = &rest
	}
	return shape.HasSubquery(root)
}

// runsDefinition reports whether a statement may run a definition that is in a
// string or in a variable.
func runsDefinition(s *sql.Statement) bool {
	if s.Kind != sql.Prepare && s.Kind != sql.ExecuteImmediate {
		return false
	}
	return s.Mentions(func(name []byte) bool {
		for _, word := range definitionWords {
			if bytes.EqualFold(name, word) {
				return true
			}
		}
		return len(name) == 0 // what cannot be read
	})
}

var definitionWords = [][]byte{[]byte("CREATE"), []byte("ALTER"), []byte("DROP"), []byte("RENAME"), []byte("TRUNCATE")}
