package ddl

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/policy"
)

// Remedy is SQL for the server that takes from a plain table what keeps it from being encrypted, and
// SQL that puts it back through tunic when the table is protected. Restore is empty where it is not
// to come back.
type Remedy struct{ Remove, Restore []string }

// PlainTable is a plain table as SHOW CREATE TABLE has it, for those who write SQL that changes it.
type PlainTable struct {
	name string // with the schema, quoted
	is   *shown
}

// ReadPlain reads what SHOW CREATE TABLE says of a table. It is an error if that cannot be read.
func ReadPlain(schema, table, definition string) (*PlainTable, error) {
	is, err := readShown(definition)
	if err != nil {
		return nil, err
	}
	return &PlainTable{catalog.Quoted(schema) + "." + catalog.Quoted(table), is}, nil
}

func (p *PlainTable) alter(clause string) string { return "ALTER TABLE " + p.name + " " + clause }

// column is the text of a column; "" without one.
func (p *PlainTable) column(name string) string {
	if i := p.is.place(name); i >= 0 {
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
	parts := readColumn(text)
	if parts.comment.empty() {
		at := len(text)
		if !parts.check.empty() {
			at = parts.check.from
		}
		return p.modified(column, edited(text, edit{span: span{from: at, to: at}, text: " COMMENT " + quoteString(note)}), false)
	}
	comment := note
	if own := policy.Unannotated(unquoteString(text[parts.comment.from:parts.comment.to])); own != "" {
		comment = own + "; " + note
	}
	return p.modified(column, edited(text, edit{span: parts.comment, text: quoteString(comment)}), false)
}

// Uncomputed takes from a column the values that the server computes: ON UPDATE, and an expression
// as its default.
func (p *PlainTable) Uncomputed(column string) Remedy {
	text := p.column(column)
	all := tokens(text)
	var edits []edit
	for i := 0; i+1 < len(all); i++ {
		switch {
		case all[i].is(text, "("):
			i = group(text, all, i) - 1
		case all[i].is(text, "DEFAULT") && !constantDefault(text, all[i+1]):
			end := valueEnd(text, all, i+1)
			edits = append(edits, edit{span: span{from: all[i-1].to, to: all[end-1].to}})
			i = end - 1
		case all[i].is(text, "ON") && all[i+1].is(text, "UPDATE") && i+2 < len(all):
			end := max(group(text, all, i+3), i+3)
			edits = append(edits, edit{span: span{from: all[i-1].to, to: all[end-1].to}})
			i = end - 1
		}
	}
	return p.modified(column, edited(text, edits...), true)
}

// constantDefault reports whether what follows DEFAULT is a constant, or the time of the statement,
// which tunic knows.
func constantDefault(text string, t token) bool {
	if t.kind != tokenWord {
		return !t.is(text, "(")
	}
	word := strings.ToUpper(t.of(text))
	return word == "NULL" || strings.HasPrefix(word, "CURRENT_TIMESTAMP") || word != "" && (word[0] == '-' || word[0] >= '0' && word[0] <= '9')
}

// AsText makes text of a column of documents, which is what both servers show of them. Tunic makes
// no JSON of text in rows.
func (p *PlainTable) AsText(column string) Remedy {
	text := p.column(column)
	if parts := readColumn(text); !parts.check.empty() { // MariaDB's JSON is text with a CHECK
		return p.modified(column, edited(text, edit{span: parts.check}), false)
	}
	all := tokens(text)
	if len(all) < 2 || !all[1].is(text, "JSON") {
		return Remedy{}
	}
	return p.modified(column, edited(text, edit{span: span{from: all[1].from, to: all[1].to}, text: "longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"}), false)
}

// WithoutKey drops a key.
func (p *PlainTable) WithoutKey(name string) (r Remedy) {
	for i := range p.is.Keys {
		if k := &p.is.Keys[i]; foldName(k.Name) == foldName(name) && k.Kind != "PRIMARY" {
			r.Remove = append(r.Remove, p.alter("DROP KEY "+catalog.Quoted(k.Name)))
			r.Restore = append(r.Restore, p.alter("ADD "+k.text()))
		}
	}
	return r
}

// WithoutExpressionKeys drops keys over expressions, which no protected table has.
func (p *PlainTable) WithoutExpressionKeys() (r Remedy) {
	for i := range p.is.Keys {
		if k := &p.is.Keys[i]; slices.ContainsFunc(k.Parts, func(part shownPart) bool { return part.Name == "" }) {
			r.Remove = append(r.Remove, p.alter("DROP KEY "+catalog.Quoted(k.Name)))
		}
	}
	return r
}

// Computed are remedies for what the server computes of columns: generated columns, by their names,
// and CHECKs, which have none here. Those over no column for which over is true are left out.
func (p *PlainTable) Computed(over func(column string) bool, each func(generated, column string, r Remedy)) {
	for i := range p.is.Columns {
		c := &p.is.Columns[i]
		parts := readColumn(c.Text)
		if column := p.named(c.Text[parts.as.from:parts.as.to], over); parts.generated && column != "" {
			each(c.Name, column, p.withoutColumn(c.Name))
		}
		if column := p.named(c.Text[parts.check.from:parts.check.to], over); column != "" {
			each("", column, p.modified(c.Name, edited(c.Text, edit{span: parts.check}), true))
		}
	}
	for i := range p.is.Checks {
		k := &p.is.Checks[i]
		if column := p.named(k.Text, over); column != "" {
			each("", column, Remedy{Remove: []string{p.alter("DROP CONSTRAINT " + catalog.Quoted(k.Name))}, Restore: []string{p.alter("ADD " + k.text())}})
		}
	}
}

// named is the first of the columns in an expression, quoted as servers show it.
func (p *PlainTable) named(expression string, over func(string) bool) string {
	for _, t := range tokens(expression) {
		if t.kind == tokenName {
			if name := unquoteName(t.of(expression)); over(name) {
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
		if slices.ContainsFunc(k.Parts, func(part shownPart) bool { return foldName(part.Name) == foldName(name) }) && k.Kind != "PRIMARY" {
			r.Remove = append(r.Remove, p.alter("DROP KEY "+catalog.Quoted(k.Name)))
		}
	}
	r.Remove = append(r.Remove, p.alter("DROP COLUMN "+catalog.Quoted(name)))
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
		r.Drop = Remedy{Remove: []string{p.alter("DROP FOREIGN KEY " + catalog.Quoted(k.Name))}, Restore: []string{p.alter("ADD " + k.text())}}
		all = append(all, r)
	}
	return all
}

// InPrimaryKey reports whether a column is in the primary key.
func (p *PlainTable) InPrimaryKey(column string) bool {
	return slices.ContainsFunc(p.is.Keys, func(k shownKey) bool {
		return k.Kind == "PRIMARY" && slices.ContainsFunc(k.Parts, func(part shownPart) bool { return foldName(part.Name) == foldName(column) })
	})
}

// WithPrimaryKey gives the table a primary key of a column of its own, which no client sees that
// does not name it.
func (p *PlainTable) WithPrimaryKey() Remedy {
	name := "row_id"
	for p.is.place(name) >= 0 {
		name += "_"
	}
	return Remedy{Remove: []string{p.alter("ADD COLUMN " + catalog.Quoted(name) + " BIGINT UNSIGNED NOT NULL AUTO_INCREMENT INVISIBLE PRIMARY KEY")}}
}

// HasPrimaryKey reports whether there is one, and HasCounter whether a column counts up: a table has
// one of each at most.
func (p *PlainTable) HasPrimaryKey() bool {
	return slices.ContainsFunc(p.is.Keys, func(k shownKey) bool { return k.Kind == "PRIMARY" })
}

// HasCounter reports whether a column is AUTO_INCREMENT.
func (p *PlainTable) HasCounter() bool {
	return slices.ContainsFunc(p.is.Columns, func(c shownColumn) bool {
		return slices.ContainsFunc(tokens(c.Text), func(t token) bool { return t.is(c.Text, "AUTO_INCREMENT") })
	})
}

// Unpartitioned takes the partitions away. Of a protected table nobody changes them.
func (p *PlainTable) Unpartitioned() Remedy {
	return Remedy{Remove: []string{p.alter("REMOVE PARTITIONING")}}
}
