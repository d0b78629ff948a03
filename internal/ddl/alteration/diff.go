package alteration

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/value"
)

// Difference is what brings a stored table from what the server shows of it to what
// it is to be, in one statement.
type Difference struct {
	Schema   string
	From, To *showcreate.Table
	// Names are what stored columns were called, by folded names they are to have.
	Names map[string]string
	// Anew are stored columns that are made anew, by folded names.
	Anew map[string]bool
	// Keys are the names of the keys that tunic has made, by folded names.
	Keys map[string]bool
	// Crosses says that columns get names of others, which what is over them is not to follow
	// by itself.
	Crosses bool
	// recollated are plain columns that get another collation, by folded names, which need not be
	// in their texts; settled are those that keep theirs and that nothing else is about.
	recollated, settled map[string]bool
	// CheckStays says that tunic's own CHECK need not be made anew.
	CheckStays bool
	// Later leaves tunic's own CHECK to a statement of its own.
	Later bool
	// Standing leaves the stored columns of protected ones where they are, whose places nobody
	// sees, and adds them behind all others: MariaDB moves none in place beside a virtual one.
	Standing bool
	// Aside, if set, is the clause that takes a column out of the way which goes, instead of
	// dropping it; taken says that another one gets its name. SetAside says that there is one.
	Aside    func(c *showcreate.Column, taken bool) (clause string, ok bool)
	SetAside bool
	// Plain are the stored columns that are plain, by folded names.
	Plain map[string]bool
}

// RenamesForeign says that a column of a foreign key gets another name. MySQL does
// that only without copying the table, and a CHECK is added only by a copy.
func (x *Difference) RenamesForeign() bool {
	for i := range x.From.ForeignKeys {
		for _, name := range x.From.ForeignKeys[i].Columns {
			if !x.gone(name) && x.now(name) != name {
				return true
			}
		}
	}
	return false
}

// Check is the statement that was left for later.
func (x *Difference) Check(table string) string {
	for i := range x.To.Checks {
		if k := &x.To.Checks[i]; strings.HasPrefix(k.Name, form.CheckPrefix) {
			return "ALTER TABLE " + identifier.Quoted(x.Schema) + "." + identifier.Quoted(table) + " ADD " + k.SQL()
		}
	}
	return ""
}

// SameCheck says that the CHECK of the stored table says what it is to say, once
// columns have their new names. MariaDB gives them to the CHECK too; MySQL renames
// no column that a CHECK is over.
func (c *Change) SameCheck(next *catalog.Table, rewritten map[string]bool, flavor value.Flavor) bool {
	old, now := checkTerms(c.Old), checkTerms(next)
	if len(old) != len(now) {
		return false
	}
	for name, least := range now {
		if _, ok := families(next)[name]; ok {
			if old[name] == 0 {
				return false
			}
			continue
		}
		from := c.Names[name]
		if before, ok := old[catalog.Folded(from)]; !ok || before != least || rewritten[name] || c.Shadowed(from) {
			return false
		}
		if catalog.Folded(from) != name && c.Crosses() {
			return false
		}
		if at, was := next.Column(name), c.Old.Column(from); flavor != value.MariaDB && next.Columns[at].Stored() != c.Old.Columns[was].Stored() {
			return false
		}
	}
	return true
}

// KeepsCheck says that the CHECK that a table has is still right of the columns that it is over,
// though there may be others.
func (c *Change) KeepsCheck(next *catalog.Table) bool {
	now := checkTerms(next)
	for name, least := range checkTerms(c.Old) {
		if _, ok := families(c.Old)[name]; ok && now[name] != 0 {
			continue
		}
		if is, ok := now[name]; !ok || is != least || catalog.Folded(c.Names[name]) != name || c.Shadowed(name) {
			return false
		}
	}
	return true
}

// checkTerms are the stored columns that the CHECK is over, folded, and how long their forms must be. The
// CHECK learns of a column that is being backfilled when it has been.
func checkTerms(t *catalog.Table) map[string]int {
	terms := map[string]int{}
	for s := range t.StoredColumns() {
		if form.Checked(s) {
			terms[catalog.Folded(s.Name)] = form.LeastBytes(s)
		}
	}
	return terms
}

// families are those of a table by their stored columns, folded, which keep their names.
func families(t *catalog.Table) map[string]*catalog.Family {
	all := map[string]*catalog.Family{}
	for i := range t.Families {
		all[catalog.Folded(t.Families[i].Stored)] = &t.Families[i]
	}
	return all
}

// StoredNames maps the stored columns to come onto those that are there.
func (c *Change) StoredNames(next *catalog.Table, rewritten map[string]bool) (names map[string]string, anew map[string]bool) {
	names, anew = map[string]string{}, map[string]bool{}
	for i := range next.Columns {
		column := &next.Columns[i]
		old := c.was(column.Name)
		resealed := c.Resealed[catalog.Folded(column.Stored())] != ""
		for s := range next.StoredOf(i) {
			name := catalog.Folded(s.Name)
			switch {
			case resealed:
				names[name] = c.Resealed[name]
			case old == nil:
			case s.Kind == catalog.StoredMember:
				names[name] = old.Name // it is in the family before as well
			case s.Layer == nil && old.Family != "": // what it had in its place was no value
			case s.Layer == nil:
				names[name], anew[name] = old.Stored(), rewritten[catalog.Folded(column.Name)]
			case old.Layer(s.Layer.Capability) != nil:
				names[name], anew[name] = old.Layer(s.Layer.Capability).Stored, rewritten[catalog.Folded(column.Name)]
			}
		}
	}
	before := families(c.Old)
	for name, f := range families(next) {
		if before[name] != nil {
			names[name] = f.Stored
		}
	}
	return names, anew
}

// Statement is ALTER TABLE with all clauses; more are added to its end.
func (x *Difference) Statement(table string, more ...string) string {
	clauses := x.dropped()
	clauses = append(clauses, x.columns()...)
	clauses = append(clauses, x.added()...)
	if options := x.Options(); options != "" {
		clauses = append(clauses, options)
	}
	return "ALTER TABLE " + identifier.Quoted(x.Schema) + "." + identifier.Quoted(table) + " " + strings.Join(append(clauses, more...), ", ")
}

// gone says that a stored column is dropped, or made anew.
func (x *Difference) gone(name string) bool {
	for to, from := range x.Names {
		if catalog.Folded(from) == catalog.Folded(name) && !x.Anew[to] {
			return false
		}
	}
	return true
}

// now is the name that a stored column has after the change.
func (x *Difference) now(name string) string {
	for i := range x.To.Columns {
		to := x.To.Columns[i].Name
		if from, ok := x.Names[catalog.Folded(to)]; ok && catalog.Folded(from) == catalog.Folded(name) {
			return to
		}
	}
	return name
}

// dropped are the constraints, keys and columns that go. One that changes goes and
// comes.
func (x *Difference) dropped() (clauses []string) {
	for i := range x.From.ForeignKeys {
		if k := &x.From.ForeignKeys[i]; !x.ForeignKeyStays(k) {
			clauses = append(clauses, "DROP FOREIGN KEY "+identifier.Quoted(k.Name))
		}
	}
	for i := range x.From.Checks {
		if !x.stays(&x.From.Checks[i]) {
			clauses = append(clauses, "DROP CONSTRAINT "+identifier.Quoted(x.From.Checks[i].Name))
		}
	}
	for i := range x.From.Keys {
		k := &x.From.Keys[i]
		switch {
		case x.KeyStays(k) && !x.wouldGo(k) || !x.Keys[catalog.Folded(k.Name)]:
		case k.Kind == "PRIMARY":
			clauses = append(clauses, "DROP PRIMARY KEY")
		default:
			clauses = append(clauses, "DROP KEY "+identifier.Quoted(k.Name))
		}
	}
	for i := range x.From.Columns {
		if x.gone(x.From.Columns[i].Name) {
			clauses = append(clauses, x.leaving(&x.From.Columns[i])...)
		}
	}
	return clauses
}

// leaving is the clause for a column that goes.
func (x *Difference) leaving(c *showcreate.Column) []string {
	if x.Aside != nil {
		taken := slices.ContainsFunc(x.To.Columns, func(to showcreate.Column) bool { return catalog.Folded(to.Name) == catalog.Folded(c.Name) })
		switch clause, ok := x.Aside(c, taken); {
		case ok && clause == "":
			x.SetAside = true
			return nil
		case ok:
			x.SetAside = true
			return []string{clause}
		}
	}
	return []string{"DROP COLUMN " + identifier.Quoted(c.Name)}
}

// added are the keys and constraints that come.
func (x *Difference) added() (clauses []string) {
	for i := range x.To.Keys {
		if k := &x.To.Keys[i]; !slices.ContainsFunc(x.From.Keys, func(from showcreate.Key) bool { return from.Name == k.Name && x.KeyStays(&from) && !x.wouldGo(&from) }) {
			clauses = append(clauses, "ADD "+k.SQL())
		}
	}
	for i := range x.To.ForeignKeys {
		if k := &x.To.ForeignKeys[i]; !slices.ContainsFunc(x.From.ForeignKeys, func(from showcreate.ForeignKey) bool {
			return from.Name == k.Name && x.ForeignKeyStays(&from)
		}) {
			clauses = append(clauses, "ADD "+k.SQL())
		}
	}
	for i := range x.To.Checks {
		if k := &x.To.Checks[i]; (!x.Later || !strings.HasPrefix(k.Name, form.CheckPrefix)) && !slices.ContainsFunc(x.From.Checks, func(from showcreate.Check) bool { return from.Name == k.Name && x.stays(&from) }) {
			clauses = append(clauses, "ADD "+k.SQL())
		}
	}
	return clauses
}

// KeyStays says that a key is to be as it is, once columns have their new names.
func (x *Difference) KeyStays(from *showcreate.Key) bool {
	moved := *from
	moved.Parts = slices.Clone(from.Parts)
	for i := range moved.Parts {
		p := &moved.Parts[i]
		if p.Name == "" || x.gone(p.Name) || x.Crosses && x.now(p.Name) != p.Name {
			return false
		}
		p.Text = strings.Replace(p.Text, identifier.Quoted(p.Name), identifier.Quoted(x.now(p.Name)), 1)
	}
	for i := range x.To.Keys {
		if k := &x.To.Keys[i]; k.Name == from.Name {
			return WithoutComment(k.SQL()) == WithoutComment(moved.SQL())
		}
	}
	return false
}

// wouldGo says that the server may drop a key by itself that is to stay, for one that comes: it is made anew, as
// one that somebody has asked for.
func (x *Difference) wouldGo(from *showcreate.Key) bool {
	if !x.From.MayBeImplicit(from) {
		return false
	}
	at := slices.IndexFunc(x.To.Keys, func(k showcreate.Key) bool { return k.Name == from.Name })
	return at >= 0 && slices.ContainsFunc(x.To.Keys, func(k showcreate.Key) bool {
		comes := !slices.ContainsFunc(x.From.Keys, func(from showcreate.Key) bool { return from.Name == k.Name && x.KeyStays(&from) })
		return comes && k.BeginsWith(&x.To.Keys[at])
	})
}

// WithoutComment leaves out a comment, which the server does not show when it is
// empty.
func WithoutComment(key string) string {
	if at := showcreate.TailComment(key); !at.Empty() {
		return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(key[:at.From]), "COMMENT") + key[at.To:])
	}
	return key
}

// ForeignKeyStays reports whether a foreign key of the stored table is to be there as it is.
func (x *Difference) ForeignKeyStays(from *showcreate.ForeignKey) bool {
	moved := *from
	if moved.Schema == "" {
		moved.Schema = x.Schema
	}
	moved.Columns = slices.Clone(from.Columns)
	for i := range moved.Columns {
		if x.gone(moved.Columns[i]) {
			return false
		}
		moved.Columns[i] = x.now(moved.Columns[i])
	}
	for i := range x.To.ForeignKeys {
		if k := &x.To.ForeignKeys[i]; k.Name == from.Name {
			return k.SQL() == moved.SQL()
		}
	}
	return false
}

// stays compares CHECKs by their names; only tunic's own can change.
func (x *Difference) stays(from *showcreate.Check) bool {
	for i := range x.To.Checks {
		if x.To.Checks[i].Name == from.Name {
			return x.CheckStays || !strings.HasPrefix(from.Name, form.CheckPrefix)
		}
	}
	return false
}

// columns are the clauses that change, rename, move and add columns. Each is put
// behind the one before it where it would not be there already.
func (x *Difference) columns() (clauses []string) {
	var order []string // as they stand while the clauses are done, folded
	text := map[string]string{}
	for i := range x.From.Columns {
		c := &x.From.Columns[i]
		if !x.gone(c.Name) {
			order = append(order, catalog.Folded(x.now(c.Name)))
			text[catalog.Folded(x.now(c.Name))] = c.Text
		}
	}
	astray := x.astray(order)
	order = slices.DeleteFunc(order, func(name string) bool { return astray[name] })
	skipped := 0
	for i := range x.To.Columns {
		c := &x.To.Columns[i]
		name := catalog.Folded(c.Name)
		if astray[name] {
			skipped++
			if clause := x.column(c, text[name], ""); clause != "" {
				clauses = append(clauses, clause)
			}
			continue
		}
		i := i - skipped
		at := slices.Index(order, name)
		place := ""
		if at != i {
			place = x.place(i+skipped, astray)
			if at >= 0 {
				order = slices.Delete(order, at, at+1)
			}
			order = slices.Insert(order, min(i, len(order)), name)
		}
		if x.Standing && !x.Plain[name] {
			place = ""
		}
		if clause := x.column(c, text[name], place); clause != "" {
			clauses = append(clauses, clause)
		}
	}
	return clauses
}

// place says where the i-th column belongs.
func (x *Difference) place(i int, astray map[string]bool) string {
	for i--; i >= 0; i-- {
		if name := x.To.Columns[i].Name; !astray[catalog.Folded(name)] {
			return " AFTER " + identifier.Quoted(name)
		}
	}
	return " FIRST"
}

// astray are the layers that do not stand behind their columns' other forms, by folded names:
// a job has added them behind all columns. They stay where they are, since moving one would
// copy the table. order are the columns that go on.
func (x *Difference) astray(order []string) map[string]bool {
	before, last := map[string]string{}, ""
	for i := range x.To.Columns {
		if name := catalog.Folded(x.To.Columns[i].Name); slices.Contains(order, name) {
			before[name], last = last, name
		}
	}
	all, last := map[string]bool{}, ""
	for _, name := range order {
		all[name] = catalog.Reserved(name) && before[name] != last
		last = name
	}
	return all
}

// column is the clause for one column, whose text was from; "" if nothing changes.
func (x *Difference) column(c *showcreate.Column, from, place string) string {
	if from == "" {
		return "ADD COLUMN " + c.Text + place
	}
	old := identifier.Unquoted(showcreate.Tokens(from)[0].Of(from))
	was, is := PlainBody(from), PlainBody(c.Text)
	if x.settled[catalog.Folded(c.Name)] && bareOptions(x.From.Options) != bareOptions(x.To.Options) {
		was, is = uncollated(was), uncollated(is) // what is shown of it depends on the table's
	}
	same := was == is && place == "" && !x.recollated[catalog.Folded(c.Name)]
	switch {
	case same && old == c.Name:
		return ""
	case same:
		return "RENAME COLUMN " + identifier.Quoted(old) + " TO " + identifier.Quoted(c.Name)
	case old == c.Name:
		return "MODIFY COLUMN " + c.Text + place
	}
	return "CHANGE COLUMN " + identifier.Quoted(old) + " " + c.Text + place
}

// PlainBody is a column's text behind its name, without a DEFAULT NULL: servers
// differ in where they show it.
func PlainBody(text string) string {
	return strings.TrimSuffix(showcreate.BodyOf(text), " DEFAULT NULL")
}

// Options are the table's where they change, the comment and the counter left out.
func (x *Difference) Options() string {
	if from, to := bareOptions(x.From.Options), bareOptions(x.To.Options); from != to {
		return to
	}
	return ""
}

func bareOptions(options string) string {
	if all, _ := showcreate.OptionComment(options); all != (showcreate.Span{}) {
		options = showcreate.Edited(options, showcreate.Edit{Span: all})
	}
	if at := showcreate.OptionAutoIncrement(options); !at.Empty() {
		options = showcreate.Edited(options, showcreate.Edit{Span: at})
	}
	if at := showcreate.OptionPartitions(options); at >= 0 {
		options = options[:at]
	}
	return strings.TrimSpace(options)
}

// uncollated is what stands behind a column's name, without its character set and collation.
func uncollated(body string) string {
	var edits []showcreate.Edit
	all := showcreate.Tokens(body)
	for i := 0; i < len(all); i++ {
		switch t := all[i]; {
		case t.Is(body, "("):
			i = showcreate.GroupEnd(body, all, i) - 1
		case t.Is(body, "CHARACTER") && i+2 < len(all) && all[i+1].Is(body, "SET"):
			edits = append(edits, showcreate.Edit{Span: showcreate.Span{From: t.From, To: all[i+2].To}})
		case t.Is(body, "COLLATE") && i+1 < len(all):
			edits = append(edits, showcreate.Edit{Span: showcreate.Span{From: t.From, To: all[i+1].To}})
		}
	}
	return strings.Join(strings.Fields(showcreate.Edited(body, edits...)), " ")
}

// Collations tells a difference which plain columns have another collation than before.
func (c *Change) Collations(x *Difference, next *catalog.Table) {
	x.recollated, x.settled = map[string]bool{}, map[string]bool{}
	for i := range next.Columns {
		column := &next.Columns[i]
		if old := c.Before(column.Name); old != nil && !old.Protected() && !column.Protected() {
			name := catalog.Folded(column.Name)
			same := old.CollationName == column.CollationName
			x.recollated[name], x.settled[name] = !same, same && !c.touched[name]
		}
	}
}
