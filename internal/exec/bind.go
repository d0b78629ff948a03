package exec

import (
	"bytes"
	"strconv"

	"tunic/internal/arena"
	"tunic/internal/catalog"
	"tunic/internal/environment"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// binder turns the values that a statement is executed with into what fills its
// slots. It belongs to one session, which uses it for one statement after the
// other; its buffers stay, so that values cost no memory of their own.
type binder struct {
	st  *boundStatement
	env *environment.Environment

	text     []byte // of the client, with literals; not of an execution
	literals *sql.Literals
	prepared *execution // of an execution
	// variables are the user variables that the statement reads, using what is behind
	// USING; variableTypes sets the session of a Describer to variables of their types.
	variables, using []Variable
	variableTypes    string

	// elementCount is elementsOf as a function, made once; the others are fill and
	// neutral.
	elementCount          func(group int) int
	fillHole, neutralHole fillFunc

	source value.Source
	// constants are the values that are computed before the statement is sent.
	constants constants
	row       int // that is being computed, from 1; 0 if values are of no row
	// most is how many rows a query asks for whose LIMIT is a slot; 0 for all.
	most uint64
	// beforeRow writes what stands before the first value of a row; nil for what the
	// stored statement has.
	beforeRow func(dst []byte, first bool) []byte
	guarding  guarding
	sought    sought
	added     *added  // rows that come from elsewhere than the text; nil if there are none
	drawn     drawn   // values of sequences
	bounds    []bound // by the number of the operand
	// notices are what the values have raised.
	notices Notices

	scratch, signs, strings, form []byte

	listed  []sql.Place
	listing *boundStatement // that is described
	shape   []byte
	alike   []byte // a value like a parameter's
}

// bound is the value of an operand, converted to its column's type.
type bound struct {
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

func newBinder() *binder {
	b := &binder{}
	b.elementCount = b.elementsOf
	b.fillHole, b.neutralHole = b.fill, b.neutral
	return b
}

// begin prepares for the values of one execution.
func (b *binder) begin(st *boundStatement) {
	b.st, b.most = st, 0
	b.constants.begin()
	env := b.env
	for len(b.bounds) < len(st.operands) {
		b.bounds = append(b.bounds, bound{})
	}
	for i := range b.bounds[:len(st.operands)] {
		b.bounds[i].element = 0
	}
	env.Value.NullFails = st.inserts() && st.oneRow(b.elementCount)
	env.Value.Ignore = st.run.Ignore
	if st.needsNow {
		env.Begin()
	}
	b.guarding.begin(st)
	b.sought.begin(st)
}

// again begins with other rows of the same statement: their values are converted anew, and they are looked at
// as if none had been before.
func (b *binder) again() {
	for i := range b.bounds {
		b.unbind(i)
	}
	b.lookAgain()
}

// lookAgain begins with a row that may have been looked at before.
func (b *binder) lookAgain() { b.guarding.again() }

// unbind has the value of an operand be converted anew.
func (b *binder) unbind(n int) { b.bounds[n].element = 0 }

// operandOfSlot is the operand whose form a slot of the statement takes.
func (b *binder) operandOfSlot(n int) int { return b.st.slots[n].operand }

// end lets go of the statement, and of buffers that one large value has left.
func (b *binder) end() {
	b.drawn = nil
	b.st, b.listing, b.text, b.literals, b.prepared, b.added, b.source = nil, nil, nil, nil, nil, nil, value.Source{}
	clear(b.variables)
	b.variables, b.using = b.variables[:0], nil
	for _, buffer := range [...]*[]byte{&b.scratch, &b.signs, &b.strings, &b.form, &b.shape, &b.alike} {
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

func (b *binder) elementsOf(group int) int {
	switch {
	case group == sql.QueryRows && b.added == nil:
		return 0 // they are not there yet
	case group == sql.QueryRows:
		return len(b.added.rows)
	case b.prepared != nil:
		return b.prepared.elements[group]
	case b.literals == nil:
		return 1
	}
	return b.literals.Elements(group)
}

// fill appends what belongs into a hole of the stored statement. What the client
// wrote for a plain column stays as it is.
func (b *binder) fill(dst []byte, h sql.Hole, element int) ([]byte, error) {
	switch h.Kind {
	case sql.HolePlace:
		return b.appendPlace(dst, h.Place, element)
	case sql.HoleSlot:
		return b.fillSlot(dst, h.Number, element)
	case sql.HoleParam:
		return b.appendParamAt(dst, h)
	default:
		return dst, errHole
	}
}

// errHole is a parameter in a statement that is not prepared.
var errHole = sqlerr.StatementUnread()

// fillSlot appends the form of a value as a literal.
func (b *binder) fillSlot(dst []byte, n, element int) ([]byte, error) {
	s := &b.st.slots[n]
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
		return b.env.AppendKept(dst, &b.st.operands[s.operand].column.Type, b.bounds[s.operand].canonical)
	}
	return b.env.AppendForm(dst, b.form), nil
}

// makeForm makes the form of a slot's value in b.form, but that of a plain column; null says
// that it is NULL.
func (b *binder) makeForm(s *slot, element int) (null bool, err error) {
	if s.unpadded && b.env.Value.Mode&value.PadCharToFullLength != 0 {
		return false, errPadded
	}
	v, err := b.bind(s.operand, element)
	if err != nil {
		return false, err
	}
	b.form = b.form[:0]
	if b.st.run.Guards != nil && b.st.judges(s) {
		bad, err := b.judge(b.st.operands[s.operand].row, element)
		if bad || err != nil {
			b.form = append(b.form[:0], noForm)
			return false, err
		}
	}
	switch {
	case v.reach == isNull:
		return true, nil
	case s.form == recipe.Value, s.form == recipe.Bare:
		return false, nil // it depends on where it goes
	}
	canonical, err := b.forSuccessor(s.column, v.canonical)
	switch {
	case err != nil:
		return false, err
	case s.form == recipe.Sealed:
		b.form, err = s.column.forms.AppendSealed(b.form, canonical)
	case v.reach == within || v.reach == just:
		b.form, err = s.column.forms.AppendToken(b.form, s.layer, canonical)
	}
	if err != nil {
		return false, sqlerr.ValueRefused("a value")
	}
	b.form = append(b.form, tails[v.reach]...)
	if s.seek > 0 {
		b.sought.note(b.st, s.seek-1, v, b.form)
	}
	return false, nil
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

// bind converts the value of an operand, once for all slots that it has.
func (b *binder) bind(n, element int) (*bound, error) {
	v, o := &b.bounds[n], &b.st.operands[n]
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

func (b *binder) convert(v *bound, o *operand, element int) error {
	if o.of.Kind == recipe.FromDefault {
		return b.defaultOf(v, o, element)
	}
	if o.of.Kind == recipe.FromPlace && o.of.Place.Group == sql.QueryRows {
		return b.added.take(v, o.of.Place.Cell, element)
	}
	if digits, ok := b.isNow(o); ok {
		v.canonical = value.AppendNow(v.canonical, value.Timestamp, b.env.Value.Now, digits, &b.env.Value)
		return nil
	}
	if err := b.take(o, element); err != nil {
		return err
	}
	if o.of.Ignored {
		return b.ignored(v, o, element)
	}
	if o.use != recipe.Assign {
		return b.compare(v, o)
	}
	return b.assign(v, o, element)
}

// take finds the value of an operand.
func (b *binder) take(o *operand, element int) error {
	switch {
	case o.of.Kind == recipe.FromComputed:
		return b.constants.take(b, o.of.Computed, element)
	case o.of.Kind == recipe.FromForm:
		return b.constantSource(o.constant, o.of.Negative)
	case o.of.Kind == recipe.FromParam && o.of.Param >= recipe.FirstSequence:
		v, ok := b.drawnOf(o.of.Param, element)
		if b.source = v; !ok {
			return errHole
		}
		return nil
	case o.of.Kind == recipe.FromParam:
		return b.paramSource(o.of.Param, o.paramUse())
	case b.prepared != nil:
		return b.constantSource(b.prepared.constant(o.of.Place, element), o.of.Negative)
	case o.of.Kind == recipe.FromPlace:
		return b.constantSource(b.literal(&o.of, element), o.of.Negative)
	}
	return errHole
}

// assign converts the value as the server does when it stores it.
func (b *binder) assign(v *bound, o *operand, element int) error {
	if err := b.env.Serves(&o.column.Type); err != nil {
		return err
	}
	if b.derives(&o.column.Type, &b.source) {
		return sqlerr.ValueRefused("the conversion of a parameter of this type to the column's")
	}
	if hasBlank(&o.column.Type, &b.source) {
		return errBlank
	}
	var outcome value.Outcome
	v.canonical, outcome = value.Assign(v.canonical, &o.column.Type, &b.source, &b.env.Value)
	if outcome.Null {
		v.reach = isNull
	}
	if len(outcome.Conditions()) > 0 {
		if err := b.raise(&outcome, o, element); err != nil {
			return err
		}
	}
	if o.column.ValidJSON && v.reach == within {
		return b.document(o.column, v.canonical)
	}
	return nil
}

// raise notes what the server would say of a value, and returns its error if that
// fails the statement.
func (b *binder) raise(outcome *value.Outcome, o *operand, element int) error {
	row := max(b.row, 1)
	if b.st.inserts() && b.row == 0 {
		row = b.st.rowOf(o.row, element, b.elementCount)
	}
	var failed error
	for _, c := range outcome.Conditions() {
		if c.Code == value.Unanswerable {
			return sqlerr.ValueRefused("the conversion to the column's type")
		}
		message := c.AppendMessage(nil, &b.env.Value, o.column.name, row)
		b.notices.Add(c.Level, uint16(c.Code), message)
		if c.Level == value.Error && failed == nil {
			failed = serverError(b.env.Value.Flavor, uint16(c.Code), string(message))
		}
	}
	return failed
}

// defaulted is the value of a column that the statement gives none.
func (b *binder) defaulted(v *bound, o *operand, element int) error {
	switch d := &o.column.Default; d.Kind {
	case catalog.DefaultExpression:
		return b.expressed(v, o, element)
	case catalog.DefaultNull:
		v.reach = isNull
	case catalog.DefaultValue:
		v.canonical = append(v.canonical, d.Canonical...)
	case catalog.DefaultNow:
		if err := b.env.Serves(&o.column.Type); err != nil {
			return err
		}
		v.canonical = value.AppendNow(v.canonical, o.column.Type.Kind, b.env.Value.Now, d.Fraction, &b.env.Value)
	default:
		return b.withoutDefault(v, o)
	}
	return nil
}

// needsValue reports whether a column has to be given a value, as it has no default. An ENUM has one
// without a word in its definition: NULL if it may be that, or else its first label.
func needsValue(c *catalog.Column) bool {
	return c.Default.Kind == catalog.NoDefault && c.Type.Kind != value.Enum && !c.AutoIncrement && !c.Generated
}

// withoutDefault is the value of a column that has no default: an error, or what the server stores
// instead. One that may be NULL is MySQL's, after ALTER COLUMN … DROP DEFAULT. MariaDB updates none to
// its default, not even an ENUM.
func (b *binder) withoutDefault(v *bound, o *operand) error {
	if o.column.Type.NotNull {
		v.canonical = value.AppendImplicitDefault(v.canonical, &o.column.Type)
	} else {
		v.reach = isNull
	}
	mariaDB := b.env.Value.Flavor == value.MariaDB
	switch run := b.st.run; {
	case mariaDB && run.Kind == sql.Update:
		return b.noDefault(o.column.name.Name)
	case mariaDB && o.of.Updated: // it counts as given
	case !needsValue(o.column.Column), run.Load != nil && !mariaDB:
	case run.Load == nil && b.env.Value.Strict():
		return b.noDefault(o.column.name.Name)
	default:
		b.notices.Add(value.Warning, errNoDefault, noDefault(o.column.name.Name))
	}
	return nil
}

// errNoDefault is the server's ER_NO_DEFAULT_FOR_FIELD.
const errNoDefault = 1364

func noDefault(column string) []byte {
	return []byte("Field '" + column + "' doesn't have a default value")
}

// noDefault is the error for a column that has to be given a value.
func (b *binder) noDefault(column string) error {
	message := noDefault(column)
	b.notices.Add(value.Error, errNoDefault, message)
	return serverError(b.env.Value.Flavor, errNoDefault, string(message))
}

// quietly is bind for a value that has been bound before: nothing is said of it a
// second time.
func (b *binder) quietly(n, element int) (*bound, error) {
	notices, row := b.notices, b.row
	b.row = 0
	v, err := b.bind(n, element)
	b.notices, b.row = notices, row
	return v, err
}

// value is the canonical form, nil for NULL.
func (v *bound) value() []byte {
	switch {
	case v.reach == isNull:
		return nil
	case v.canonical == nil:
		return []byte{}
	}
	return v.canonical
}

// fillFunc appends what belongs into a hole.
type fillFunc = func(dst []byte, h sql.Hole, element int) ([]byte, error)

// rowsAsked is what the LIMIT of the stored statement is.
func (b *binder) rowsAsked() uint64 {
	if b.most == 0 {
		return 1<<64 - 1
	}
	return b.most
}

// numberOf is an operand of LIMIT, 0 if there is none.
func (b *binder) numberOf(e ast.Expr) (n uint64, ok bool) {
	switch e := e.(type) {
	case nil:
		return 0, true
	case *ast.Literal:
		return parseDigits([]byte(e.Val))
	case *ast.Argument:
		if err := b.take(&operand{of: local.OperandOf(e)}, 0); err != nil {
			return 0, false // the steps say what is wrong with it
		}
		s := &b.source
		return s.Number, s.Form == value.FormUint || s.Form == value.FormInt && int64(s.Number) >= 0
	}
	return 0, false
}

// storedBytes is about how long the stored statement of a text will be.
func (b *binder) storedBytes(st *boundStatement, text int) int {
	rows := 1
	for g := range b.literals.Groups() {
		rows = max(rows, b.literals.Elements(g))
	}
	return 2*text + rows*len(st.operands)*formBytes
}

// formBytes is about how long the forms of a value are together, written as
// literals.
const formBytes = 128

// typesOfVariables is what sets a Describer's variables for the statement under way.
func (b *binder) typesOfVariables() string {
	if len(b.variables) == 0 {
		return ""
	}
	return b.variableTypes
}

// errTwiceSet is the refusal of a TIMESTAMP that would be set to another moment than the server's.
var errTwiceSet = sqlerr.ValueRefused("a TIMESTAMP of an hour that is there twice, as the new value of a column,")

// appendFind appends what a row is found by.
func (b *binder) appendFind(dst []byte, s *recipe.Slot, operand, element int) ([]byte, error) {
	if operand < 0 {
		return b.appendWritten(dst, &s.Of, element)
	}
	v, err := b.quietly(operand, element)
	switch {
	case err != nil:
		return dst, err
	case v.reach == isNull:
		return append(dst, "NULL"...), nil
	}
	b.form, err = b.st.operands[operand].column.forms.AppendToken(b.form[:0], s.Layer, v.canonical)
	if err != nil {
		return dst, sqlerr.ValueRefused("a value")
	}
	return environment.AppendHex(dst, b.form), nil
}
