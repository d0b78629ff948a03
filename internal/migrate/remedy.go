package migrate

import (
	"context"
	"errors"
	"strings"

	"tunic/internal/ddl"
	"tunic/internal/ddl/remedy"
	"tunic/internal/identifier"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
)

// shown reads how the server shows the table, as the SQL is written by which something goes and comes
// back.
func (s *subject) shown(ctx context.Context) (*remedy.PlainTable, error) {
	if s.plain != nil {
		return s.plain, nil
	}
	var name, definition string
	if err := s.DB.QueryRowContext(ctx, "SHOW CREATE TABLE "+identifier.Quoted(s.Schema)+"."+identifier.Quoted(s.Table)).Scan(&name, &definition); err != nil {
		return nil, err
	}
	plain, err := remedy.ReadPlain(s.Schema, s.Table, definition)
	if err != nil {
		return nil, sqlerr.DefinitionForm(s.Table, "a definition with parts that tunic cannot read")
	}
	s.plain = plain
	return plain, nil
}

// leaveOut annotates a column, where the policy heeds that.
func (s *subject) leaveOut(plain *remedy.PlainTable, column string) remedy.Remedy {
	return leavingOut(s.Definer, plain, s.Schema, s.Table, column)
}

func leavingOut(d *ddl.Definer, plain *remedy.PlainTable, schema, table, column string) (r remedy.Remedy) {
	if !d.LeavesPlain(policy.Column{Schema: schema, Table: table, Name: column, Comment: "tunic: plain"}) {
		return r
	}
	return plain.LeaveOut(column)
}

// leaveOutText is what to do about a column that cannot be protected.
func leaveOutText(r remedy.Remedy) string {
	if len(r.Remove) > 0 {
		return "leave it out: name the others with --columns, or annotate it"
	}
	return "leave it out: name the others with --columns; a rule of the policy protects it, so that an annotation does not help"
}

// plan finds out what the table would be. Where its definition is refused, the column that is named
// is left out and the rest is looked at again, so that all refusals are found.
func (s *subject) plan(ctx context.Context, e *ddl.Encryption) (err error) {
	if s.wanted, err = s.wants(ctx); err != nil {
		return err
	}
	for {
		if s.planned, err = s.Definer.Planned(ctx, e); err == nil {
			return nil
		}
		refusal, ok := errors.AsType[*sqlerr.Error](err)
		switch {
		case isDenied(err) && deniedPrivilege(err) != "":
			s.denied = deniedPrivilege(err)
			return nil
		case !ok || refusal.Code == 0:
			return err
		}
		named := s.namedIn(refusal.Message)
		if s.refused = append(s.refused, refused{refusal, named}); named == "" {
			return nil
		}
		s.left = append(s.left, named)
		if e.Columns = s.stillWanted(); len(e.Columns) == 0 {
			return nil
		}
	}
}

// refused is a refusal of the definition that the table would have, and the column that it names; ""
// if it names none.
type refused struct {
	*sqlerr.Error
	column string
}

// wants are the columns that were asked for, or else those that the policy protects.
func (s *subject) wants(ctx context.Context) (names []string, err error) {
	if len(s.Columns) > 0 {
		return s.Columns, nil
	}
	columns, err := s.policyColumns(ctx, "")
	for _, c := range columns {
		if s.Definer.Wants(c) {
			names = append(names, c.Name)
		}
	}
	return names, err
}

// stillWanted are the columns that were asked for but those that are left out.
func (s *subject) stillWanted() (names []string) {
	for _, name := range s.wanted {
		if !containsFold(s.left, name) {
			names = append(names, name)
		}
	}
	return names
}

// namedIn is the column still wanted that a text names: the longest name that is a word behind the word column, or else a word
// anywhere, since a column may have the name of a word of the text.
func (s *subject) namedIn(text string) string {
	longest := func(in func(name string) string) (longest string) {
		for _, name := range s.stillWanted() {
			if len(name) > len(longest) && hasWord(text, in(name)) {
				longest = name
			}
		}
		return longest
	}
	if name := longest(func(name string) string { return "column " + name }); name != "" {
		return name
	}
	return longest(func(name string) string { return name })
}

// hasWord reports whether a name is in a text, and no part of a longer name.
func hasWord(text, name string) bool {
	text, name = strings.ToLower(text), strings.ToLower(name)
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		at := from + i
		end := at + len(name)
		if (at == 0 || !isWordByte(text[at-1])) && (end == len(text) || !isWordByte(text[end])) {
			return true
		}
		from = at + 1
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
