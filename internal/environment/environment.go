package environment

import (
	"math"
	"slices"
	"strings"
	"time"

	"tunic/internal/backend"
	"tunic/internal/eval"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// Environment is what of a session changes the meaning of values, in the form in
// which values are converted.
type Environment struct {
	Value  value.Env
	Modes  sql.Modes
	Client *charset.Charset
	// Connection is that of strings in the text; Results is nil where the server
	// converts nothing.
	Connection *charset.Collation
	Results    *charset.Charset
	// Reading and resultsName are as the server has them, for those whom it is to tell how it
	// describes a result.
	Reading              Reading
	resultsName, SQLMode string
	UnstrictMode         string // SQLMode without what makes errors of warnings

	ResultsID uint16 // of the collation that results are said to have

	PacketBytes, NoticesMax, concatMax, weekMode int
	// english says that months and days have English names.
	english               bool
	Rounds                uint64 // of a recursive common table expression, at most
	blockMode, regexFlags string
	// Safe says that an UPDATE or DELETE has to use a key.
	Safe bool
	// Notes says that the client wants notes: sql_notes.
	Notes bool
	// Limited says that sql_select_limit bounds what a SELECT without LIMIT returns.
	Limited bool
	// SmallSelects and TimedSelects say that the session bounds how many rows a SELECT reads, and how long
	// it takes, where it bounds no UPDATE.
	SmallSelects, TimedSelects bool
	// Uncommitted says that the session reads rows that others have not committed: two reads in a statement may see different ones.
	Uncommitted bool
	// Unchecked says that the session has turned CHECKs off (MariaDB).
	Unchecked bool

	ahead time.Duration // the server's clock less ours
	Fixed time.Time     // if the client has set the time

	Zone string // that has no location here; "" if there is one
}

// Reading is what of a session says how a text is read. Servers read that of a prepared statement
// when it is prepared, and not again.
type Reading struct {
	Client, Connection string
	DivPrecision       int
	subtracts, escapes bool
}

// Begin sets the time of a statement.
func (e *Environment) Begin() {
	e.Value.Now = e.Fixed
	if e.Fixed.IsZero() {
		e.Value.Now = time.Now().Add(e.ahead)
	}
	e.Value.Today = value.DateAt(e.Value.Now, &e.Value)
}

// Learn takes over what the server has said. The flavor and version are those of
// its greeting.
func (e *Environment) Learn(told backend.Environment, modes sql.Modes, zones *Zones, server Ask) error {
	if strings.Contains(told.SQLMode, "EMPTY_STRING_IS_NULL") {
		return sqlerr.StatementRefused("a session with sql_mode EMPTY_STRING_IS_NULL")
	}
	if told.AutoIsNull {
		return sqlerr.StatementRefused("a session with sql_auto_is_null")
	}
	if told.OldDates {
		return sqlerr.StatementRefused("a session with old_mode ZERO_DATE_TIME_CAST")
	}
	flavor := FlavorOf(modes)
	*e = Environment{
		Modes: modes.WithSQLMode(told.SQLMode).WithCharset(told.Client),
		Value: value.Env{Flavor: flavor, Version: modes.Version(), Mode: modeOf(told.SQLMode)},

		resultsName: told.Results, SQLMode: told.SQLMode, UnstrictMode: value.Unstrict(told.SQLMode),
		ResultsID:   told.ResultsID,
		PacketBytes: told.PacketBytes, NoticesMax: told.NoticesMax, concatMax: told.ConcatMax,
		weekMode: told.WeekMode, english: told.Names == "en_US",
		blockMode: told.BlockMode, regexFlags: told.RegexFlags, Rounds: told.Rounds,
		Safe: told.SafeUpdates, Notes: told.Notes, Unchecked: told.Unchecked, Limited: told.SelectMost != math.MaxUint64,
		SmallSelects: told.SmallSelects, TimedSelects: told.TimedSelects, Uncommitted: told.Uncommitted,
	}
	e.Reading = Reading{
		Client: told.Client, Connection: told.Collation, DivPrecision: told.DivPrecision,
		subtracts: e.Has("NO_UNSIGNED_SUBTRACTION"), escapes: !e.Has("NO_BACKSLASH_ESCAPES"),
	}
	var known [3]bool
	e.Client, known[0] = charset.CharsetByName(flavor, told.Client)
	e.Connection, known[1] = charset.Lookup(flavor, told.Collation)
	known[2] = told.Results == ""
	if !known[2] {
		e.Results, known[2] = charset.CharsetByName(flavor, told.Results)
	}
	if known != [3]bool{true, true, true} || e.Results != nil && e.Results.BytesMin > 1 {
		return sqlerr.StatementRefused("a session in a character set that tunic does not know")
	}
	if e.Connection.Charset.BytesMin > 1 { // numbers and literals become text of it
		return sqlerr.StatementRefused("a session whose collation_connection is of a character set with two or four bytes a character")
	}
	if told.Fixed {
		e.Fixed = told.Moment
	} else {
		e.ahead = time.Until(told.Moment)
	}
	location, err := zones.find(told.TimeZone, told.SystemZone, server)
	if location == nil {
		e.Zone = told.TimeZone
	}
	e.Value.Location = location
	return err
}

// FlavorOf is the flavor of a server whose statements are read in these modes.
func FlavorOf(m sql.Modes) value.Flavor {
	switch {
	case m&sql.MariaDB != 0:
		return value.MariaDB
	case m&sql.TiDB != 0:
		return value.TiDB
	}
	return value.MySQL
}

// Has reports whether sql_mode has a name in it.
func (e *Environment) Has(name string) bool {
	for mode := range strings.SplitSeq(e.SQLMode, ",") {
		if mode == name {
			return true
		}
	}
	return false
}

// Clips reports whether SHOW CREATE TABLE leaves out options in the session's sql_mode, or writes them as servers of
// long ago did (MariaDB knowledge base, "SQL Mode").
func (e *Environment) Clips() bool {
	return slices.ContainsFunc([]string{"NO_TABLE_OPTIONS", "NO_FIELD_OPTIONS", "NO_KEY_OPTIONS", "MYSQL40", "MYSQL323"}, e.Has)
}

// modeOf is the part of sql_mode that changes values.
func modeOf(sqlMode string) (m value.Mode) {
	for name := range strings.SplitSeq(sqlMode, ",") {
		m |= value.ModeNamed(name)
	}
	return m
}

// Serves refuses values whose meaning depends on a time zone that is not known.
func (e *Environment) Serves(t *value.Type) error {
	if e.Zone != "" && t.Kind == value.Timestamp {
		return sqlerr.ZoneUnknown(e.Zone)
	}
	return nil
}

// Clocks is the session's zone where MySQL puts rows together by what its clocks show, which is not what
// tells moments apart: where they are ever set. nil elsewhere.
func (e *Environment) Clocks() *time.Location {
	if e.Value.Flavor != value.MySQL || !value.SetsBack(e.Value.Location) {
		return nil
	}
	return e.Value.Location
}

// InUTF8 reports whether the client's text is in UTF-8.
func (e *Environment) InUTF8() bool {
	switch e.Reading.Client {
	case "utf8mb4", "utf8mb3", "utf8":
		return true
	}
	return false
}

// EvalSession is what of the session changes the meaning of expressions.
func (e *Environment) EvalSession() eval.Session {
	return eval.Session{
		Flavor: e.Value.Flavor, Version: e.Value.Version, Mode: e.Value.Mode,
		NoUnsignedSubtraction: e.Reading.subtracts, NoBackslashEscapes: !e.Reading.escapes,
		Collation: e.Connection, DivPrecision: e.Reading.DivPrecision, ConcatMax: e.concatMax,
		WeekMode: e.weekMode, EnglishNames: e.english,
		BlockMode: e.blockMode, RegexFlags: e.regexFlags,
	}
}

// Clock is the collation that servers give to a date or time that a variable is set to:
// it is one of plain letters.
func (e *Environment) Clock() *charset.Collation { return e.Connection }

// DescribeAs is what a description depends on in a session.
func (e *Environment) DescribeAs() backend.DescribeAs {
	return backend.DescribeAs{
		Client: e.Reading.Client, Results: e.resultsName, Connection: e.Reading.Connection, SQLMode: e.SQLMode, ConcatMax: e.concatMax,
		DivPrecision: e.Reading.DivPrecision,
	}
}

// ConvertsFrom is the character set from which values of a type have to be
// converted for the client, nil if they have not.
func (e *Environment) ConvertsFrom(t *value.Type) (*charset.Charset, error) {
	from := charsetOf(t, e.Value.Flavor)
	if e.Results == nil || from == nil || from == e.Results || e.Results.Name == "binary" || from.Name == "binary" {
		return nil, nil //nolint:nilnil // nothing to convert is an answer
	}
	if !from.ConvertibleTo(e.Results) {
		return nil, sqlerr.StatementRefused("a conversion between these character sets")
	}
	return from, nil
}

// charsetOf is the character set of the text of a type, nil for bytes and for what
// is ASCII in every character set of results.
func charsetOf(t *value.Type, f value.Flavor) *charset.Charset {
	switch {
	case t.Collation != nil:
		return t.Collation.Charset
	case t.Kind == value.JSON:
		set, _ := charset.CharsetByName(f, "utf8mb4")
		return set
	}
	return nil
}
