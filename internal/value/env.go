package value

import (
	"slices"
	"strings"
	"time"

	"tunic/internal/value/charset"
)

// Flavor is the family of the server whose behavior is asked for. What is said
// of MySQL here goes for TiDB too.
type Flavor = charset.Flavor

// The flavors.
const (
	MariaDB = charset.MariaDB
	MySQL   = charset.MySQL
	TiDB    = charset.TiDB
)

// Mode is the part of sql_mode that changes what becomes of a value (MySQL
// manual, "Server SQL Modes").
type Mode uint16

// The modes.
const (
	StrictTransTables Mode = 1 << iota
	StrictAllTables
	NoZeroDate
	NoZeroInDate
	AllowInvalidDates
	ErrorForDivisionByZero
	PadCharToFullLength
	TimeTruncateFractional
	TimeRoundFractional // MariaDB's name for what MySQL does by default
)

// modeNames are the names in sql_mode.
var modeNames = map[string]Mode{
	"STRICT_TRANS_TABLES":        StrictTransTables,
	"STRICT_ALL_TABLES":          StrictAllTables,
	"NO_ZERO_DATE":               NoZeroDate,
	"NO_ZERO_IN_DATE":            NoZeroInDate,
	"ALLOW_INVALID_DATES":        AllowInvalidDates,
	"ERROR_FOR_DIVISION_BY_ZERO": ErrorForDivisionByZero,
	"PAD_CHAR_TO_FULL_LENGTH":    PadCharToFullLength,
	"TIME_TRUNCATE_FRACTIONAL":   TimeTruncateFractional,
	"TIME_ROUND_FRACTIONAL":      TimeRoundFractional,
	"TRADITIONAL": StrictTransTables | StrictAllTables | NoZeroDate | NoZeroInDate |
		ErrorForDivisionByZero,
}

// ModeNamed returns the bits of one name of sql_mode, in upper case; 0 for a
// mode that changes no value.
func ModeNamed(name string) Mode { return modeNames[name] }

// Env is what of a session and a statement changes the meaning of values. One
// Env serves every value of a statement; nothing in this package writes to it.
type Env struct {
	Flavor Flavor
	// Version is major*10000 + minor*100 + patch, 101106 for 10.11.6.
	Version int
	Mode    Mode
	// Ignore is set for INSERT IGNORE, UPDATE IGNORE and LOAD DATA IGNORE:
	// errors of values become warnings.
	Ignore bool
	// NullFails is set where NULL for a NOT NULL column is an error even in
	// non-strict mode: an INSERT of one row (MySQL manual, "Data Type Default
	// Values").
	NullFails bool
	// Location is the session's time_zone; nil is UTC. It is used for TIMESTAMP.
	Location *time.Location
	// Results is character_set_results, in which text is sent; nil is NULL, which
	// sends it as it is.
	Results *charset.Charset
	// Today is the date in the session's time zone at the start of the
	// statement, in the packed form of DATE. A TIME stored in a column with a
	// date takes it.
	Today int64
	// Now is when the statement began, where it stores values; zero elsewhere. MariaDB
	// stores it for NULL in a TIMESTAMP that is NOT NULL.
	Now time.Time
}

// Strict reports whether a value that does not fit fails the statement.
func (e *Env) Strict() bool {
	return e.Mode&(StrictTransTables|StrictAllTables) != 0 && !e.Ignore
}

// roundsFraction reports whether fractional seconds that do not fit are rounded
// (MySQL) or cut off (MariaDB), unless sql_mode says otherwise.
func (e *Env) roundsFraction() bool {
	if e.Flavor == MariaDB {
		return e.Mode&TimeRoundFractional != 0
	}
	return e.Mode&TimeTruncateFractional == 0
}

func (e *Env) location() *time.Location {
	if e.Location == nil {
		return time.UTC
	}
	return e.Location
}

// Unstrict is a sql_mode without what makes errors of warnings. MySQL computes the constants of
// a statement when it prepares it, and those of a description are not the client's: what is
// wrong with the client's own comes to light where the rows are read and written.
func Unstrict(sqlMode string) string {
	modes := slices.DeleteFunc(strings.Split(sqlMode, ","), func(name string) bool {
		return name == "STRICT_TRANS_TABLES" || name == "STRICT_ALL_TABLES" || name == "TRADITIONAL" // which is of both
	})
	return strings.Join(modes, ",")
}
