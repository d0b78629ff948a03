package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"tunic/internal/policy"
	"tunic/internal/value"
)

// Versions of the form that Encode writes. A tunic that meets another one must not guess: one that does not know
// families would take their stored columns for what was left of others.
const (
	format         = 1
	formatFamilies = 2 // of a table with families
)

// Types tells what a logical column's COLUMN_TYPE and COLLATION_NAME are.
type Types func(typeText, collation string, notNull bool) (value.Type, error)

// Errors of Decode.
var (
	// ErrFormat says that a newer tunic has written the table.
	ErrFormat = errors.New("catalog: a form of a table that this version does not know")
	// ErrContent says that what is written is not a table.
	ErrContent = errors.New("catalog: not the definition of a table")
)

// The written form of a table is JSON, sealed by who stores it: tables change
// seldom, and a form that people can read is what a recovery wants.
type (
	writtenTable struct {
		Format         int             `json:"format"`
		ID             ID              `json:"id"`
		Schema         string          `json:"schema"`
		Name           string          `json:"name"`
		Revision       uint64          `json:"revision"`
		Twin           string          `json:"twin"`
		Definition     string          `json:"definition"`
		Columns        []writtenColumn `json:"columns"`
		Keys           []writtenKey    `json:"keys"`
		Families       []writtenFamily `json:"families,omitempty"`
		ForeignKeys    []ForeignKey    `json:"foreign_keys,omitempty"`
		Checks         []Check         `json:"checks,omitempty"`
		View           *writtenView    `json:"view,omitempty"`
		Fenced         bool            `json:"fenced,omitempty"`
		Unchecked      bool            `json:"unchecked,omitempty"`
		Bared          bool            `json:"bared,omitempty"`
		CatalogVersion uint64          `json:"edition,omitempty"`
	}
	writtenColumn struct {
		ID          ID             `json:"id"`
		Domain      ID             `json:"domain"`
		Epoch       uint16         `json:"epoch,omitempty"`
		Name        string         `json:"name"`
		Family      string         `json:"family,omitempty"`
		Type        string         `json:"type"`
		Collation   string         `json:"collation,omitempty"`
		NotNull     bool           `json:"not_null,omitempty"`
		Protection  string         `json:"protection"`
		Layers      []writtenLayer `json:"layers,omitempty"`
		Default     string         `json:"default"`
		Canonical   []byte         `json:"canonical,omitempty"`
		Fraction    int            `json:"fraction,omitempty"`
		Expression  string         `json:"expression,omitempty"`
		Auto        bool           `json:"auto_increment,omitempty"`
		OnUpdate    bool           `json:"on_update_now,omitempty"`
		Invisible   bool           `json:"invisible,omitempty"`
		Nullable    bool           `json:"nullable,omitempty"`
		Generated   bool           `json:"generated,omitempty"`
		ValidJSON   bool           `json:"valid_json,omitempty"`
		Backfilling bool           `json:"filling,omitempty"`
		Shadows     string         `json:"copies,omitempty"`
	}
	writtenLayer struct {
		Capability string `json:"capability"`
		Scheme     string `json:"scheme"`
		Grain      string `json:"grain,omitempty"`
		State      string `json:"state"`
		Epoch      uint16 `json:"epoch,omitempty"`
		Stored     string `json:"stored"`
		Nullable   bool   `json:"nullable,omitempty"`
		Since      uint64 `json:"since,omitempty"`
		Job        uint64 `json:"job,omitempty"`
	}
	writtenFamily struct {
		ID       ID            `json:"id"`
		Epoch    uint16        `json:"epoch,omitempty"`
		Stored   string        `json:"stored"`
		Takes    string        `json:"takes,omitempty"`
		Nullable bool          `json:"nullable,omitempty"`
		Layouts  []Layout      `json:"layouts"`
		Added    []AddedColumn `json:"added,omitempty"`
		Bytes    int           `json:"bytes"`
	}
	writtenKey struct {
		Name   string        `json:"name"`
		Kind   string        `json:"kind"`
		Parts  []writtenPart `json:"parts"`
		Hidden bool          `json:"hidden,omitempty"`
	}
	writtenPart struct {
		Column string `json:"column"`
		Prefix int    `json:"prefix,omitempty"`
		Desc   bool   `json:"desc,omitempty"`
		Layer  string `json:"layer,omitempty"`
	}
)

// Words of the written form. A value that has none cannot be written.
var (
	capabilityWords = words[policy.Capabilities]{
		0: "", policy.Equality: "equality", policy.Order: "order", PlainForm: "plain",
		Shadow(policy.Equality): "next equality", Shadow(policy.Order): "next order",
	}
	schemeWords  = words[Scheme]{PRP64: "prp64", CMAC: "cmac", ORD1: "ord1", AsIs: "as-is"}
	stateWords   = words[State]{Backfilling: "filling", Ready: "ready", Retiring: "retiring"}
	keyKindWords = words[KeyKind]{Index: "index", Primary: "primary", Unique: "unique", Fulltext: "fulltext", Spatial: "spatial"}
	defaultWords = words[DefaultKind]{NoDefault: "none", DefaultNull: "null", DefaultValue: "value", DefaultNow: "now", DefaultServer: "server", DefaultExpression: "expression"}
)

type words[T comparable] map[T]string

// read finds the value of a word, or notes that there is none.
func (w words[T]) read(word string, err *error) T {
	for v, name := range w {
		if name == word {
			return v
		}
	}
	*err = errors.Join(*err, ErrContent)
	var none T
	return none
}

// Encode writes a table down.
func (t *Table) Encode() ([]byte, error) {
	w := writtenTable{
		Format: format, ID: t.ID, Schema: t.Schema, Name: t.Name, Revision: t.Revision, Twin: t.Twin, Definition: t.Definition,
		Columns: make([]writtenColumn, 0, len(t.Columns)), Keys: make([]writtenKey, 0, len(t.Keys)),
		ForeignKeys: t.ForeignKeys, Checks: t.Checks, View: t.View.written(), Fenced: t.Fenced, Unchecked: t.Unchecked, Bared: t.Bared, CatalogVersion: t.CatalogVersion,
	}
	for i := range t.Columns {
		w.Columns = append(w.Columns, t.Columns[i].written())
	}
	for _, f := range t.Families {
		w.Format, w.Families = formatFamilies, append(w.Families, writtenFamily(f))
	}
	for i := range t.Keys {
		w.Keys = append(w.Keys, t.Keys[i].written())
	}
	return json.Marshal(w)
}

func (c *Column) written() writtenColumn {
	w := writtenColumn{
		ID: c.ID, Domain: c.Domain, Epoch: c.Epoch, Name: c.Name, Family: c.Family, Type: c.TypeText, Collation: c.CollationName,
		NotNull: c.Type.NotNull, Protection: c.Protection.String(),
		Default: defaultWords[c.Default.Kind], Canonical: c.Default.Canonical, Fraction: c.Default.Fraction,
		Expression: c.Default.Text, Auto: c.AutoIncrement, OnUpdate: c.OnUpdateNow, Invisible: c.Invisible, Nullable: c.Nullable, Generated: c.Generated,
		ValidJSON: c.ValidJSON, Backfilling: c.Backfilling, Shadows: c.Shadows,
	}
	for _, l := range c.Layers {
		w.Layers = append(w.Layers, writtenLayer{
			Capability: capabilityWords[l.Capability], Scheme: schemeWords[l.Scheme], Grain: l.Grain.String(),
			State: stateWords[l.State], Epoch: l.Epoch, Stored: l.Stored, Nullable: l.Nullable, Since: l.Since, Job: l.Job,
		})
	}
	return w
}

func (k *Key) written() writtenKey {
	w := writtenKey{Name: k.Name, Kind: keyKindWords[k.Kind], Hidden: k.Hidden, Parts: make([]writtenPart, 0, len(k.Parts))}
	for _, p := range k.Parts {
		w.Parts = append(w.Parts, writtenPart{Column: p.Column, Prefix: p.Prefix, Desc: p.Desc, Layer: capabilityWords[p.Layer]})
	}
	return w
}

// Decode reads what Encode has written, all of it or nothing.
func Decode(data []byte, types Types) (*Table, error) {
	var version struct{ Format int }
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, ErrContent
	}
	if version.Format != format && version.Format != formatFamilies {
		return nil, ErrFormat
	}
	var w writtenTable
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&w); err != nil {
		return nil, ErrContent
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, ErrContent
	}
	return w.table(types)
}

func (w *writtenTable) table(types Types) (*Table, error) {
	t := &Table{
		ID: w.ID, Schema: w.Schema, Name: w.Name, Revision: w.Revision, Twin: w.Twin, Definition: w.Definition, ForeignKeys: w.ForeignKeys,
		Checks: w.Checks, Columns: make([]Column, len(w.Columns)), Keys: make([]Key, len(w.Keys)), View: w.View.view(), Fenced: w.Fenced, Unchecked: w.Unchecked, Bared: w.Bared, CatalogVersion: w.CatalogVersion,
	}
	for i := range w.Columns {
		if err := w.Columns[i].column(&t.Columns[i], types); err != nil {
			return nil, fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	for _, f := range w.Families {
		t.Families = append(t.Families, Family(f))
	}
	if (len(t.Families) > 0) != (w.Format == formatFamilies) {
		return nil, fmt.Errorf("%w: of another format", ErrContent)
	}
	for i := range w.Keys {
		if err := w.Keys[i].key(&t.Keys[i]); err != nil {
			return nil, fmt.Errorf("key %d: %w", i+1, err)
		}
	}
	t.index()
	return t, t.check()
}

func (w *writtenColumn) column(c *Column, types Types) (err error) {
	*c = Column{
		ID: w.ID, Domain: w.Domain, Epoch: w.Epoch, Name: w.Name, Family: w.Family, TypeText: w.Type, CollationName: w.Collation,
		Default:       Default{Kind: defaultWords.read(w.Default, &err), Canonical: w.Canonical, Fraction: w.Fraction, Text: w.Expression},
		AutoIncrement: w.Auto, OnUpdateNow: w.OnUpdate, Invisible: w.Invisible, Nullable: w.Nullable, Generated: w.Generated,
		ValidJSON: w.ValidJSON, Backfilling: w.Backfilling, Shadows: w.Shadows,
	}
	for _, l := range w.Layers {
		c.Layers = append(c.Layers, l.layer(&err))
	}
	if err != nil {
		return err
	}
	if c.Protection, err = policy.Parse(w.Protection); err != nil {
		return ErrContent
	}
	c.Type, err = types(w.Type, w.Collation, w.NotNull)
	return err
}

func (w *writtenLayer) layer(err *error) Layer {
	l := Layer{
		Capability: capabilityWords.read(w.Capability, err), Scheme: schemeWords.read(w.Scheme, err),
		State: stateWords.read(w.State, err), Epoch: w.Epoch, Stored: w.Stored, Nullable: w.Nullable, Since: w.Since, Job: w.Job,
	}
	if w.Grain != "" {
		grain, wrong := policy.ParseGrain(w.Grain)
		if wrong != nil {
			*err = errors.Join(*err, ErrContent)
		}
		l.Grain = grain
	}
	return l
}

func (w *writtenKey) key(k *Key) (err error) {
	*k = Key{Name: w.Name, Kind: keyKindWords.read(w.Kind, &err), Hidden: w.Hidden}
	for _, p := range w.Parts {
		k.Parts = append(k.Parts, Part{Column: p.Column, Prefix: p.Prefix, Desc: p.Desc, Layer: capabilityWords.read(p.Layer, &err)})
	}
	return err
}
