package opening

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"time"

	"tunic/internal/arena"
	"tunic/internal/binding"
	"tunic/internal/environment"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// Fetcher makes rows of canonical forms of what the server returns: sealed forms are
// opened, and what it sends of plain columns is read (see recipe.Cell). It belongs to
// one session; its buffers stay.
type Fetcher struct {
	row   eval.Row
	there []bool // the columns of the row that were read
	leaf  leafReader
	// Sieve leaves rows out before all of their columns are read; nil for none.
	Sieve  *local.Sieve
	buffer []byte
	lax    value.Env
	ascii  *charset.Collation // of texts that the server writes itself
	source value.Source
	number []byte // of the leaf that a row is of
	// zone is the session's where no moment may be read that its clocks show twice; nil for all.
	zone    *time.Location
	records records
	Sought  *binding.Sought
}

// ErrTwice is the refusal of a TIMESTAMP that MySQL takes for another one, where it puts rows together:
// by what the clocks of the session's zone show, which is not what tells moments apart.
var ErrTwice = sqlerr.ValueRefused("a TIMESTAMP of an hour that is there twice, in a query that puts rows together,")

// Begin prepares for the rows of a statement.
func (f *Fetcher) Begin(st *binding.Statement, env *environment.Environment) error {
	for _, fetched := range st.Run.Fetch {
		if fetched.Column >= 0 {
			if err := env.Serves(&st.Columns[fetched.Column].Type); err != nil {
				return err
			}
		}
	}
	// What a column has is a value of it, whatever the session's modes are.
	f.records.begin()
	f.Sieve = nil
	f.lax = env.Value
	f.lax.Mode = value.AllowInvalidDates
	f.lax.Ignore, f.lax.NullFails, f.lax.Now = false, false, time.Time{} // nothing is stored
	f.zone = nil
	if putsTogether(st) {
		f.zone = env.Clocks()
	}
	set, _ := charset.CharsetByName(env.Value.Flavor, "utf8mb4")
	f.ascii = set.Bin()
	return nil
}

// putsTogether reports whether rows of a statement are put together here by what they have: groups,
// sets, partitions, whatever a tree has of them. True where in doubt.
func putsTogether(st *binding.Statement) bool {
	return st.Run.Tree != nil || slices.ContainsFunc(st.Run.Local, func(s recipe.Step) bool {
		switch s.(type) {
		case *recipe.Filter, *recipe.Having, *recipe.Project, *recipe.Sort, *recipe.Limit, *recipe.Attach:
			return false // each row by itself, or in an order
		}
		return true
	})
}

// Read reads the cells of a row. The row is good until the next one. If it fails,
// at is the number of the column.
func (f *Fetcher) Read(st *binding.Statement, cells []wire.Cell, types []wire.Type) (row eval.Row, at int, err error) {
	return f.readColumns(st, cells, types, 0, len(st.Run.Fetch))
}

// ReadLeaf is read for a row of a leaf of a tree: its columns, and the number of the
// leaf as eight bytes. It is nil if the sieve has left it out.
func (f *Fetcher) ReadLeaf(st *binding.Statement, cells []wire.Cell, types []wire.Type) (row eval.Row, at int, err error) {
	last := len(cells) - 1
	number, ok := integerText(cells[last].Bytes)
	if types != nil {
		number, ok = f.binarySource(leafNumber, cells[last].Bytes, types[last])
	}
	if !ok || cells[last].Null || number.Number >= uint64(len(st.Run.Tree.Leaves)) {
		return nil, 0, wire.ErrMalformed
	}
	leaf := &st.Run.Tree.Leaves[number.Number]
	f.next(leaf.To - leaf.From)
	if f.Sieve != nil {
		if !f.Sieve.Follows(int(number.Number)) {
			return nil, 0, wire.ErrMalformed
		}
		f.leaf = leafReader{of: f, st: st, cells: cells, types: types, from: leaf.From}
		if f.Sieve.Misses(int(number.Number), &f.leaf) {
			return nil, 0, nil
		}
		drops, err := f.Sieve.Drops(int(number.Number), f.row, &f.leaf)
		if drops || err != nil {
			return nil, f.leaf.at, err
		}
	}
	for i := leaf.From; i < leaf.To; i++ {
		if f.Sieve != nil && !f.Sieve.Reads(int(number.Number), i-leaf.From) {
			continue
		}
		if err := f.readOnce(st, cells, types, leaf.From, i); err != nil {
			return nil, i, err
		}
	}
	f.number = binary.BigEndian.AppendUint64(f.number[:0], number.Number)
	f.row = append(f.row, f.number)
	return f.row, 0, nil
}

// leafReader reads columns of the row of a leaf.
type leafReader struct {
	of       *Fetcher
	st       *binding.Statement
	cells    []wire.Cell
	types    []wire.Type
	from, at int // the first of the leaf's columns, and the one that was read last
}

// Read makes it local.Columns.
func (r *leafReader) Read(column int) error {
	r.at = r.from + column
	return r.of.readOnce(r.st, r.cells, r.types, r.from, r.at)
}

// Bytes makes it local.Sent.
func (r *leafReader) Bytes(cell int) []byte {
	if r.cells[cell].Null {
		return nil
	}
	return r.cells[cell].Bytes
}

// readOnce reads column i into the row, of which from is the first, unless it is there.
func (f *Fetcher) readOnce(st *binding.Statement, cells []wire.Cell, types []wire.Type, from, i int) (err error) {
	if f.there[i-from] {
		return nil
	}
	f.there[i-from] = true
	f.row[i-from], err = f.readColumn(st, cells, types, i)
	return err
}

// leafNumber is the type of the number of a leaf.
var leafNumber = &value.Type{Kind: value.BigInt}

// readColumns is read for some of the columns.
func (f *Fetcher) readColumns(st *binding.Statement, cells []wire.Cell, types []wire.Type, from, to int) (row eval.Row, at int, err error) {
	f.next(to - from)
	for i := from; i < to; i++ {
		if f.row[i-from], err = f.readColumn(st, cells, types, i); err != nil {
			return nil, i, err
		}
	}
	return f.row, 0, nil
}

// next begins with another row.
func (f *Fetcher) next(columns int) {
	f.buffer = append(f.buffer[:0], 0) // one byte: what is empty is not nil
	f.records.next()
	f.row = slices.Grow(f.row[:0], columns+1)[:columns]
	f.there = slices.Grow(f.there[:0], columns)[:columns]
	clear(f.row)
	clear(f.there)
}

// readColumn reads column i of a row, nil for NULL. The value is a part of a record, or of the buffer: of an older
// one, if that had to grow since.
func (f *Fetcher) readColumn(st *binding.Statement, cells []wire.Cell, types []wire.Type, i int) (read []byte, err error) {
	fetched := &st.Run.Fetch[i]
	cell, isRecord := &cells[fetched.Cell], st.Run.Cells[fetched.Cell].Record
	if isRecord {
		if read, err = f.records.value(st, fetched, cells, f.Sought); err != nil {
			return nil, err
		}
	}
	if cell.Null || fetched.Column < 0 || isRecord && read == nil {
		return nil, f.Sought.Check(st, i, nil, true)
	}
	begin := len(f.buffer)
	c := st.Columns[fetched.Column]
	switch {
	case isRecord:
	case fetched.Opened:
		f.buffer, err = c.Forms.AppendOpened(f.buffer, cell.Bytes)
	default:
		err = f.readPlain(&c.Type, cell.Bytes, types, fetched.Cell)
	}
	if !isRecord {
		read = f.buffer[begin:len(f.buffer):len(f.buffer)]
	}
	if err == nil && fetched.Opened {
		err = f.Sought.Check(st, i, read, false)
	}
	if err == nil && f.zone != nil && c.Type.Kind == value.Timestamp && value.Repeats(read[len(read)-8:], f.zone) {
		err = ErrTwice
	}
	return read, err
}

// readPlain appends the canonical form of a plain column's value. types are those
// of a binary row, nil for a row of text.
func (f *Fetcher) readPlain(t *value.Type, cell []byte, types []wire.Type, i int) error {
	switch k := t.Kind; {
	case k.IsBytes(), k.IsGeometry(), k == value.JSON, k == value.Vector, k.IsText() && k != value.Char:
		f.buffer = append(f.buffer, cell...)
		return nil
	case k == value.Char:
		f.source = value.StringSource(cell, t.Collation)
		return f.assign(t)
	}
	var ok bool
	if types == nil {
		f.source, ok = f.textSource(t, cell)
	} else {
		f.source, ok = f.binarySource(t, cell, types[i])
	}
	switch {
	case !ok:
		return wire.ErrMalformed
	case t.Kind == value.Timestamp:
		return f.assignMoment(t)
	case t.Kind == value.Bit, t.Kind == value.Set, t.Kind == value.Enum:
		if f.source.Form == value.FormDecimal { // as MariaDB has it in a UNION
			if f.source, ok = integerText(f.source.Bytes); !ok {
				return wire.ErrMalformed
			}
		}
		f.buffer = binary.BigEndian.AppendUint64(f.buffer, f.source.Number)
		return nil
	}
	return f.assign(t)
}

// assign appends the canonical form of the source. A value of a column is taken by
// the column without a word.
func (f *Fetcher) assign(t *value.Type) error {
	var outcome value.Outcome
	f.buffer, outcome = value.Assign(f.buffer, t, &f.source, &f.lax)
	if outcome.Null || len(outcome.Conditions()) > 0 {
		return wire.ErrMalformed
	}
	return nil
}

// assignMoment appends the canonical form of the seconds since 1970, of which 0
// stands for the zero date.
func (f *Fetcher) assignMoment(t *value.Type) error {
	text := f.source.Bytes
	if f.source.Form != value.FormDecimal {
		text = strconv.AppendUint(nil, f.source.Number, 10)
	}
	whole, fraction, _ := bytes.Cut(text, []byte("."))
	seconds, err := strconv.ParseInt(string(whole), 10, 64)
	if err != nil {
		return wire.ErrMalformed
	}
	const digits = 9
	nanos, err := strconv.Atoi(string(append(append([]byte{}, fraction...), "000000000"...)[:digits]))
	if err != nil {
		return wire.ErrMalformed
	}
	if seconds == 0 && nanos == 0 {
		f.buffer = append(f.buffer, 0, 0, 0, 0, 0, 0, 0, 0)
		return nil
	}
	f.buffer = value.AppendNow(f.buffer, value.Timestamp, time.Unix(seconds, int64(nanos)), t.Decimals, &f.lax)
	return nil
}

// textSource reads a value of the text protocol.
func (f *Fetcher) textSource(t *value.Type, cell []byte) (value.Source, bool) {
	switch k := t.Kind; {
	case k.IsInteger(), k == value.Bit, k == value.Set, k == value.Enum, k == value.Year:
		return integerText(cell)
	case k == value.Decimal, k == value.Timestamp:
		return value.DecimalSource(cell), true
	case k == value.Float, k == value.Double:
		n, err := strconv.ParseFloat(string(cell), 64)
		return value.DoubleSource(n), err == nil
	default:
		return value.StringSource(cell, f.ascii), true
	}
}

// integerText reads an integer, which may have zeros in front.
func integerText(cell []byte) (value.Source, bool) {
	digits, negative := bytes.CutPrefix(cell, []byte("-"))
	n, ok := binding.ParseDigits(digits)
	switch {
	case !ok || negative && n > 1<<63:
		return value.Source{}, false
	case negative:
		return value.IntSource(-int64(n)), true // wraps to itself at the lowest
	}
	return value.UintSource(n), true
}

// binarySource reads a value of the binary protocol.
func (f *Fetcher) binarySource(t *value.Type, cell []byte, wired wire.Type) (value.Source, bool) {
	unsigned := t.Unsigned || !t.Kind.IsInteger() && t.Kind != value.Year // a YEAR takes no BIGINT UNSIGNED
	p := binding.Param{ParamType: binding.ParamType{Kind: wired, Unsigned: unsigned}, Bytes: cell}
	switch wired {
	case wire.TypeTiny, wire.TypeShort, wire.TypeYear, wire.TypeLong, wire.TypeInt24, wire.TypeLongLong:
		return p.Integer(), true
	case wire.TypeDouble:
		return value.DoubleSource(math.Float64frombits(binary.LittleEndian.Uint64(cell))), true
	case wire.TypeDecimal, wire.TypeNewDecimal:
		return value.DecimalSource(cell), true
	case wire.TypeDate:
		return value.ParamSource(value.Date, cell)
	case wire.TypeTime:
		return value.ParamSource(value.Time, cell)
	case wire.TypeDatetime:
		return value.ParamSource(value.DateTime, cell)
	default:
		return value.StringSource(cell, f.ascii), true
	}
}

// End lets go of a buffer that one large value has left.
func (f *Fetcher) End() {
	f.records.end()
	clear(f.row)
	f.source, f.Sieve, f.leaf = value.Source{}, nil, leafReader{}
	if cap(f.buffer) > arena.KeepMax {
		f.buffer = nil
	}
}
