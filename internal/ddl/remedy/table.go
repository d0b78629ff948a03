package remedy

import (
	"slices"
	"strings"

	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/policy"
)

// Remedy is SQL for the server that takes from a plain table what keeps it from being encrypted, and
// SQL that puts it back through tunic when the table is protected. Restore is empty where it is not
// to come back.
type Remedy struct {
	Remove, Restore []string
	// Through says that Remove, too, is for a client of tunic: what goes is tunic's own.
	Through bool
}

// PlainTable is a plain table as SHOW CREATE TABLE has it, for those who write SQL that changes it.
type PlainTable struct {
	name string // with the schema, quoted
	is   *showcreate.Table
}

// ReadPlain reads what SHOW CREATE TABLE says of a table. It is an error if that cannot be read.
func ReadPlain(schema, table, definition string) (*PlainTable, error) {
	is, err := showcreate.Read(definition)
	if err != nil {
		return nil, err
	}
	return &PlainTable{identifier.Quoted(schema) + "." + identifier.Quoted(table), is}, nil
}

func (p *PlainTable) alter(clause string) string { return "ALTER TABLE " + p.name + " " + clause }

// column is the text of a column; "" without one.
func (p *PlainTable) column(name string) string {
	if i := p.is.Place(name); i >= 0 {
		return p.is.Columns[i].Text
	}
	return ""
}

// modified is a remedy that changes the text of a column; the text comes back if back says so.
func (p *PlainTable) modified(column, to string, back bool) (r Remedy) {
	was := p.column(column)
	if was == "" || was == to {
		return r
	}
	r.Remove = []string{p.alter("MODIFY COLUMN " + to)}
	if back {
		r.Restore = []string{p.alter("MODIFY COLUMN " + was)}
	}
	return r
}

// LeaveOut annotates a column, so that the policy leaves it plain. It does not come back: the
// annotation says what was decided.
func (p *PlainTable) LeaveOut(column string) Remedy {
	const note = "tunic: plain"
	text := p.column(column)
	parts := showcreate.PartsOf(text)
	if parts.Comment.Empty() {
		at := len(text)
		if !parts.Check.Empty() {
			at = parts.Check.From
		}
		return p.modified(column, showcreate.Edited(text, showcreate.Edit{Span: showcreate.Span{From: at, To: at}, Text: " COMMENT " + showcreate.QuoteString(note)}), false)
	}
	comment := note
	if own := policy.Unannotated(showcreate.UnquoteString(text[parts.Comment.From:parts.Comment.To])); own != "" {
		comment = own + "; " + note
	}
	return p.modified(column, showcreate.Edited(text, showcreate.Edit{Span: parts.Comment, Text: showcreate.QuoteString(comment)}), false)
}

// WithoutFamily takes from the annotation of a column what puts it into a family. It does not come back: the column cannot be in
// it.
func (p *PlainTable) WithoutFamily(column string) Remedy {
	text := p.column(column)
	parts := showcreate.PartsOf(text)
	comment := showcreate.UnquoteString(text[parts.Comment.From:parts.Comment.To])
	note, _, err := policy.Annotation(comment)
	if err != nil || note.Family == "" {
		return Remedy{}
	}
	left := policy.Unannotated(comment)
	if note.Family = ""; !note.Silent {
		if left != "" {
			left += "; "
		}
		left += "tunic: " + note.String()
	}
	return p.modified(column, showcreate.Edited(text, showcreate.Edit{Span: parts.Comment, Text: showcreate.QuoteString(left)}), false)
}

// Uncomputed takes from a column the values that the server computes: ON UPDATE, and an expression
// as its default.
func (p *PlainTable) Uncomputed(column string) Remedy {
	text := p.column(column)
	all := showcreate.Tokens(text)
	var edits []showcreate.Edit
	for i := 0; i+1 < len(all); i++ {
		switch {
		case all[i].Is(text, "("):
			i = showcreate.GroupEnd(text, all, i) - 1
		case all[i].Is(text, "DEFAULT") && !constantDefault(text, all[i+1]):
			end := showcreate.ValueEnd(text, all, i+1)
			edits = append(edits, showcreate.Edit{Span: showcreate.Span{From: all[i-1].To, To: all[end-1].To}})
			i = end - 1
		case all[i].Is(text, "ON") && all[i+1].Is(text, "UPDATE") && i+2 < len(all):
			end := max(showcreate.GroupEnd(text, all, i+3), i+3)
			edits = append(edits, showcreate.Edit{Span: showcreate.Span{From: all[i-1].To, To: all[end-1].To}})
			i = end - 1
		}
	}
	return p.modified(column, showcreate.Edited(text, edits...), true)
}

// constantDefault reports whether what follows DEFAULT is a constant, or the time of the statement,
// which tunic knows.
func constantDefault(text string, t showcreate.Token) bool {
	if t.Kind != showcreate.TokenWord {
		return !t.Is(text, "(")
	}
	word := strings.ToUpper(t.Of(text))
	return word == "NULL" || strings.HasPrefix(word, "CURRENT_TIMESTAMP") || word != "" && (word[0] == '-' || word[0] >= '0' && word[0] <= '9')
}

// AsText makes text of a column of documents, which is what both servers show of them. Tunic makes
// no JSON of text in rows.
func (p *PlainTable) AsText(column string) Remedy {
	text := p.column(column)
	if parts := showcreate.PartsOf(text); !parts.Check.Empty() { // MariaDB's JSON is text with a CHECK
		return p.modified(column, showcreate.Edited(text, showcreate.Edit{Span: parts.Check}), false)
	}
	all := showcreate.Tokens(text)
	if len(all) < 2 || !all[1].Is(text, "JSON") {
		return Remedy{}
	}
	return p.modified(column, showcreate.Edited(text, showcreate.Edit{Span: showcreate.Span{From: all[1].From, To: all[1].To}, Text: "longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"}), false)
}

// WithoutKey drops a key.
func (p *PlainTable) WithoutKey(name string) (r Remedy) {
	for i := range p.is.Keys {
		if k := &p.is.Keys[i]; strings.EqualFold(k.Name, name) && k.Kind != "PRIMARY" {
			r.Remove = append(r.Remove, p.alter("DROP KEY "+identifier.Quoted(k.Name)))
			r.Restore = append(r.Restore, p.alter("ADD "+k.SQL()))
		}
	}
	return r
}

// WordKeys are the names of FULLTEXT and SPATIAL keys over a column.
func (p *PlainTable) WordKeys(column string) (names []string) {
	for i := range p.is.Keys {
		k := &p.is.Keys[i]
		if (k.Kind == "FULLTEXT" || k.Kind == "SPATIAL") && slices.ContainsFunc(k.Parts, func(part showcreate.Part) bool { return strings.EqualFold(part.Name, column) }) {
			names = append(names, k.Name)
		}
	}
	return names
}

// WithoutExpressionKeys drops keys over expressions, which no protected table has.
func (p *PlainTable) WithoutExpressionKeys() (r Remedy) {
	for i := range p.is.Keys {
		if k := &p.is.Keys[i]; slices.ContainsFunc(k.Parts, func(part showcreate.Part) bool { return part.Name == "" }) {
			r.Remove = append(r.Remove, p.alter("DROP KEY "+identifier.Quoted(k.Name)))
		}
	}
	return r
}

// Computed are remedies for what the server computes of columns: generated columns, by their names,
// and CHECKs, which have none here. Those over no column for which over is true are left out.
func (p *PlainTable) Computed(over func(column string) bool, each func(generated, column string, r Remedy)) {
	for i := range p.is.Columns {
		c := &p.is.Columns[i]
		parts := showcreate.PartsOf(c.Text)
		if column := p.named(c.Text[parts.As.From:parts.As.To], over); parts.Generated && column != "" {
			each(c.Name, column, p.withoutColumn(c.Name))
		}
		if column := p.named(c.Text[parts.Check.From:parts.Check.To], over); column != "" {
			each("", column, p.modified(c.Name, showcreate.Edited(c.Text, showcreate.Edit{Span: parts.Check}), true))
		}
	}
	for i := range p.is.Checks {
		k := &p.is.Checks[i]
		if column := p.named(k.Text, over); column != "" {
			each("", column, Remedy{Remove: []string{p.alter("DROP CONSTRAINT " + identifier.Quoted(k.Name))}, Restore: []string{p.alter("ADD " + k.SQL())}})
		}
	}
}

// named is the first of the columns in an expression, quoted as servers show it.
func (p *PlainTable) named(expression string, over func(string) bool) string {
	for _, t := range showcreate.Tokens(expression) {
		if t.Kind == showcreate.TokenName {
			if name := identifier.Unquoted(t.Of(expression)); over(name) {
				return name
			}
		}
	}
	return ""
}

// withoutColumn drops a column with the keys that it is in. Tunic adds no generated one to rows.
func (p *PlainTable) withoutColumn(name string) (r Remedy) {
	for j := range p.is.Keys {
		k := &p.is.Keys[j]
		if slices.ContainsFunc(k.Parts, func(part showcreate.Part) bool { return strings.EqualFold(part.Name, name) }) && k.Kind != "PRIMARY" {
			r.Remove = append(r.Remove, p.alter("DROP KEY "+identifier.Quoted(k.Name)))
		}
	}
	r.Remove = append(r.Remove, p.alter("DROP COLUMN "+identifier.Quoted(name)))
	return r
}

// Reference is a foreign key of a plain table.
type Reference struct {
	Name    string
	Columns []string
	// Schema and Table are what it refers to, Referenced the columns there.
	Schema, Table string
	Referenced    []string
	// Drop takes it from its table, and puts it back.
	Drop Remedy
}

// References are the foreign keys of a table that is in schema.
func (p *PlainTable) References(schema string) (all []Reference) {
	for i := range p.is.ForeignKeys {
		k := &p.is.ForeignKeys[i]
		r := Reference{Name: k.Name, Columns: k.Columns, Schema: k.Schema, Table: k.Table, Referenced: k.Referenced}
		if r.Schema == "" {
			r.Schema = schema
		}
		r.Drop = Remedy{Remove: []string{p.alter("DROP FOREIGN KEY " + identifier.Quoted(k.Name))}, Restore: []string{p.alter("ADD " + k.SQL())}}
		all = append(all, r)
	}
	return all
}

// InPrimaryKey reports whether a column is in the primary key.
func (p *PlainTable) InPrimaryKey(column string) bool {
	return slices.ContainsFunc(p.is.Keys, func(k showcreate.Key) bool {
		return k.Kind == "PRIMARY" && slices.ContainsFunc(k.Parts, func(part showcreate.Part) bool { return strings.EqualFold(part.Name, column) })
	})
}

// WithPrimaryKey gives the table a primary key of a column of its own, which no client sees that
// does not name it.
func (p *PlainTable) WithPrimaryKey() Remedy {
	name := "row_id"
	for p.is.Place(name) >= 0 {
		name += "_"
	}
	return Remedy{Remove: []string{p.alter("ADD COLUMN " + identifier.Quoted(name) + " BIGINT UNSIGNED NOT NULL AUTO_INCREMENT INVISIBLE PRIMARY KEY")}}
}

// HasPrimaryKey reports whether there is one, and HasCounter whether a column counts up: a table has
// one of each at most.
func (p *PlainTable) HasPrimaryKey() bool {
	return slices.ContainsFunc(p.is.Keys, func(k showcreate.Key) bool { return k.Kind == "PRIMARY" })
}

// HasCounter reports whether a column is AUTO_INCREMENT.
func (p *PlainTable) HasCounter() bool {
	return slices.ContainsFunc(p.is.Columns, func(c showcreate.Column) bool {
		return slices.ContainsFunc(showcreate.Tokens(c.Text), func(t showcreate.Token) bool { return t.Is(c.Text, "AUTO_INCREMENT") })
	})
}

// Unpartitioned takes the partitions away. Of a protected table nobody changes them.
func (p *PlainTable) Unpartitioned() Remedy {
	return Remedy{Remove: []string{p.alter("REMOVE PARTITIONING")}}
}
