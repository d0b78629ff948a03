package binding

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"tunic/internal/arena"
	"tunic/internal/environment"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Binder turns the values that a statement is executed with into what fills its
// slots. It belongs to one session, which uses it for one statement after the
// other; its buffers stay, so that values cost no memory of their own.
type Binder struct {
	Statement *Statement
	Env       *environment.Environment

	Text     []byte // of the client, with literals; not of an execution
	Literals *sql.Literals
	Prepared *Execution // of an execution
	// Variables are the user variables that the statement reads, using what is behind
	// USING; variableTypes sets the session of a Describer to variables of their types.
	Variables, Using []Variable
	variableTypes    string

	// ElementCount is elementsOf as a function, made once; the others are fill and
	// neutral.
	ElementCount          func(group int) int
	FillHole, neutralHole FillFunc

	Source value.Source
	// constants are the values that are computed before the statement is sent.
	constants constants
	Row       int // that is being computed, from 1; 0 if values are of no row
	// Most is how many rows a query asks for whose LIMIT is a slot; 0 for all.
	Most     uint64
	guarding guarding
	Sought   Sought
	Added    *Added  // rows that come from elsewhere than the text; nil if there are none
	Drawn    Drawn   // values of sequences
	bounds   []Bound // by the number of the operand
	among    []columnAmong
	// Notices are what the values have raised.
	Notices Notices

	scratch, signs, strings, Form, shape []byte
	record                               [][]byte // the values of a family

	listed  []sql.Place
	listing *Statement // that is described
	alike   []byte     // a value like a parameter's
}

// Bound is the value of an operand, converted to its column's type.
type Bound struct {
	element   int // of its group, from 1; 0 if there is no value yet
	reach     reach
	canonical []byte
}

// reach is where a value is among those of its column.
type reach uint8

const (
	within   reach = iota // a value that the column can have
	isNull                // NULL
	just                  // greater than the canonical value, and less than the next one
	belowAll              // less than every value of the column
	aboveAll              // greater than every value of the column, or equal to none
)

// New is a Binder of no statement.
func New() *Binder {
	b := &Binder{}
	b.ElementCount = b.elementsOf
	b.FillHole, b.neutralHole = b.Fill, b.neutral
	return b
}

// Begin prepares for the values of one execution.
func (b *Binder) Begin(st *Statement) {
	b.Statement, b.Most = st, 0
	b.constants.begin()
	env := b.Env
	for len(b.bounds) < len(st.Operands) {
		b.bounds = append(b.bounds, Bound{})
	}
	for i := range b.bounds[:len(st.Operands)] {
		b.bounds[i].element = 0
	}
	env.Value.NullFails = st.Inserts() && st.oneRow(b.ElementCount)
	env.Value.Ignore = st.Run.Ignore
	if st.NeedsNow {
		env.Begin()
	}
	b.guarding.begin(st)
	b.Sought.begin(st)
}

// Again begins with other rows of the same statement: their values are converted anew, and they are looked at
// as if none had been before.
func (b *Binder) Again() {
	for i := range b.bounds {
		b.Unbind(i)
	}
	b.LookAgain()
}

// LookAgain begins with a row that may have been looked at before.
func (b *Binder) LookAgain() { b.guarding.again() }

// Unbind has the value of an operand be converted anew.
func (b *Binder) Unbind(n int) { b.bounds[n].element = 0 }

// BindQuietly is Quietly for all values that a slot of the statement takes.
func (b *Binder) BindQuietly(n, element int) error {
	for operand := range b.Statement.Slots[n].operands() {
		if _, err := b.Quietly(operand, element); err != nil {
			return err
		}
	}
	return nil
}

// End lets go of the statement, and of buffers that one large value has left.
func (b *Binder) End() {
	b.Drawn = nil
	b.Statement, b.listing, b.Text, b.Literals, b.Prepared, b.Added, b.among, b.Source = nil, nil, nil, nil, nil, nil, nil, value.Source{}
	clear(b.Variables)
	b.Variables, b.Using = b.Variables[:0], nil
	for _, buffer := range [...]*[]byte{&b.scratch, &b.signs, &b.strings, &b.Form, &b.shape, &b.alike} {
		if cap(*buffer) > arena.KeepMax {
			*buffer = nil
		}
	}
	for i := range b.bounds {
		if cap(b.bounds[i].canonical) > arena.KeepMax {
			b.bounds[i].canonical = nil
		}
	}
}

func (b *Binder) elementsOf(group int) int {
	switch {
	case group == sql.QueryRows && b.Added == nil:
		return 0 // they are not there yet
	case group == sql.QueryRows:
		return len(b.Added.Rows)
	case b.Prepared != nil:
		return b.Prepared.Elements[group]
	case b.Literals == nil:
		return 1
	}
	return b.Literals.Elements(group)
}

// Fill appends what belongs into a hole of the stored statement. What the client
// wrote for a plain column stays as it is.
func (b *Binder) Fill(dst []byte, h sql.Hole, element int) ([]byte, error) {
	switch h.Kind {
	case sql.HolePlace:
		return b.AppendPlace(dst, h.Place, element)
	case sql.HoleSlot:
		return b.FillSlot(dst, h.Number, element)
	case sql.HoleParam:
		return b.AppendParamAt(dst, h)
	default:
		return dst, ErrHole
	}
}

// ErrHole is a parameter in a statement that is not prepared.
var ErrHole = sqlerr.StatementUnread()

// FillSlot appends the form of a value as a literal.
func (b *Binder) FillSlot(dst []byte, n, element int) ([]byte, error) {
	s := &b.Statement.Slots[n]
	if s.form == recipe.Most {
		return strconv.AppendUint(dst, b.rowsAsked(), 10), nil
	}
	null, err := b.makeForm(s, element)
	switch {
	case err != nil:
		return dst, err
	case null:
		return append(dst, "NULL"...), nil
	case s.form == recipe.Value, s.form == recipe.Bare:
		return b.Env.AppendKept(dst, &b.Statement.Operands[s.operand].Column.Type, b.bounds[s.operand].canonical)
	}
	return b.Env.AppendForm(dst, b.Form), nil
}

// makeForm makes the form of a slot's value in b.form, but that of a plain column; null says
// that it is NULL.
func (b *Binder) makeForm(s *slot, element int) (null bool, err error) {
	if s.unpadded && b.Env.Value.Mode&value.PadCharToFullLength != 0 {
		return false, errPadded
	}
	for _, n := range s.first {
		if _, err := b.Bind(n, element); err != nil {
			return false, err
		}
	}
	v, err := b.Bind(s.operand, element)
	if err != nil {
		return false, err
	}
	b.Form = b.Form[:0]
	if b.Statement.guards() != nil && b.Statement.judges(s) {
		bad, err := b.judge(b.Statement.Operands[s.operand].Row, element)
		if bad || err != nil {
			b.Form = append(b.Form[:0], noForm)
			return false, err
		}
	}
	switch {
	case s.record != nil:
		return false, b.makeRecord(s, element)
	case v.reach == isNull:
		return true, nil
	case s.form == recipe.Value, s.form == recipe.Bare:
		return false, nil // it depends on where it goes
	}
	canonical, err := b.ForShadow(s.column, v.canonical)
	switch {
	case err != nil:
		return false, err
	case s.form == recipe.Sealed:
		b.Form, err = s.column.Forms.AppendSealed(b.Form, canonical)
	case v.reach == within || v.reach == just:
		b.Form, err = s.column.Forms.AppendToken(b.Form, s.layer, canonical)
	}
	if err != nil {
		return false, sqlerr.ValueRefused("a value")
	}
	b.Form = append(b.Form, tails[v.reach]...)
	if s.seek > 0 {
		b.Sought.note(b.Statement, s.seek-1, v, b.Form)
	}
	return false, nil
}

// makeRecord makes the sealed form of a family in b.Form.
func (b *Binder) makeRecord(s *slot, element int) error {
	values := b.record[:0]
	for _, n := range s.record {
		v, err := b.Bind(n, element)
		if err != nil {
			return err
		}
		values = append(values, v.Value())
	}
	b.record = values
	var err error
	if b.Form, err = s.column.Family.AppendSealed(b.Form, values); err != nil {
		err = sqlerr.ValueRefused("a value")
	}
	clear(values)
	return err
}

// errPadded is the refusal of a condition on a CHAR that the server decides by tokens, which have no
// spaces at the end, where values are compared with them.
var errPadded = sqlerr.StatementRefused("a condition on a CHAR of a NO PAD collation, under PAD_CHAR_TO_FULL_LENGTH,")

// tails are what follows the token of a value by its reach. Tokens of a column are
// all of one length and compare byte by byte. The empty one is less than any; one
// with a byte more is between the one that it begins with and the next; and one of
// more bytes, all of them the highest, is greater than any and equal to none.
var tails = [...][]byte{
	just:     {0},
	aboveAll: bytes.Repeat([]byte{0xff}, tokenBytesMax+1),
}

// tokenBytesMax is the longest token: an order token of 128 bits.
const tokenBytesMax = 64

// Bind converts the value of an operand, once for all slots that it has.
func (b *Binder) Bind(n, element int) (*Bound, error) {
	v, o := &b.bounds[n], &b.Statement.Operands[n]
	if v.element == element+1 {
		return v, nil
	}
	v.canonical, v.reach = v.canonical[:0], within
	if err := b.convert(v, o, element); err != nil {
		return nil, err
	}
	v.element = element + 1
	return v, nil
}

func (b *Binder) convert(v *Bound, o *Operand, element int) error {
	if o.Of.Kind == recipe.FromDefault {
		return b.defaultOf(v, o, element)
	}
	if o.Of.Kind == recipe.FromPlace && o.Of.Place.Group == sql.QueryRows {
		return b.Added.take(v, o.Of.Place.Cell, element)
	}
	if digits, ok := b.isNow(o); ok {
		v.canonical = value.AppendNow(v.canonical, value.Timestamp, b.Env.Value.Now, digits, &b.Env.Value)
		return nil
	}
	if err := b.take(o, element); err != nil {
		return err
	}
	if o.Of.Ignored {
		return b.ignored(v, o, element)
	}
	if o.Use != recipe.Assign {
		return b.compare(v, o)
	}
	return b.assign(v, o, element)
}

// take finds the value of an operand.
func (b *Binder) take(o *Operand, element int) error {
	switch {
	case o.Of.Kind == recipe.FromComputed:
		return b.constants.take(b, o.Of.Computed, element)
	case o.Of.Kind == recipe.FromForm:
		return b.constantSource(o.Constant, o.Of.Negative)
	case o.Of.Kind == recipe.FromParam && o.Of.Param >= recipe.FirstSequence:
		v, ok := b.drawnOf(o.Of.Param, element)
		if b.Source = v; !ok {
			return ErrHole
		}
		return nil
	case o.Of.Kind == recipe.FromParam:
		return b.paramSource(o.Of.Param, o.paramUse())
	case b.Prepared != nil:
		return b.constantSource(b.Prepared.constant(o.Of.Place, element), o.Of.Negative)
	case o.Of.Kind == recipe.FromPlace:
		return b.constantSource(b.literal(&o.Of, element), o.Of.Negative)
	}
	return ErrHole
}

// assign converts the value as the server does when it stores it.
func (b *Binder) assign(v *Bound, o *Operand, element int) error {
	if err := b.Env.Serves(&o.Column.Type); err != nil {
		return err
	}
	if b.derives(&o.Column.Type, &b.Source) {
		return sqlerr.ValueRefused("the conversion of a parameter of this type to the column's")
	}
	if HasBlank(&o.Column.Type, &b.Source) {
		return ErrBlank
	}
	var outcome value.Outcome
	v.canonical, outcome = value.Assign(v.canonical, &o.Column.Type, &b.Source, &b.Env.Value)
	if outcome.Null {
		v.reach = isNull
	}
	if len(outcome.Conditions()) > 0 {
		if err := b.Raise(&outcome, o, element); err != nil {
			return err
		}
	}
	if o.Column.ValidJSON && v.reach == within {
		return b.Document(o.Column, v.canonical)
	}
	return nil
}

// Raise notes what the server would say of a value, and returns its error if that
// fails the statement.
func (b *Binder) Raise(outcome *value.Outcome, o *Operand, element int) error {
	row := max(b.Row, 1)
	if b.Statement.Inserts() && b.Row == 0 {
		row = b.Statement.rowOf(o.Row, element, b.ElementCount)
	}
	var failed error
	for _, c := range outcome.Conditions() {
		if c.Code == value.Unanswerable {
			return sqlerr.ValueRefused("the conversion to the column's type")
		}
		message := c.AppendMessage(nil, &b.Env.Value, o.Column.Names, row)
		b.Note(c.Level, uint16(c.Code), message)
		if c.Level == value.Error && failed == nil {
			failed = ServerError(b.Env.Value.Flavor, uint16(c.Code), string(message))
		}
	}
	return failed
}

// Quietly is bind for a value that has been bound before: nothing is said of it a
// second time.
func (b *Binder) Quietly(n, element int) (*Bound, error) {
	notices, row := b.Notices, b.Row
	b.Row = 0
	v, err := b.Bind(n, element)
	b.Notices, b.Row = notices, row
	return v, err
}

// Number is the number that a value is in a column of whole numbers, 0 for NULL; false if that is
// not known. Nothing is said of the value: the server has.
func (b *Binder) Number(o *Operand, element int) (n uint64, ok bool) {
	notices, fails := b.Notices, b.Env.Value.NullFails
	b.Env.Value.NullFails = false
	v := Bound{}
	err := b.convert(&v, o, element)
	b.Notices, b.Env.Value.NullFails = notices, fails
	switch {
	case v.reach == isNull, b.Source.Form == value.FormNull && o.Of.Place.Group != sql.QueryRows:
		return 0, true
	case err != nil, len(v.canonical) != 8:
		return 0, false
	}
	return binary.BigEndian.Uint64(v.canonical), true
}

// Value is the canonical form, nil for NULL.
func (v *Bound) Value() []byte {
	switch {
	case v.reach == isNull:
		return nil
	case v.canonical == nil:
		return []byte{}
	}
	return v.canonical
}

// FillFunc appends what belongs into a hole.
type FillFunc = func(dst []byte, h sql.Hole, element int) ([]byte, error)

// rowsAsked is what the LIMIT of the stored statement is.
func (b *Binder) rowsAsked() uint64 {
	if b.Most == 0 {
		return 1<<64 - 1
	}
	return b.Most
}

// NumberOf is an operand of LIMIT, 0 if there is none.
func (b *Binder) NumberOf(e ast.Expr) (n uint64, ok bool) {
	switch e := e.(type) {
	case nil:
		return 0, true
	case *ast.Literal:
		return ParseDigits([]byte(e.Val))
	case *ast.Argument:
		if err := b.take(&Operand{Of: local.OperandOf(e)}, 0); err != nil {
			return 0, false // the steps say what is wrong with it
		}
		s := &b.Source
		return s.Number, s.Form == value.FormUint || s.Form == value.FormInt && int64(s.Number) >= 0
	}
	return 0, false
}

// StoredBytes is about how long the stored statement of a text will be.
func (b *Binder) StoredBytes(st *Statement, text int) int {
	rows := 1
	for g := range b.Literals.Groups() {
		rows = max(rows, b.Literals.Elements(g))
	}
	return 2*text + rows*len(st.Operands)*FormBytes
}

// FormBytes is about how long the forms of a value are together, written as
// literals.
const FormBytes = 128

// TypesOfVariables is what sets a Describer's variables for the statement under way.
func (b *Binder) TypesOfVariables() string {
	if len(b.Variables) == 0 {
		return ""
	}
	return b.variableTypes
}

// ErrTwiceSet is the refusal of a TIMESTAMP that would be set to another moment than the server's.
var ErrTwiceSet = sqlerr.ValueRefused("a TIMESTAMP of an hour that is there twice, as the new value of a column,")

// AppendFind appends what a row is found by.
func (b *Binder) AppendFind(dst []byte, s *recipe.Slot, operand, element int) ([]byte, error) {
	if operand < 0 {
		return b.AppendWritten(dst, &s.Of, element)
	}
	v, err := b.Quietly(operand, element)
	switch {
	case err != nil:
		return dst, err
	case v.reach == isNull:
		return append(dst, "NULL"...), nil
	}
	b.Form, err = b.Statement.Operands[operand].Column.Forms.AppendToken(b.Form[:0], s.Layer, v.canonical)
	if err != nil {
		return dst, sqlerr.ValueRefused("a value")
	}
	return environment.AppendHex(dst, b.Form), nil
}
