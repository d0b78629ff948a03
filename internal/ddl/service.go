package ddl

import (
	"context"
	"database/sql"
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
	tsql "tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// settings are the variables of a session that change what a definition comes to.
// A server has some of them.
var settings = []string{
	"sql_mode", "time_zone", "foreign_key_checks", "default_storage_engine", "enforce_storage_engine",
	"explicit_defaults_for_timestamp", "innodb_strict_mode", "old_mode",
	"default_collation_for_utf8mb4", "character_set_collations",
	"sql_generate_invisible_primary_key", "sql_require_primary_key", "restrict_fk_on_non_standard_key",
}

// service is a connection of the service account's that reads definitions as the
// client's session does.
type service struct {
	conn *sql.Conn
	// has are the settings of the connection's session, by name in lower case.
	has map[string]string
	// spent says that it is not to be used for another statement.
	spent bool
	// words are what to say in the server's messages for the names of the twin.
	words *strings.Replacer
	// idle is where it goes when it is closed.
	idle *idleServices
}

// idleServices are connections that have done their statement, for the next ones: to log in
// costs both sides more than most definitions. Only their settings are left in their sessions.
type idleServices struct {
	mu     sync.Mutex
	all    []idleService
	closed bool
}

type idleService struct {
	*service
	since time.Time
}

// put keeps one, if there is room.
func (i *idleServices) put(s *service) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.closed || len(i.all) == idleServicesMost {
		return false
	}
	s.words = nil
	i.all = append(i.all, idleService{s, time.Now()})
	return true
}

// close closes those that there are, and keeps none from then on.
func (i *idleServices) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closed = true
	for _, s := range i.all {
		closeForGood(s.conn)
	}
	i.all = nil
}

const (
	idleServicesMost = 2
	idleServiceTime  = 10 * time.Second
)

// take takes one, or returns nil. Those that have waited for long are closed.
func (i *idleServices) take() (taken *service) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, s := range i.all {
		if taken == nil && time.Since(s.since) < idleServiceTime {
			taken = s.service
			continue
		}
		closeForGood(s.conn)
	}
	i.all = nil
	return taken
}

// service opens the connection.
func (w *work) service(ctx context.Context) (*service, error) {
	if w.session.Frozen != nil { // a temporary table, for which nobody waits at the server
		return nil, sqlerr.StatementRefused("a definition under FLUSH TABLES WITH READ LOCK")
	}
	theirs, err := w.client.Query(ctx, showSettings())
	if err != nil {
		return nil, err
	}
	s, err := connect(ctx, w.o.DB, &w.services, theirs)
	if err != nil {
		return nil, err
	}
	if w.session.Locked {
		s.spent = true
		err = s.exec(ctx, "SET SESSION lock_wait_timeout = "+strconv.Itoa(int(WaitLocked/time.Second)))
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// connect is a connection of an account's with the client's settings. An idle one may be broken by now.
func connect(ctx context.Context, db *sql.DB, idle *idleServices, theirs [][]*string) (*service, error) {
	if s := idle.take(); s != nil {
		if err := s.adopt(ctx, theirs); err == nil {
			return s, nil
		}
		closeForGood(s.conn)
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	s := &service{conn: conn, idle: idle}
	if err = s.look(ctx); err == nil {
		err = s.adopt(ctx, theirs)
	}
	if err != nil {
		closeForGood(conn)
		return nil, err
	}
	return s, nil
}

func showSettings() string {
	return "SHOW VARIABLES WHERE Variable_name IN ('" + strings.Join(settings, "','") + "')"
}

// look finds out which settings the session has.
func (s *service) look(ctx context.Context) error {
	s.has = map[string]string{}
	rows, err := s.query(ctx, showSettings())
	for _, r := range rows {
		s.has[strings.ToLower(text(r[0]))] = text(r[1])
	}
	return err
}

// adopt sets what is other than in the client's session.
func (s *service) adopt(ctx context.Context, theirs [][]*string) error {
	for _, r := range theirs {
		name, want := strings.ToLower(text(r[0])), text(r[1])
		if name == "sql_mode" {
			want = ownMode(want)
		}
		if have, known := s.has[name]; !known || have == want {
			continue
		}
		if err := s.set(ctx, name, want); err != nil {
			return err
		}
	}
	return s.exec(ctx, "SET NAMES utf8mb4")
}

// ofSequences are the words with which a definition names a sequence.
var ofSequences = []string{"nextval", "lastval", "setval", "next value", "previous value"}

// useFor makes a schema the connection's, if a definition may name a sequence, which is there if no
// other schema is said. No other definition gets the connection then: what servers show of a view
// depends on the schema.
func (s *service) useFor(ctx context.Context, definition, schema string) error {
	if !slices.ContainsFunc(ofSequences, func(word string) bool { return tsql.ContainsFold([]byte(definition), word) }) {
		return nil
	}
	s.spent = true
	return s.exec(ctx, "USE "+catalog.Quoted(schema))
}

// set sets one of the settings.
func (s *service) set(ctx context.Context, name, value string) error {
	if err := s.exec(ctx, "SET SESSION "+name+" = "+showcreate.QuoteString(value)); err != nil {
		return err
	}
	s.has[name] = value
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

// close keeps the connection for another definition, or ends it for good.
func (s *service) close() {
	if s.spent || s.idle == nil || !s.idle.put(s) {
		closeForGood(s.conn)
	}
}

func (s *service) exec(ctx context.Context, statement string) error {
	_, err := s.conn.ExecContext(ctx, statement)
	return s.failed(err)
}

// define runs a definition in which the client's words are. What it calls is the client's, too.
func (s *service) define(ctx context.Context, statement string) error {
	err := s.exec(ctx, statement)
	if answeredWith(err, ofRoutines...) {
		return sqlerr.StatementRefused("a definition that calls a stored function or a sequence, or one that is not there,")
	}
	return err
}

// ofRoutines are the server's errors for a function that is not there, or that the service account may
// not call, and for one, or a sequence, that is named without a schema where the connection has none.
var ofRoutines = []uint16{1046, 1305, 1370}

// failed is serverError of what the connection has done. After anything else than an error of the
// server's nobody knows what the connection is in.
func (s *service) failed(err error) error {
	if _, said := errors.AsType[*mysql.MySQLError](err); err != nil && !said {
		s.spent = true
	}
	return s.serverError(err)
}

// query returns all rows of a statement.
func (s *service) query(ctx context.Context, statement string, args ...any) (out [][]*string, err error) {
	rows, err := s.conn.QueryContext(ctx, statement, args...)
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

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// serverError is what the server has said, as an error that a client may see.
func serverError(err error) error { return (&service{}).serverError(err) }

// serverError is what the server has said, in the client's words.
func (s *service) serverError(err error) error {
	refusal, ok := errors.AsType[*mysql.MySQLError](err)
	if !ok {
		return err
	}
	return &sqlerr.Error{Number: refusal.Number, State: string(refusal.SQLState[:]), Message: s.say(refusal.Message)}
}

func (s *service) say(message string) string {
	if s.words == nil {
		return message
	}
	return s.words.Replace(message)
}

// speakOf makes messages speak of a table and not of its twin.
func (s *service) speakOf(t *definition.Twin, d *definition.Definition) {
	var pairs []string
	for own, given := range t.Constraints {
		pairs = append(pairs, own, given)
	}
	pairs = append(pairs, t.Name, d.Table)
	for twin, parent := range t.Parents {
		pairs = append(pairs, twin, parent[1])
	}
	s.words = strings.NewReplacer(append(pairs, catalog.Schema, d.Schema)...)
}

// warnings are those of the statement before.
func (s *service) warnings(ctx context.Context) ([]Warning, error) {
	rows, err := s.query(ctx, "SHOW WARNINGS")
	if err != nil {
		return nil, err
	}
	return readWarnings(rows, s.say), nil
}

// readWarnings reads the rows of SHOW WARNINGS.
func readWarnings(rows [][]*string, say func(string) string) []Warning {
	levels := map[string]value.Level{"Note": value.Note, "Warning": value.Warning, "Error": value.Error}
	out := make([]Warning, 0, len(rows))
	for _, r := range rows {
		n, _ := strconv.ParseUint(text(r[1]), 10, 16)
		out = append(out, Warning{Level: levels[text(r[0])], Number: uint16(n), Message: say(text(r[2]))})
	}
	return out
}

// defaultsOf asks for the character set of a schema. One that the service account
// cannot see is refused as such.
func (s *service) defaultsOf(ctx context.Context, schema string) (definition.SchemaDefaults, error) {
	rows, err := s.query(ctx,
		"SELECT DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ?", schema)
	if err != nil {
		return definition.SchemaDefaults{}, err
	}
	if len(rows) == 0 {
		return definition.SchemaDefaults{}, sqlerr.AccountBlind(schema)
	}
	return definition.SchemaDefaults{Charset: text(rows[0][0]), Collation: text(rows[0][1])}, nil
}

// make makes a twin and returns what the server says of it. Its constraints are
// dropped again: foreign keys would tie twins to each other and to plain tables,
// and neither they nor CHECKs are needed to tell types. Keys that have a name of a
// constraint get the one that it has in the definition.
func (s *service) make(ctx context.Context, t *definition.Twin) (*definition.Facts, []Warning, error) {
	if err := s.define(ctx, t.Text); err != nil {
		return nil, nil, err
	}
	warnings, err := s.warnings(ctx)
	if err != nil {
		return nil, nil, err
	}
	f, err := s.facts(ctx, t.Name)
	if err != nil {
		return nil, nil, err
	}
	return f, warnings, s.dropConstraints(ctx, t, f)
}

func (s *service) dropConstraints(ctx context.Context, t *definition.Twin, f *definition.Facts) error {
	account, err := showcreate.Read(f.Create)
	if err != nil {
		return err
	}
	var clauses []string
	for i := range account.ForeignKeys {
		clauses = append(clauses, "DROP FOREIGN KEY "+catalog.Quoted(account.ForeignKeys[i].Name))
	}
	for i := range account.Checks {
		clauses = append(clauses, "DROP CONSTRAINT "+catalog.Quoted(account.Checks[i].Name))
	}
	for i := range account.Keys {
		own := account.Keys[i].Name // taken from a constraint, or not
		if given, ok := t.Constraints[own]; ok {
			clauses = append(clauses, "RENAME INDEX "+catalog.Quoted(own)+" TO "+catalog.Quoted(given))
		}
	}
	if len(clauses) == 0 {
		return nil
	}
	return s.exec(ctx, "ALTER TABLE "+definition.QuotedTwin(t.Name)+" "+strings.Join(clauses, ", "))
}

// facts asks what the server says of a twin.
func (s *service) facts(ctx context.Context, name string) (*definition.Facts, error) {
	create, err := s.query(ctx, "SHOW CREATE TABLE "+definition.QuotedTwin(name))
	if err != nil || len(create) == 0 {
		return nil, errors.Join(err, noRow(len(create)))
	}
	columns, err := s.query(ctx, `SELECT COLUMN_NAME, COLUMN_TYPE, COLLATION_NAME, IS_NULLABLE, COLUMN_DEFAULT, EXTRA
		FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION`, catalog.Schema, name)
	if err != nil {
		return nil, err
	}
	f := &definition.Facts{Create: text(create[0][1])}
	for _, c := range columns {
		f.Columns = append(f.Columns, definition.Fact{
			Name: text(c[0]), Type: text(c[1]), Collation: text(c[2]), Nullable: text(c[3]) == "YES", Default: c[4], Extra: text(c[5]),
		})
	}
	return f, nil
}

func noRow(n int) error {
	if n == 0 {
		return showcreate.ErrUnread
	}
	return nil
}

// drop drops twins that are not needed any more. Those that it fails to drop are
// swept at the next start.
func (s *service) drop(ctx context.Context, names ...string) {
	for _, name := range names {
		_ = s.exec(ctx, "DROP TABLE IF EXISTS "+definition.QuotedTwin(name))
	}
}

// may makes sure that the service account has a privilege for a schema, without which a
// definition that was cut off is not settled. A privilege by way of a role does not
// count: the account has none at the next start.
func (s *service) may(ctx context.Context, privilege, schema string) error {
	const granted = "PRIVILEGE_TYPE = ? AND GRANTEE = CONCAT('''', REPLACE(CURRENT_USER(), '@', '''@'''), '''')"
	rows, err := s.query(ctx, "SELECT 1 FROM information_schema.USER_PRIVILEGES WHERE "+granted+
		" UNION SELECT 1 FROM information_schema.SCHEMA_PRIVILEGES WHERE "+granted+" AND ? LIKE TABLE_SCHEMA", privilege, privilege, schema)
	if err == nil && len(rows) == 0 {
		err = sqlerr.AccountBlind(schema)
	}
	return err
}
