package exec

import (
	"bytes"
	"strconv"
	"strings"

	"tunic/internal/arena"
	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/dialogue"
	"tunic/internal/eval"
	"tunic/internal/exec/change"
	"tunic/internal/exec/made"
	"tunic/internal/infile"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// LOAD DATA LOCAL is done as one statement of many INSERTs: the client sends its file, a
// part at a time; lines become rows, and rows are inserted as soon as they make a text of
// about a megabyte. No more of the file is kept, however long it is.
//
//	client ──► parts ──► lines ──► fields ──► SET ──► queue ──► INSERT IGNORE … VALUES (…), (…)

// loading is such a statement under way.
type loading struct {
	made.Maker
	session   *Session
	w         *writer
	load      *recipe.Load
	lines     *infile.Reader
	collation *charset.Collation // of the file's text
	runs      []*eval.Run        // of Set
	cells     eval.Row           // and the variables behind them
	queue     *queue
	count     int
	left      int // rows that fail a CHECK, and are not counted
}

// loadFile carries out LOAD DATA LOCAL.
func (s *Session) loadFile(st *Statement) error {
	if !s.link.Caps.Has(wire.ClientLocalFiles) {
		return s.filesDisabled()
	}
	told, err := s.link.Server.AskRow("SELECT "+backend.InBytes("@@character_set_database")+", @@global.local_infile", 2)
	switch {
	case err != nil:
		return &dialogue.BrokenError{Err: err}
	case told[1] != "1":
		return s.filesDisabled()
	}
	return s.writes(st, func(w *writer) error { return w.loadFile(told[0]) }, (*writer).answerLoaded)
}

// filesDisabled is what servers say where a file of the client's is not to be read.
func (s *Session) filesDisabled() error {
	if s.env.Value.Flavor == value.MariaDB {
		return &sqlerr.Error{
			Number: 4166, State: "HY000",
			Message: "The used command is not allowed because the MariaDB server or client has disabled the local infile capability",
		}
	}
	return &sqlerr.Error{
		Number: 3948, State: "42000",
		Message: "Loading local data is disabled; this must be enabled on both the client and server sides",
	}
}

// loadFile reads the file and inserts its rows. What the client still has of it when
// something fails is read and dropped.
func (w *writer) loadFile(ofDatabase string) error {
	w.session.binder.Begin(&w.st.Statement)
	l, err := w.newLoading(ofDatabase)
	if err != nil {
		return err
	}
	w.loading = l
	if err := w.findTransaction(); err != nil {
		return err
	}
	if err := w.beginLocked(); err != nil {
		return err
	}
	return w.together(func() error {
		if err := w.check(); err != nil {
			return err
		}
		if err := w.probe(); err != nil {
			return err
		}
		more, err := w.session.link.Owner.File(l.load.File.File)
		if err != nil {
			return err
		}
		l.lines = infile.NewReader(&l.load.File.Format, w.session.env.PacketBytes, more)
		err = l.run()
		if lost := l.lines.Drain(); lost != nil {
			return lost
		}
		return err
	})
}

// newLoading makes ready for the rows of a file.
func (w *writer) newLoading(ofDatabase string) (*loading, error) {
	l := &loading{Maker: made.NewMaker(w.session.binder, &w.st.Run, w.st.Columns), session: w.session, w: w, load: w.st.Run.Load()}
	name := ofDatabase
	if l.load.File.Charset != "" {
		name = l.load.File.Charset
	}
	set, ok := charset.CharsetByName(w.session.env.Value.Flavor, strings.ToLower(name))
	if !ok {
		return nil, sqlerr.StatementRefused("a file in a character set that tunic does not know")
	}
	if err := l.checkFormat(set); err != nil {
		return nil, err
	}
	l.collation = set.Default()
	for _, c := range l.Columns {
		if err := w.session.env.Serves(&c.Type); err != nil {
			return nil, err
		}
	}
	l.queue = w.newQueue(l.Columns)
	return l, l.compile()
}

// checkFormat refuses formats that are not read here, and character sets in whose
// characters a byte can look like a mark.
func (l *loading) checkFormat(set *charset.Charset) error {
	f := &l.load.File.Format
	if !f.EscapedGiven && l.session.env.Has("NO_BACKSLASH_ESCAPES") {
		without := *l.load
		without.File.Format.Escaped = nil
		l.load, f = &without, &without.File.Format
	}
	switch {
	case len(f.Terminated) == 0 || len(f.LineEnd) == 0 || bytes.Equal(f.Terminated, f.LineEnd):
		return sqlerr.StatementRefused("LOAD DATA without marks between fields or lines")
	case len(f.Enclosed) > 1 || len(f.Escaped) > 1:
		return &sqlerr.Error{Number: 1083, State: "42000", Message: "Field separator argument is not what is expected; check the manual"}
	case set.BytesMax > 1 && set.Name != "utf8mb4" && set.Name != "utf8mb3":
		return sqlerr.StatementRefused("a file in this character set")
	}
	for _, mark := range [...][]byte{f.Terminated, f.Enclosed, f.Escaped, f.Starting, f.LineEnd} {
		if bytes.ContainsFunc(mark, func(r rune) bool { return r >= 0x80 }) {
			return sqlerr.StatementRefused("LOAD DATA with marks outside of ASCII")
		}
	}
	return nil
}

// compile compiles what is computed of each row.
func (l *loading) compile() error {
	l.cells = make(eval.Row, len(l.Columns)+len(l.load.Variables))
	if len(l.load.Set) == 0 {
		return nil
	}
	env := &l.session.env
	in := eval.Inputs{Env: &env.Value, Now: env.Value.Now, ZoneUnknown: env.Zone != ""}
	var columns []local.Column
	for _, c := range l.Columns {
		t := c.Type
		t.NotNull = false // one that is the server's to fill is NULL here
		columns = append(columns, local.Column{Name: c.Name, Typ: &t})
	}
	text := &value.Type{Kind: value.LongText, Collation: l.collation}
	if l.collation.Charset.Name == "binary" {
		text = &value.Type{Kind: value.LongBlob}
	}
	for _, v := range l.load.Variables {
		columns = append(columns, local.Column{Qualifier: recipe.FileVariable, Name: recipe.VariableColumn(v), Typ: text})
	}
	scope := local.NewScope(l.w.st.query, &in, columns)
	for _, set := range l.load.Set {
		x, err := eval.Compile(set.To, scope, env.EvalSession())
		if err != nil {
			return err
		}
		run, err := x.Start(in)
		if err != nil {
			return err
		}
		l.runs = append(l.runs, run)
	}
	return nil
}

// run reads the file, and inserts its rows.
func (l *loading) run() error {
	for range l.load.File.Skip {
		if !l.lines.NextLine() {
			return nil
		}
	}
	for {
		read, err := l.row()
		if err != nil || !read {
			return l.ended(err)
		}
		if !l.lines.NextLine() {
			return l.ended(nil)
		}
		if l.lines.LineWasCut {
			if err := l.misfits(1262, "was truncated; it contained more data than there were input columns"); err != nil {
				return l.ended(err)
			}
		}
	}
}

// ended inserts the rows that are left.
func (l *loading) ended(err error) error {
	if err == nil {
		err = l.lines.Failed
	}
	if err == nil {
		err = l.queue.send(true)
	}
	if err == nil {
		err = l.w.restoreID()
	}
	return err
}

// misfits says that the line under way has too many or too few fields. LOCAL makes a warning of it, as
// IGNORE does, but with REPLACE, where strict modes make it an error (MySQL manual, "LOAD DATA Statement").
func (l *loading) misfits(code uint16, what string) error {
	message := append(append(appendNumber([]byte("Row "), l.count), ' '), what...)
	return l.raise(l.load.File.Replace && l.session.env.Value.Strict(), code, message)
}

// raise adds a warning, or an error, which it returns.
func (l *loading) raise(fails bool, code uint16, message []byte) error {
	notices := &l.session.binder.Notices
	if !fails {
		notices.Add(value.Warning, code, message)
		return nil
	}
	notices.Add(value.Error, code, message)
	return binding.ServerError(l.session.env.Value.Flavor, code, string(message))
}

// row makes a row of a line; false if there is none.
func (l *loading) row() (bool, error) {
	b := l.session.binder
	l.Begin()
	clear(l.cells)
	b.Row = l.count + 1
	defer func() { b.Row = 0 }()
	var failed error
	for n, to := range l.load.Fields {
		switch {
		case l.lines.Next():
		case l.lines.Failed != nil:
			return false, l.lines.Failed
		case n == 0:
			return false, nil
		default:
			l.count++
			short := l.missing(l.load.Fields[n:])
			l.count--
			if failed == nil {
				failed = short
			}
			return l.made(failed)
		}
		if l.lines.TooLong {
			return false, dialogue.ErrPacket
		}
		err := l.take(to)
		if refused, ok := err.(*sqlerr.Error); !ok && err != nil || ok && refused.Code != 0 { //nolint:errorlint // never wrapped
			return false, err
		}
		if failed == nil { // what is wrong with the fields behind it is said as well
			failed = err
		}
	}
	return l.made(failed)
}

// made computes what is computed of a row, and adds it.
func (l *loading) made(err error) (bool, error) {
	for i := range l.runs {
		if err == nil {
			err = l.set(i)
		}
	}
	if err != nil {
		return false, err
	}
	l.count++
	return true, l.queue.add(arena.CopyOf(l.cells[:len(l.Columns)]))
}

// take takes a field.
func (l *loading) take(to int) error {
	null := l.lines.IsNull()
	if !null && !l.collation.Charset.Valid(l.lines.Field) { // MySQL loads nothing, MariaDB reads on over marks
		return errNotText
	}
	if to >= len(l.Columns) {
		if !null {
			l.cells[to] = append([]byte{}, l.lines.Field...)
		}
		return nil
	}
	if c := l.Columns[to]; null && c.Type.NotNull && !c.AutoIncrement {
		return l.nullSupplied(to)
	}
	source := value.NullSource()
	if !null {
		source = value.StringSource(l.lines.Field, l.collation)
	}
	v, err := l.Assign(to, &source)
	l.cells[to] = v
	return err
}

var errNotText = sqlerr.ValueRefused("a file with bytes that are none of its character set")

// nullSupplied is NULL for a column that takes none.
func (l *loading) nullSupplied(to int) error {
	l.cells[to] = l.zero(to)
	message := appendNumber([]byte("Column set to default value; NULL supplied to NOT NULL column '"+l.Columns[to].Name+"' at row "), l.session.binder.Row)
	return l.raise(l.session.env.Value.Strict(), 1263, message)
}

// missing fills columns that the line has no fields for.
func (l *loading) missing(fields []int) error {
	for _, to := range fields {
		if to >= len(l.Columns) {
			continue
		}
		if c := l.Columns[to]; !c.AutoIncrement && (c.Type.NotNull || l.keepsValue(&c.Default)) {
			l.cells[to] = l.zero(to)
		}
		if err := l.misfits(1261, "doesn't contain data for all columns"); err != nil {
			return err
		}
	}
	return nil
}

// keepsValue reports whether a row that begins with the defaults is not NULL there: servers write
// zeros over the value of a field that is missing, and do not make it NULL.
func (l *loading) keepsValue(d *catalog.Default) bool {
	switch d.Kind {
	case catalog.DefaultValue, catalog.DefaultServer:
		return true
	case catalog.DefaultExpression:
		return l.session.env.Value.Flavor == value.MariaDB
	}
	return false
}

// zero is what a column gets for a field that the line has not, or that is NULL where the column may not
// be: its zero, also of an ENUM, for which that is no label; the time, for a TIMESTAMP that is not NULL.
func (l *loading) zero(to int) []byte {
	t, env := &l.Columns[to].Type, &l.session.env
	begin := len(l.Values)
	switch {
	case t.Kind == value.Enum:
		l.Values = value.AppendNoLabel(l.Values)
	case t.Kind == value.Timestamp && t.NotNull:
		l.Values = value.AppendNow(l.Values, t.Kind, env.Value.Now, t.Decimals, &env.Value)
	default:
		l.Values = value.AppendImplicitDefault(l.Values, t)
	}
	return l.Values[begin:len(l.Values):len(l.Values)]
}

// set computes a column.
func (l *loading) set(i int) error {
	run, cell := l.runs[i], l.load.Set[i].Cell
	result, err := run.Eval(l.cells)
	switch {
	case err != nil:
		return err
	case len(run.Conditions()) > 0:
		return sqlerr.ValueRefused("an expression that the server has a warning for, as the new value of a column,")
	}
	to := &l.Columns[cell].Type
	if err := change.Unstorable(&result, to, &l.session.env.Value); err != nil {
		return err
	}
	source := result.SourceFor(to, nil)
	v, err := l.Assign(cell, &source)
	l.cells[cell] = v
	return err
}

func appendNumber(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

// answerLoaded is what the client is told.
func (w *writer) answerLoaded() wire.OK {
	l, notices := w.loading, &w.session.binder.Notices
	ok := wire.OK{
		AffectedRows: w.adding.affected, Status: w.response.Status & sessionFlags, Warnings: notices.With(0),
	}
	count := l.count - l.left
	more := int64(w.adding.affected) - int64(count)
	ok.Info = appendNumber([]byte("Records: "), count)
	ok.Info = appendNumber(append(ok.Info, "  Deleted: "...), int(max(more, 0)))
	ok.Info = appendNumber(append(ok.Info, "  Skipped: "...), int(max(-more, 0)))
	ok.Info = appendNumber(append(ok.Info, "  Warnings: "...), notices.Count())
	return ok
}
