package service

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	tsql "tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// CloseForGood closes a connection that nobody is to use again.
func CloseForGood(conn *sql.Conn) {
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = conn.Close()
}

// settings are the variables of a session that change what a definition comes to.
// A server has some of them.
var settings = []string{
	"sql_mode", "time_zone", "foreign_key_checks", "default_storage_engine", "enforce_storage_engine",
	"explicit_defaults_for_timestamp", "innodb_strict_mode", "old_mode",
	"default_collation_for_utf8mb4", "character_set_collations",
	"sql_generate_invisible_primary_key", "sql_require_primary_key", "restrict_fk_on_non_standard_key",
}

// Connection is a connection of the service account's that reads definitions as the
// client's session does.
type Connection struct {
	Conn *sql.Conn
	// Has are the settings of the connection's session, by name in lower case.
	Has map[string]string
	// Spent says that it is not to be used for another statement.
	Spent bool
	// Words are what to say in the server's messages for the names of the twin.
	Words *strings.Replacer
	// idle is where it goes when it is closed.
	idle *Idle
}

// Idle are connections that have done their statement, for the next ones: to log in
// costs both sides more than most definitions. Only their settings are left in their sessions.
type Idle struct {
	mu     sync.Mutex
	all    []idleConnection
	closed bool
}

type idleConnection struct {
	*Connection
	since time.Time
}

// put keeps one, if there is room.
func (i *Idle) put(s *Connection) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.closed || len(i.all) == idleServicesMost {
		return false
	}
	s.Words = nil
	i.all = append(i.all, idleConnection{s, time.Now()})
	return true
}

// Close closes those that there are, and keeps none from then on.
func (i *Idle) Close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closed = true
	for _, s := range i.all {
		CloseForGood(s.Conn)
	}
	i.all = nil
}

const (
	idleServicesMost = 2
	idleServiceTime  = 10 * time.Second
)

// take takes one, or returns nil. Those that have waited for long are closed.
func (i *Idle) take() (taken *Connection) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, s := range i.all {
		if taken == nil && time.Since(s.since) < idleServiceTime {
			taken = s.Connection
			continue
		}
		CloseForGood(s.Conn)
	}
	i.all = nil
	return taken
}

// Connect is a connection of an account's with the client's settings. An idle one may be broken by now.
func Connect(ctx context.Context, db *sql.DB, idle *Idle, theirs [][]*string) (*Connection, error) {
	if s := idle.take(); s != nil {
		if err := s.adopt(ctx, theirs); err == nil {
			return s, nil
		}
		CloseForGood(s.Conn)
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, Error(err)
	}
	s := &Connection{Conn: conn, idle: idle}
	if err = s.look(ctx); err == nil {
		err = s.adopt(ctx, theirs)
	}
	if err != nil {
		CloseForGood(conn)
		return nil, err
	}
	return s, nil
}

// ShowSettings is the statement by which a client's session shows them.
func ShowSettings() string {
	return "SHOW VARIABLES WHERE Variable_name IN ('" + strings.Join(settings, "','") + "')"
}

// look finds out which settings the session has.
func (s *Connection) look(ctx context.Context) error {
	s.Has = map[string]string{}
	rows, err := s.Query(ctx, ShowSettings())
	for _, r := range rows {
		s.Has[strings.ToLower(Text(r[0]))] = Text(r[1])
	}
	return err
}

// adopt sets what is other than in the client's session.
func (s *Connection) adopt(ctx context.Context, theirs [][]*string) error {
	for _, r := range theirs {
		name, want := strings.ToLower(Text(r[0])), Text(r[1])
		if name == "sql_mode" {
			want = ownMode(want)
		}
		if have, known := s.Has[name]; !known || have == want {
			continue
		}
		if err := s.Set(ctx, name, want); err != nil {
			return err
		}
	}
	return s.Exec(ctx, "SET NAMES utf8mb4")
}

// ofSequences are the words with which a definition names a sequence.
var ofSequences = []string{"nextval", "lastval", "setval", "next value", "previous value"}

// UseFor makes a schema the connection's, if a definition may name a sequence, which is there if no
// other schema is said. No other definition gets the connection then: what servers show of a view
// depends on the schema.
func (s *Connection) UseFor(ctx context.Context, definition, schema string) error {
	if !slices.ContainsFunc(ofSequences, func(word string) bool { return tsql.ContainsFold([]byte(definition), word) }) {
		return nil
	}
	s.Spent = true
	return s.Exec(ctx, "USE "+identifier.Quoted(schema))
}

// Set sets one of the settings.
func (s *Connection) Set(ctx context.Context, name, value string) error {
	if err := s.Exec(ctx, "SET SESSION "+name+" = "+showcreate.QuoteString(value)); err != nil {
		return err
	}
	s.Has[name] = value
	return nil
}

// ownMode is a sql_mode without what changes how text is read and shown: texts of
// tunic's own are in one form.
func ownMode(mode string) string {
	var keep []string
	for m := range strings.SplitSeq(mode, ",") {
		switch m {
		case "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", "ANSI", "PIPES_AS_CONCAT", "IGNORE_SPACE", "HIGH_NOT_PRECEDENCE",
			"NO_FIELD_OPTIONS", "NO_KEY_OPTIONS", "NO_TABLE_OPTIONS":
		default:
			keep = append(keep, m)
		}
	}
	return strings.Join(keep, ",")
}

// Close keeps the connection for another definition, or ends it for good.
func (s *Connection) Close() {
	if s.Spent || s.idle == nil || !s.idle.put(s) {
		CloseForGood(s.Conn)
	}
}

// Exec runs a statement without rows.
func (s *Connection) Exec(ctx context.Context, statement string) error {
	_, err := s.Conn.ExecContext(ctx, statement)
	return s.failed(err)
}

// Define runs a definition in which the client's words are. What it calls is the client's, too.
func (s *Connection) Define(ctx context.Context, statement string) error {
	err := s.Exec(ctx, statement)
	if Said(err, ofRoutines...) {
		return sqlerr.StatementRefused("a definition that calls a stored function or a sequence, or one that is not there,")
	}
	return err
}

// ofRoutines are the server's errors for a function that is not there, or that the service account may
// not call, and for one, or a sequence, that is named without a schema where the connection has none.
var ofRoutines = []uint16{1046, 1305, 1370}

// failed is Error of what the connection has done. After anything else than an error of the
// server's nobody knows what the connection is in.
func (s *Connection) failed(err error) error {
	if _, said := errors.AsType[*mysql.MySQLError](err); err != nil && !said {
		s.Spent = true
	}
	return s.Error(err)
}

// Query returns all rows of a statement.
func (s *Connection) Query(ctx context.Context, statement string, args ...any) (out [][]*string, err error) {
	rows, err := s.Conn.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, s.failed(err)
	}
	defer func() { err = errors.Join(err, s.failed(rows.Close())) }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		row, into := make([]*string, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, s.failed(rows.Err())
}

// Text is a value of a row, "" of NULL.
func Text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Error is what the server has said, in the client's words.
func (s *Connection) Error(err error) error {
	refusal, ok := errors.AsType[*mysql.MySQLError](err)
	if !ok {
		return err
	}
	if slices.Contains(ofLogins, refusal.Number) {
		return sqlerr.LedgerLost()
	}
	return &sqlerr.Error{Number: refusal.Number, State: string(refusal.SQLState[:]), Message: s.say(refusal.Message)}
}

func (s *Connection) say(message string) string {
	if s.Words == nil {
		return message
	}
	return s.Words.Replace(message)
}

// SpeakOf makes messages speak of a table and not of its twin.
func (s *Connection) SpeakOf(t *definition.Twin, d *definition.Definition) {
	var pairs []string
	for own, given := range t.Constraints {
		pairs = append(pairs, own, given)
	}
	pairs = append(pairs, t.Name, d.Table)
	for twin, parent := range t.Parents {
		pairs = append(pairs, twin, parent[1])
	}
	s.Words = strings.NewReplacer(append(pairs, catalog.Schema, d.Schema)...)
}

// Warnings are those of the statement before.
func (s *Connection) Warnings(ctx context.Context) ([]Warning, error) {
	rows, err := s.Query(ctx, "SHOW WARNINGS")
	if err != nil {
		return nil, err
	}
	return ReadWarnings(rows, s.say), nil
}

// ReadWarnings reads the rows of SHOW WARNINGS.
func ReadWarnings(rows [][]*string, say func(string) string) []Warning {
	levels := map[string]value.Level{"Note": value.Note, "Warning": value.Warning, "Error": value.Error}
	out := make([]Warning, 0, len(rows))
	for _, r := range rows {
		n, _ := strconv.ParseUint(Text(r[1]), 10, 16)
		out = append(out, Warning{Level: levels[Text(r[0])], Number: uint16(n), Message: say(Text(r[2]))})
	}
	return out
}

// DefaultsOf asks for the character set of a schema. One that the service account
// cannot see is refused as such.
func (s *Connection) DefaultsOf(ctx context.Context, schema string) (definition.SchemaDefaults, error) {
	rows, err := s.Query(ctx,
		"SELECT DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ?", schema)
	if err != nil {
		return definition.SchemaDefaults{}, err
	}
	if len(rows) == 0 {
		return definition.SchemaDefaults{}, sqlerr.AccountBlind(schema)
	}
	return definition.SchemaDefaults{Charset: Text(rows[0][0]), Collation: Text(rows[0][1])}, nil
}

// Make makes a twin and returns what the server says of it. Its constraints are
// dropped again: foreign keys would tie twins to each other and to plain tables,
// and neither they nor CHECKs are needed to tell types. Keys that have a name of a
// constraint get the one that it has in the definition.
func (s *Connection) Make(ctx context.Context, t *definition.Twin) (*definition.Facts, []Warning, error) {
	if err := s.Define(ctx, t.Text); err != nil {
		return nil, nil, err
	}
	warnings, err := s.Warnings(ctx)
	if err != nil {
		return nil, nil, err
	}
	f, err := s.Facts(ctx, t.Name)
	if err != nil {
		return nil, nil, err
	}
	return f, warnings, s.DropConstraints(ctx, t, f)
}

// DropConstraints drops the foreign keys and CHECKs that a twin has by f, and gives its keys the names that they were
// to have.
func (s *Connection) DropConstraints(ctx context.Context, t *definition.Twin, f *definition.Facts) error {
	account, err := showcreate.Read(f.Create)
	if err != nil {
		return err
	}
	var clauses []string
	for i := range account.ForeignKeys {
		clauses = append(clauses, "DROP FOREIGN KEY "+identifier.Quoted(account.ForeignKeys[i].Name))
	}
	for i := range account.Checks {
		clauses = append(clauses, "DROP CONSTRAINT "+identifier.Quoted(account.Checks[i].Name))
	}
	for i := range account.Keys {
		own := account.Keys[i].Name // taken from a constraint, or not
		if given, ok := t.Constraints[own]; ok {
			clauses = append(clauses, "RENAME INDEX "+identifier.Quoted(own)+" TO "+identifier.Quoted(given))
		}
	}
	if len(clauses) == 0 {
		return nil
	}
	return s.Exec(ctx, "ALTER TABLE "+definition.QuotedTwin(t.Name)+" "+strings.Join(clauses, ", "))
}

// Facts asks what the server says of a twin.
func (s *Connection) Facts(ctx context.Context, name string) (*definition.Facts, error) {
	create, err := s.Query(ctx, "SHOW CREATE TABLE "+definition.QuotedTwin(name))
	if err != nil || len(create) == 0 {
		return nil, errors.Join(err, NoRow(len(create)))
	}
	columns, err := s.Query(ctx, `SELECT COLUMN_NAME, COLUMN_TYPE, COLLATION_NAME, IS_NULLABLE, COLUMN_DEFAULT, EXTRA
		FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION`, catalog.Schema, name)
	if err != nil {
		return nil, err
	}
	f := &definition.Facts{Create: Text(create[0][1])}
	for _, c := range columns {
		f.Columns = append(f.Columns, definition.Fact{
			Name: Text(c[0]), Type: Text(c[1]), Collation: Text(c[2]), Nullable: Text(c[3]) == "YES", Default: c[4], Extra: Text(c[5]),
		})
	}
	return f, nil
}

// NoRow is the error of an answer that has another number of rows than one.
func NoRow(n int) error {
	if n == 0 {
		return showcreate.ErrUnread
	}
	return nil
}

// Drop drops twins that are not needed any more. Those that it fails to drop are
// swept at the next start.
func (s *Connection) Drop(ctx context.Context, names ...string) {
	for _, name := range names {
		_ = s.Exec(ctx, "DROP TABLE IF EXISTS "+definition.QuotedTwin(name))
	}
}

// May makes sure that the service account has a privilege for a schema, without which a
// definition that was cut off is not settled. A privilege by way of a role does not
// count: the account has none at the next start.
func (s *Connection) May(ctx context.Context, privilege, schema string) error {
	const granted = "PRIVILEGE_TYPE = ? AND GRANTEE = CONCAT('''', REPLACE(CURRENT_USER(), '@', '''@'''), '''')"
	rows, err := s.Query(ctx, "SELECT 1 FROM information_schema.USER_PRIVILEGES WHERE "+granted+
		" UNION SELECT 1 FROM information_schema.SCHEMA_PRIVILEGES WHERE "+granted+" AND ? LIKE TABLE_SCHEMA", privilege, privilege, schema)
	if err == nil && len(rows) == 0 {
		err = sqlerr.AccountBlind(schema)
	}
	return err
}
