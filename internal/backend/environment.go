package backend

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Environment is what of a session changes the meaning of the values in its
// statements and the form in which it is sent rows.
type Environment struct {
	SQLMode   string
	Client    string // character_set_client
	Collation string // collation_connection
	Results   string // character_set_results; "" if results are not converted
	// ResultsID is the number of the collation that results are said to have. It is
	// the one that the client has named at its login, until it sets another.
	ResultsID  uint16
	TimeZone   string // time_zone, SYSTEM included
	SystemZone string // system_time_zone: how the server's operating system calls its zone
	// Moment is the time of the statement that asked, as the session sees it, and
	// Fixed says that the client has set the session's time to stand still.
	Moment time.Time
	Fixed  bool
	// PacketBytes is max_allowed_packet.
	PacketBytes int
	// NoticesMax is max_error_count.
	NoticesMax int
	// DivPrecision is div_precision_increment.
	DivPrecision int
	// ConcatMax is group_concat_max_len, in bytes.
	ConcatMax int
	// WeekMode is default_week_format, the mode of WEEK where it is not given one.
	WeekMode int
	// Names is lc_time_names: the locale of the names of months and days.
	Names string
	// BlockMode is block_encryption_mode, the mode of AES_ENCRYPT; "" where the server
	// has no such variable.
	BlockMode string
	// RegexFlags is default_regex_flags, which MariaDB alone has.
	RegexFlags string
	// Rounds is cte_max_recursion_depth, or MariaDB's max_recursive_iterations: how many
	// rounds a recursive common table expression has at most.
	Rounds uint64
	// SelectMost is sql_select_limit: how many rows a SELECT without LIMIT returns.
	SelectMost uint64
	// SmallSelects is that sql_big_selects is off: max_join_size bounds what a SELECT reads. TimedSelects is
	// that max_execution_time bounds how long one takes (MySQL).
	SmallSelects, TimedSelects bool
	// Uncommitted is that the isolation level is READ UNCOMMITTED.
	Uncommitted bool
	// SafeUpdates is sql_safe_updates: an UPDATE or DELETE has to use a key.
	SafeUpdates bool
	// Notes is sql_notes: the session counts notes among its warnings.
	Notes bool
	// AutoIsNull is sql_auto_is_null: id IS NULL finds the row that was inserted last.
	AutoIsNull bool
	// OldDates says that old_mode, which MariaDB alone has, has ZERO_DATE_TIME_CAST.
	OldDates bool
	// Unchecked says that check_constraint_checks, which MariaDB alone has, is off.
	Unchecked bool
}

// StatementTime is the expression of the moment of a statement, in seconds since 1970 with six
// digits behind the point. UNIX_TIMESTAMP(NOW(6)) would be the first of two moments in the hour in
// which clocks are set back.
const StatementTime = "CONCAT(UNIX_TIMESTAMP(), _utf8mb4'.', LPAD(MICROSECOND(NOW(6)), 6, _utf8mb4'0'))"

// environmentQuery reads alike in every sql_mode and character set, also where strings of the client's
// character set cannot be made ones of the connection's, and is answered with bytes, as settingsQuery. What one server has and another has not stands in
// comments that the former executes (MySQL manual, "Comments"; MariaDB
// documentation, "Comment Syntax"). A session whose time the client has set answers
// NOW() with that, and SYSDATE() with the clock.
var environmentQuery = "SELECT " + strings.Join([]string{
	InBytes("@@sql_mode"),
	InBytes("@@character_set_client"),
	InBytes("@@collation_connection"),
	InBytes("@@character_set_results"),
	InBytes("@@time_zone"),
	InBytes("@@system_time_zone"),
	InBytes(StatementTime),
	InBytes("ABS(TIMESTAMPDIFF(SECOND, NOW(6), SYSDATE(6))) > 1"),
	InBytes("@@max_allowed_packet"),
	InBytes("@@max_error_count"),
	InBytes("@@div_precision_increment"),
	InBytes("@@sql_select_limit"),
	InBytes("@@sql_safe_updates + 2 * @@sql_notes + 4 * @@sql_auto_is_null + 16 * (@@sql_big_selects = 0) /*!80003 + 32 * (@@max_execution_time > 0) + 64 * (@@transaction_isolation LIKE _utf8mb4'READ-UNCOMMITTED') */ /*M!100000 + 64 * (@@tx_isolation LIKE _utf8mb4'READ-UNCOMMITTED') + 8 * (@@old_mode LIKE _utf8mb4'%ZERO_DATE_TIME_CAST%') */"),
	InBytes("LEAST(@@group_concat_max_len, 4294967295)"),
	InBytes("@@default_week_format"),
	InBytes("@@lc_time_names"),
	InBytes("CONCAT(_utf8mb4'' /*!50717 , @@block_encryption_mode */ /*M!110200 , @@block_encryption_mode */)"),
	InBytes("CONCAT(_utf8mb4'' /*M!100000 , @@default_regex_flags */)"),
	InBytes("(0 /*!80003 + @@cte_max_recursion_depth */ /*M!100200 + @@max_recursive_iterations */)"),
	InBytes("(1 /*M!100201 * @@check_constraint_checks */)"),
	"CONVERT(_utf8mb4'x' USING utf8mb4)",
	processColumn,
}, ", ") + " LIMIT 1"

// InBytes is an expression that no setting of the session converts. A number becomes text of
// the connection's character set first, which may take two or four bytes a character.
func InBytes(expression string) string {
	return "CAST(CONVERT(" + expression + " USING utf8mb4) AS BINARY)"
}

// Environment asks the server for the session's own. It may be called between two
// commands, as Settings.
func (c *Conn) Environment() (Environment, error) {
	row, defined, err := c.queryDefined(environmentQuery, 22)
	if err != nil {
		return Environment{}, fmt.Errorf("ask for the session's environment: %w", err)
	}
	c.tellsProcess(row[21])
	e := Environment{
		SQLMode: row[0], Client: row[1], Collation: row[2], Results: row[3], TimeZone: row[4], SystemZone: row[5],
		Fixed: row[7] != "0", Names: row[15], BlockMode: row[16], RegexFlags: row[17],
		ResultsID: defined[20].Charset, Unchecked: row[19] == "0",
	}
	seconds, err := strconv.ParseFloat(row[6], 64)
	if err == nil {
		e.Moment = time.UnixMicro(int64(seconds * 1e6))
		e.PacketBytes, err = strconv.Atoi(row[8])
	}
	if err == nil {
		e.NoticesMax, err = strconv.Atoi(row[9])
	}
	if err == nil {
		e.DivPrecision, err = strconv.Atoi(row[10])
	}
	if err == nil {
		e.SelectMost, err = strconv.ParseUint(row[11], 10, 64)
	}
	if err == nil {
		e.ConcatMax, err = strconv.Atoi(row[13])
	}
	if err == nil {
		e.WeekMode, err = strconv.Atoi(row[14])
	}
	if err == nil {
		e.Rounds, err = strconv.ParseUint(row[18], 10, 64)
	}
	if err == nil {
		var bits int
		bits, err = strconv.Atoi(row[12])
		e.SmallSelects, e.TimedSelects = bits&16 != 0, bits&32 != 0
		e.Uncommitted = bits&64 != 0
		e.SafeUpdates, e.Notes, e.AutoIsNull, e.OldDates = bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0
	}
	if err != nil {
		return Environment{}, fmt.Errorf("%w: a number is none", ErrShape)
	}
	return e, nil
}

// AskRow runs a query of tunic's own over the session's connection that returns one
// row of so many columns, as text. It may be called between two commands, as
// Settings.
func (c *Conn) AskRow(query string, columns int) ([]string, error) {
	return c.queryRow(query, columns)
}
