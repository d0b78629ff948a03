package exec

import (
	"math"
	"strings"
	"time"

	"tunic/internal/backend"
	"tunic/internal/eval"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// environment is what of a session changes the meaning of values, in the form in
// which values are converted.
type environment struct {
	value  value.Env
	modes  sql.Modes
	client *charset.Charset
	// connection is that of strings in the text; results is nil where the server
	// converts nothing.
	connection *charset.Collation
	results    *charset.Charset
	// reading and resultsName are as the server has them, for those whom it is to tell how it
	// describes a result.
	reading              reading
	resultsName, sqlMode string
	unstrictMode         string // sqlMode without what makes errors of warnings

	resultsID uint16 // of the collation that results are said to have

	packetBytes, noticesMax, concatMax, weekMode int
	// english says that months and days have English names.
	english               bool
	rounds                uint64 // of a recursive common table expression, at most
	blockMode, regexFlags string
	// safe says that an UPDATE or DELETE has to use a key.
	safe bool
	// notes says that the client wants notes: sql_notes.
	notes bool
	// limited says that sql_select_limit bounds what a SELECT without LIMIT returns.
	limited bool
	// unchecked says that the session has turned CHECKs off (MariaDB).
	unchecked bool

	ahead time.Duration // the server's clock less ours
	fixed time.Time     // if the client has set the time

	zone string // that has no location here; "" if there is one
}

// reading is what of a session says how a text is read. Servers read that of a prepared statement
// when it is prepared, and not again.
type reading struct {
	client, connection string
	divPrecision       int
	subtracts, escapes bool
}

// begin sets the time of a statement.
func (e *environment) begin() {
	e.value.Now = e.fixed
	if e.fixed.IsZero() {
		e.value.Now = time.Now().Add(e.ahead)
	}
	e.value.Today = value.DateAt(e.value.Now, &e.value)
}

// learn takes over what the server has said. The flavor and version are those of
// its greeting.
func (e *environment) learn(told backend.Environment, modes sql.Modes, zones *zones, server ask) error {
	if strings.Contains(told.SQLMode, "EMPTY_STRING_IS_NULL") {
		return sqlerr.StatementRefused("a session with sql_mode EMPTY_STRING_IS_NULL")
	}
	if told.AutoIsNull {
		return sqlerr.StatementRefused("a session with sql_auto_is_null")
	}
	if told.OldDates {
		return sqlerr.StatementRefused("a session with old_mode ZERO_DATE_TIME_CAST")
	}
	flavor := flavorOf(modes)
	*e = environment{
		modes: modes.WithSQLMode(told.SQLMode).WithCharset(told.Client),
		value: value.Env{Flavor: flavor, Version: modes.Version(), Mode: modeOf(told.SQLMode)},

		resultsName: told.Results, sqlMode: told.SQLMode, unstrictMode: value.Unstrict(told.SQLMode),
		resultsID:   told.ResultsID,
		packetBytes: told.PacketBytes, noticesMax: told.NoticesMax, concatMax: told.ConcatMax,
		weekMode: told.WeekMode, english: told.Names == "en_US",
		blockMode: told.BlockMode, regexFlags: told.RegexFlags, rounds: told.Rounds,
		safe: told.SafeUpdates, notes: told.Notes, unchecked: told.Unchecked, limited: told.SelectMost != math.MaxUint64,
	}
	e.reading = reading{
		client: told.Client, connection: told.Collation, divPrecision: told.DivPrecision,
		subtracts: e.has("NO_UNSIGNED_SUBTRACTION"), escapes: !e.has("NO_BACKSLASH_ESCAPES"),
	}
	var known [3]bool
	e.client, known[0] = charset.CharsetByName(flavor, told.Client)
	e.connection, known[1] = charset.Lookup(flavor, told.Collation)
	known[2] = told.Results == ""
	if !known[2] {
		e.results, known[2] = charset.CharsetByName(flavor, told.Results)
	}
	if known != [3]bool{true, true, true} || e.results != nil && e.results.BytesMin > 1 {
		return sqlerr.StatementRefused("a session in a character set that tunic does not know")
	}
	if e.connection.Charset.BytesMin > 1 { // numbers and literals become text of it
		return sqlerr.StatementRefused("a session whose collation_connection is of a character set with two or four bytes a character")
	}
	if told.Fixed {
		e.fixed = told.Moment
	} else {
		e.ahead = time.Until(told.Moment)
	}
	location, err := zones.find(told.TimeZone, told.SystemZone, server)
	if location == nil {
		e.zone = told.TimeZone
	}
	e.value.Location = location
	return err
}

func flavorOf(m sql.Modes) value.Flavor {
	switch {
	case m&sql.MariaDB != 0:
		return value.MariaDB
	case m&sql.TiDB != 0:
		return value.TiDB
	}
	return value.MySQL
}

// has reports whether sql_mode has a name in it.
func (e *environment) has(name string) bool {
	for mode := range strings.SplitSeq(e.sqlMode, ",") {
		if mode == name {
			return true
		}
	}
	return false
}

// modeOf is the part of sql_mode that changes values.
func modeOf(sqlMode string) (m value.Mode) {
	for name := range strings.SplitSeq(sqlMode, ",") {
		m |= value.ModeNamed(name)
	}
	return m
}

// serves refuses values whose meaning depends on a time zone that is not known.
func (e *environment) serves(t *value.Type) error {
	if e.zone != "" && t.Kind == value.Timestamp {
		return sqlerr.ZoneUnknown(e.zone)
	}
	return nil
}

// clocks is the session's zone where MySQL puts rows together by what its clocks show, which is not what
// tells moments apart: where they are ever set. nil elsewhere.
func (e *environment) clocks() *time.Location {
	if e.value.Flavor != value.MySQL || !value.SetsBack(e.value.Location) {
		return nil
	}
	return e.value.Location
}

// inUTF8 reports whether the client's text is in UTF-8.
func (e *environment) inUTF8() bool {
	switch e.reading.client {
	case "utf8mb4", "utf8mb3", "utf8":
		return true
	}
	return false
}

// evalSession is what of the session changes the meaning of expressions.
func (e *environment) evalSession() eval.Session {
	return eval.Session{
		Flavor: e.value.Flavor, Version: e.value.Version, Mode: e.value.Mode,
		NoUnsignedSubtraction: e.reading.subtracts, NoBackslashEscapes: !e.reading.escapes,
		Collation: e.connection, DivPrecision: e.reading.divPrecision, ConcatMax: e.concatMax,
		WeekMode: e.weekMode, EnglishNames: e.english,
		BlockMode: e.blockMode, RegexFlags: e.regexFlags,
	}
}

// clock is the collation that servers give to a date or time that a variable is set to:
// it is one of plain letters.
func (e *environment) clock() *charset.Collation { return e.connection }

// describeAs is what a description depends on in a session.
func (e *environment) describeAs() backend.DescribeAs {
	return backend.DescribeAs{
		Client: e.reading.client, Results: e.resultsName, Connection: e.reading.connection, SQLMode: e.sqlMode, ConcatMax: e.concatMax,
		DivPrecision: e.reading.divPrecision,
	}
}

// convertsFrom is the character set from which values of a type have to be
// converted for the client, nil if they have not.
func (e *environment) convertsFrom(t *value.Type) (*charset.Charset, error) {
	from := charsetOf(t, e.value.Flavor)
	if e.results == nil || from == nil || from == e.results || e.results.Name == "binary" || from.Name == "binary" {
		return nil, nil //nolint:nilnil // nothing to convert is an answer
	}
	for _, set := range [...]*charset.Charset{from, e.results} {
		if ok, _ := set.Convertible(); !ok {
			return nil, sqlerr.StatementRefused("a conversion between these character sets")
		}
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
