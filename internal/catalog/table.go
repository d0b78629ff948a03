package catalog

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"tunic/internal/policy"
	"tunic/internal/value"
)

// Table is a protected table: one with at least one protected column. Nobody
// changes a Table that is in a Catalog.
type Table struct {
	ID           ID
	Schema, Name string
	// Revision counts the definitions that the stored table has had. RENAME keeps
	// it.
	Revision    uint64
	Columns     []Column
	Keys        []Key
	ForeignKeys []ForeignKey
	Families    []Family
	// Checks are the CHECKs that hold rows to something and that the server cannot
	// evaluate: those with a protected column in them.
	Checks []Check
	// Definition is the logical CREATE TABLE as the server's SHOW CREATE TABLE
	// would print it.
	Definition string
	// Twin is the name, in tunic's schema, of the empty table with the logical
	// columns that the server is asked about types.
	Twin string
	// View is what makes it a view; nil of a table.
	View *View
	// Fenced says that the stored table has a fence: see Fence.
	Fenced bool
	// Unnamed says that statements do not name it: see UnnamedFence. It is not written down.
	Unnamed bool
	// Late says that a transaction may see rows without the sealed forms of columns: see
	// SeenSince. It is not written down.
	Late bool
	// Unchecked says that the stored table lacks the CHECK that refuses plaintext, or has one
	// that is not over all protected columns: it had rows when they came to be protected, and
	// servers add a CHECK by copying all of them.
	Unchecked bool
	// Bared says that all columns have become plain, and that the table is about to leave the
	// catalog: what was stored of the protected ones is being taken away.
	Bared bool
	// CatalogVersion counts what the catalog has come to say otherwise of the table while its
	// stored form stayed as it is: that a layer may be used, or no more.
	CatalogVersion uint64

	byName map[string]int // of columns, folded
	keyed  bool           // of a plain table: see Keyed
}

// Is reports whether two are one definition of one table under one name, as after
// the catalog was read anew.
func (t *Table) Is(u *Table) bool {
	return t == u || u != nil && t.ID == u.ID && t.Revision == u.Revision && t.CatalogVersion == u.CatalogVersion && t.Twin == u.Twin && t.Schema == u.Schema && t.Name == u.Name
}

// Column is one column of a table, protected or plain.
type Column struct {
	// ID is in the key and the seal of the column's values.
	ID ID
	// Domain is in the keys of its layers. Columns of one domain have equal tokens
	// for equal values; a foreign key's column has that of the one it refers to.
	Domain ID
	// Epoch is the key epoch that new values are sealed under.
	Epoch uint16
	Name  string
	// Family is the stored column of the family that the column is in; "" of one that is sealed by
	// itself, and of a plain one.
	Family string
	// TypeText and CollationName are COLUMN_TYPE and COLLATION_NAME of the logical
	// column in information_schema; Type is what they say.
	TypeText, CollationName string
	Type                    value.Type

	Protection    policy.Protection
	Layers        []Layer
	Default       Default
	AutoIncrement bool
	// OnUpdateNow says ON UPDATE CURRENT_TIMESTAMP.
	OnUpdateNow bool
	Invisible   bool
	// Nullable says that the sealed form takes NULL at the server though the column does not:
	// it has come while clients went on, and no row has NULL in it.
	Nullable bool
	// Generated says that the value is computed from other columns: by the server if the
	// column is plain, else from the expression of its Default.
	Generated bool
	// ValidJSON says that only valid JSON may be stored, of a type that is no JSON
	// by itself: MariaDB's JSON is a LONGTEXT with a CHECK.
	ValidJSON bool
	// Backfilling says that a change is adding the column to a table with rows: an INSERT
	// writes it, and no name finds it. Such a column is protected, invisible and
	// behind all others; the logical definition does not have it yet.
	Backfilling bool
	// Shadows is the column of which a column that is being backfilled has every value, so that
	// it can take its place; "" of any other. What is written to the one is written to the
	// other, and it is read from the one that is shadowed: a plain column of the same type, or a
	// protected one of another type, domain or collation, whose values are converted.
	Shadows string
}

// Protected reports whether the column has a sealed form.
func (c *Column) Protected() bool { return c.Protection.Protected }

// Default is what a column is given where a statement gives it nothing.
type Default struct {
	Kind DefaultKind
	// Canonical is the value in the column's canonical form, of DefaultValue.
	Canonical []byte
	// Fraction is the digits of the fraction, of DefaultNow.
	Fraction int
	// Text is the expression as the server shows it, of DefaultExpression.
	Text string
}

// DefaultKind is what a DEFAULT clause says.
type DefaultKind uint8

// The kinds of defaults.
const (
	NoDefault         DefaultKind = iota // the column must be given a value
	DefaultNull                          // NULL, said or implied
	DefaultValue                         // a constant
	DefaultNow                           // CURRENT_TIMESTAMP
	DefaultServer                        // of a plain column: the server's own business
	DefaultExpression                    // what an expression comes to, of a protected column
)

// Layer is a stored form besides the sealed one.
type Layer struct {
	Capability policy.Capabilities // one of them
	Scheme     Scheme
	Grain      policy.Grain
	State      State
	// Epoch is that of the key that tokens are made under. Layers of one domain and
	// capability that are compared with each other have one.
	Epoch uint16
	// Stored is the name of the layer's column.
	Stored string
	// Nullable says that the stored column takes NULL though the logical one does not, as
	// one that was added to a table with rows. No row has it once the layer is ready.
	Nullable bool
	// Since is the revision of the table that brought the layer to rows that were there, 0 of
	// one that was made with its table: see DateLayers.
	Since uint64
	// Job is the ID of the job that backfills the layer or takes it away, which the layer is left to
	// while other changes of the table go by; 0 of one that a statement backfills, and of
	// one that is ready.
	Job uint64
	// Late says that a transaction may see rows as they were before the layer was backfilled: see
	// SeenSince. It is not written down.
	Late bool
}

// Scheme is the algorithm of a layer.
type Scheme uint8

// The schemes, and their names in the catalog.
const (
	NoScheme Scheme = iota
	PRP64           // equality of values of at most 64 bits
	CMAC            // equality of all others
	ORD1            // order
	AsIs            // none: the value as a plain column has it
)

// PlainForm is the capability of the layer of a column that is to be plain: the value itself,
// in a column of the logical one's type, written beside the sealed form by everything that
// writes that, and read by nobody until it takes its place. No policy can ask for it, and it
// is in no ceiling: an administrator's command brings it.
const PlainForm policy.Capabilities = 1 << 7

// Bare reports whether the layer is the value itself: see PlainForm.
func (l *Layer) Bare() bool { return l.Scheme == AsIs }

// IsShadow reports whether the layer is a shadow: see Shadow.
func (l *Layer) IsShadow() bool { return Base(l.Capability) != l.Capability }

// State is how far a layer is (Rae et al., Online, Asynchronous Schema Change in F1,
// VLDB 2013). A layer that is made with its table is ready from its first row on.
type State uint8

// The states of a layer.
const (
	Absent      State = iota
	Backfilling       // written by every write and read by none, while older rows get theirs; NULL stands for a missing one
	Ready             // written by every write, and plans may use it
	Retiring          // written by every write, whole, and no plan of who has read the catalog uses it
)

// Layer returns the column's layer of a capability, or nil.
func (c *Column) Layer(capability policy.Capabilities) *Layer {
	for i := range c.Layers {
		if c.Layers[i].Capability == capability {
			return &c.Layers[i]
		}
	}
	return nil
}

// Shadow is the shadow of the column's layer of a capability, or nil.
func (c *Column) Shadow(of policy.Capabilities) *Layer { return c.Layer(Shadow(of)) }

// LowestEpoch and HighestEpoch are the bounds of the epochs that the table's definition
// names: those that new forms are made under. Its rows may have sealed forms of lower ones.
func (t *Table) LowestEpoch() uint16 {
	lowest := ^uint16(0)
	for e := range t.epochs() {
		lowest = min(lowest, e)
	}
	return lowest
}

// HighestEpoch is 0 where nothing is protected.
func (t *Table) HighestEpoch() (highest uint16) {
	for e := range t.epochs() {
		highest = max(highest, e)
	}
	return highest
}

func (t *Table) epochs() iter.Seq[uint16] {
	return func(yield func(uint16) bool) {
		for s := range t.StoredColumns() {
			if s.Kind == StoredSealed && !yield(s.Column.Epoch) || s.Kind == StoredFamily && !yield(s.Family.Epoch) || s.Kind == StoredToken && !yield(s.Layer.Epoch) {
				return
			}
		}
	}
}

// Key is an index of a table, the primary key included.
type Key struct {
	Name   string
	Kind   KeyKind
	Parts  []Part
	Hidden bool // INVISIBLE (MySQL) or IGNORED (MariaDB)
}

// KeyKind is the kind of an index.
type KeyKind uint8

// The kinds of indexes.
const (
	Index KeyKind = iota
	Primary
	Unique
	Fulltext
	Spatial
)

// Distinct reports whether no two rows may have equal values in the key.
func (k *Key) Distinct() bool { return k.Kind == Primary || k.Kind == Unique }

// UniqueAlone reports whether a unique key is over a column, or its beginning, and nothing else.
func (t *Table) UniqueAlone(c *Column) bool {
	return slices.ContainsFunc(t.Keys, func(k Key) bool { return k.Distinct() && len(k.Parts) == 1 && k.Parts[0].Column == c.Name })
}

// KeepsRows reports whether a key is one that the server may keep the rows by. Such a key it drops
// only by copying the table, unless that gets another one (error 1846). Without a primary key it is
// the first unique one whose stored columns all refuse NULL and are whole; which one the server has
// first is its own affair, so that each of them counts.
func (t *Table) KeepsRows(k *Key) bool {
	isPrimary := func(k Key) bool { return k.Kind == Primary }
	if k.Kind != Unique || slices.ContainsFunc(t.Keys, isPrimary) {
		return k.Kind == Primary
	}
	return !slices.ContainsFunc(k.Parts, func(p Part) bool {
		at := t.Column(p.Column)
		if at < 0 || p.Prefix > 0 || !t.Columns[at].Type.NotNull {
			return true
		}
		l := t.Columns[at].Layer(p.Layer)
		return p.Layer != 0 && (l == nil || l.Nullable)
	})
}

// Part is one column of a key.
type Part struct {
	Column string
	Prefix int // characters of a text, or bytes, that are indexed; 0 is all
	Desc   bool
	// Layer is the layer that the stored index is over, of a protected column.
	Layer policy.Capabilities
}

// ForeignKey is a foreign key of a table.
type ForeignKey struct {
	Name             string
	Columns          []string
	Schema, Table    string
	Referenced       []string
	OnDelete, OnRow  string // of ON DELETE and ON UPDATE: RESTRICT, CASCADE, SET NULL, NO ACTION
	ReferencedStored bool   // the referenced table is protected
	// Layers are those that the stored key has its columns over, 0 for a plain one.
	Layers []policy.Capabilities `json:",omitempty"`
}

// Check is a CHECK constraint of a table.
type Check struct {
	Name string
	// Clause is what has to hold, as the server shows it.
	Clause string
	// Column is the column in whose definition MariaDB has it; "" for one of the table.
	Column string `json:",omitempty"`
}

// Column finds a column by its name, whatever its case; -1 if there is none.
func (t *Table) Column(name string) int {
	if i, ok := t.byName[name]; ok {
		return i
	}
	if i, ok := t.byName[strings.ToLower(name)]; ok {
		return i
	}
	return -1
}

// index prepares the table for lookups. Columns that are being backfilled have no name
// yet. Of a table that is prepared nothing is written: others may know it as one that is coming.
func (t *Table) index() {
	byName := make(map[string]int, len(t.Columns))
	for i := range t.Columns {
		if !t.Columns[i].Backfilling {
			byName[strings.ToLower(t.Columns[i].Name)] = i
		}
	}
	if t.byName == nil || !maps.Equal(t.byName, byName) {
		t.byName = byName
	}
}

// Known are the columns that the logical definition has. Those that are being backfilled
// are behind them.
func (t *Table) Known() []Column {
	n := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Backfilling })
	if n < 0 {
		return t.Columns
	}
	return t.Columns[:n]
}

// Backfills reports whether rows from before lack a form of the column still.
func (c *Column) Backfills() bool {
	return c.Backfilling || slices.ContainsFunc(c.Layers, func(l Layer) bool { return l.State == Backfilling })
}

// Backfills reports whether a statement or a job is adding columns or layers to the table that
// older rows do not have yet.
func (t *Table) Backfills() bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Backfills() })
}

// BackfillsForStatement reports whether a statement is: what it adds belongs to nobody once the
// statement has ended, and so does what is to take the place of a protected column. What a
// job adds goes on, and so do what shadows a plain column, what is to become one, and what comes into another family.
func (t *Table) BackfillsForStatement() bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool {
		return !t.shadowsPlain(&c) && !t.moves(&c) && (c.Backfilling || slices.ContainsFunc(c.Layers, func(l Layer) bool { return l.State == Backfilling && l.Job == 0 && !l.Bare() }))
	})
}

// RowKey returns the key by which one row can be found again: the primary key, or
// else the first unique one without NULLs and prefixes; nil if there is none.
func (t *Table) RowKey() *Key {
	var found *Key
	for i := range t.Keys {
		k := &t.Keys[i]
		if !k.Distinct() || !t.identifies(k) {
			continue
		}
		if k.Kind == Primary {
			return k
		}
		if found == nil {
			found = k
		}
	}
	return found
}

func (t *Table) identifies(k *Key) bool {
	for _, p := range k.Parts {
		i := t.Column(p.Column)
		if i < 0 || p.Prefix != 0 || !t.Columns[i].Type.NotNull {
			return false
		}
	}
	return len(k.Parts) > 0
}

// PlainShadow is the number of the column that has the values of a plain one, -1 if none has.
func (t *Table) PlainShadow(plain int) int {
	if t.Columns[plain].Protected() {
		return -1
	}
	return t.shadowAt(plain)
}

// Shadow is the number of the column that is to take the place of a protected one, of
// which it has the values in another type; -1 if there is none.
func (t *Table) Shadow(protected int) int {
	if !t.Columns[protected].Protected() {
		return -1
	}
	return t.shadowAt(protected)
}

func (t *Table) shadowAt(column int) int {
	name := t.Columns[column].Name
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Shadows != "" && strings.EqualFold(c.Shadows, name) })
}

// ShadowOf is the number of the protected column whose place a column is to take, -1 if
// it is to take none.
func (t *Table) ShadowOf(column int) int {
	c := &t.Columns[column]
	if c.Shadows == "" || t.shadowsPlain(c) {
		return -1
	}
	return t.Column(c.Shadows)
}

// shadowsPlain says that a column shadows a plain one.
func (t *Table) shadowsPlain(c *Column) bool {
	if c.Shadows == "" {
		return false
	}
	at := t.Column(c.Shadows)
	return at < 0 || !t.Columns[at].Protected()
}

// Encrypting reports whether a plain column is to be replaced by a protected one, which is
// being backfilled.
func (t *Table) Encrypting() bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return t.shadowsPlain(&c) })
}

// Baring reports whether protected columns are to become plain ones, or have: they have a layer
// that is the value itself.
func (t *Table) Baring() bool {
	return t.Bared || slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Layer(PlainForm) != nil })
}

// OrderIsExact reports whether an order layer of the column, without a grain, has
// another token for every other value. Of strings it has only the beginning.
func (c *Column) OrderIsExact() bool {
	k := c.Type.Kind
	return k.IsNumber() || k.IsTemporal() || k == value.Enum
}
