package eval

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/eval/program"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// The oracle of this package: a private server of each flavor with a table that
// has columns of every class, and rows of values that matter.

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m)) }

// sandboxes are the flavors as the sandbox calls them.
var sandboxes = map[value.Flavor]sandbox.Flavor{value.MariaDB: sandbox.MariaDB, value.MySQL: sandbox.MySQL}

// oracle is one connection to a server, and what is known of its table here.
type oracle struct {
	*sql.Conn
	flavor  value.Flavor
	session program.Session
	env     *value.Env
	names   []string
	types   []*value.Type
	rows    []program.Row
}

// forEach runs a test against each flavor.
func forEach(t *testing.T, run func(t *testing.T, o *oracle)) {
	for _, f := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(f.String(), func(t *testing.T) { run(t, connect(t, f)) })
	}
}

// moment is what the servers take for now.
var moment = time.Date(2021, 3, 4, 5, 6, 7, 0, time.UTC)

const testMode = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO"

func connect(t testing.TB, f value.Flavor) *oracle {
	t.Helper()
	s := sandboxtest.Start(t, sandboxes[f], sandboxtest.Volatile)
	config, err := mysql.ParseDSN(s.DSN("root", "root", "test"))
	if err != nil {
		t.Fatal(err)
	}
	connector, err := mysql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { _ = db.Close() })
	o := &oracle{flavor: f}
	if o.Conn, err = db.Conn(t.Context()); err != nil {
		t.Fatal(err)
	}
	o.exec(t, "SET NAMES utf8mb4")
	o.exec(t, "SET time_zone = '+00:00', max_error_count = 60000, group_concat_max_len = 1048576, sql_mode = '"+testMode+"', timestamp = "+strconv.FormatInt(moment.Unix(), 10))
	o.session = program.Session{Flavor: f, Version: versionNumber(s.Version), DivPrecision: 4, ConcatMax: 1 << 20, EnglishNames: true}
	for name := range strings.SplitSeq(testMode, ",") {
		o.session.Mode |= value.ModeNamed(name)
	}
	utf8mb4, _ := charset.CharsetByName(f, "utf8mb4")
	o.session.Collation = utf8mb4.Default()
	o.env = &value.Env{Flavor: f, Version: o.session.Version, Mode: o.session.Mode, Location: time.UTC}
	o.env.Today = (&value.Clock{Year: 2021, Month: 3, Day: 4}).PackDateTime()
	o.makeTable(t)
	return o
}

func versionNumber(text string) int {
	n := 0
	for _, part := range regexp.MustCompile(`\d+`).FindAllString(text, 3) {
		i, _ := strconv.Atoi(part)
		n = n*100 + i
	}
	return n
}

func (o *oracle) exec(t testing.TB, statement string) {
	t.Helper()
	if _, err := o.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %.300s: %v", o.flavor, statement, err)
	}
}

// column is a column of the test table: its type and its values, of which the
// first is NULL where the rest is shorter than the number of rows.
type column struct {
	name, typ, values string
}

const rowCount = 12

// columns are those of the test table. Values are separated by spaces; _ is
// NULL, and what is missing repeats.
var columns = []column{
	{"ti", "TINYINT", "_ 0 1 -1 127 -128 5 20"},
	{"i", "INT", "_ 0 1 -1 2147483647 -2147483648 5 2020 -7"},
	{"bi", "BIGINT", "_ 0 1 -1 9223372036854775807 -9223372036854775808 9007199254740993 20200102 5"},
	{"u", "INT UNSIGNED", "_ 0 1 4294967295 5 42"},
	{"bu", "BIGINT UNSIGNED", "_ 0 1 18446744073709551615 9223372036854775808 5"},
	{"y", "YEAR", "_ 0 1901 2020 2155"},
	{"b", "BIT(8)", "_ 0 1 5 255"},
	{"d", "DECIMAL(10,2)", "_ 0.00 1.50 -1.50 99999999.99 -99999999.99 0.01 2.00 5.00 -0.05"},
	{"dd", "DECIMAL(30,10)", "_ 0 1.5 -2.0000000005 12345678901234567890.0123456789 1 0.3333333333"},
	{"d0", "DECIMAL(20,0)", "_ 0 1 -1 99999999999999999999 5"},
	{"f", "FLOAT", "_ 0 1.5 -1.1 3.25e10 1e-10"},
	{"db", "DOUBLE", "_ 0 1.5 -1.1 1e300 -2.5 1e-300 5 0.1 123456789.125"},
	{"df", "DOUBLE(10,2)", "_ 0 1.5 -1.1 5 99999.99"},
	{"t", "VARCHAR(20)", "_ '' 'a' 'A' 'abc' 'ab%' 'Straße' '5' '1.5e0' '12abc' 'a ' 'ä'"},
	{"tc", "CHAR(10)", "_ '' 'a' 'ABC' 'b_c' '0' 'zz'"},
	{"tb", "VARCHAR(20) COLLATE utf8mb4_bin", "_ '' 'a' 'A' 'abc' 'Ä' '5' 'a ' '\\\\'"},
	{"vb", "VARBINARY(20)", "_ '' 'a' 'A' '5' 'a ' 'ÿ' 'abc'"},
	{"da", "DATE", "_ '2020-01-02' '0001-01-01' '9999-12-31' '2020-02-29' '2019-12-31' '0000-00-00' '2021-03-04' '2020-05-00'"},
	{"tm", "TIME", "_ '10:11:12' '-10:11:12' '00:00:00' '838:59:59' '23:59:59'"},
	{"tm3", "TIME(3)", "_ '10:11:12.500' '-00:00:00.001' '00:00:00' '10:11:12.000' '-10:59:59.600'"},
	{"dt", "DATETIME", "_ '2020-01-02 00:00:00' '2020-01-02 10:11:12' '9999-12-31 23:59:59' '0000-00-00 00:00:00' '2019-12-31 23:00:00' '2020-02-29 12:00:00'"},
	{"dt6", "DATETIME(6)", "_ '2020-01-02 00:00:00' '2020-01-02 10:11:12.500000' '2020-12-31 23:59:59.999999' '1000-01-01 00:00:00.000001'"},
	{"ts", "TIMESTAMP", "_ '2020-01-02 00:00:00' '2020-01-02 10:11:12' '2038-01-19 03:14:07' '1970-01-01 00:00:01'"},
	{"e", "ENUM('a','B','5','x y')", "_ 'a' 'b' '5' 'x y'"},
	{"s", "SET('a','B','c')", "_ '' 'a' 'a,c' 'a,B,c' 'B'"},
	{"j", "JSON", `_ '{"b":1,"a":[1,2.5,"x",null,true],"o":{"p q":"é"}}' '[1,{"a":3},"z"]' '"str"' '17' 'null' '{"a":"x","b":-2.25}' '{}' 'false' '{"a":{"b":1}}'`},
	{"jt", "TEXT", `'{"b": 1,  "a" :[1, 2.50 ,"x\\u00e4",null,true],"o":{"p q": "é"}}' '[1, {"a":3},"z"]' _ '"s\\tr"' '1.50' 'null' '{"a":"x", "b" :-2.25}' '{ }' 'true' '{"a":{"b":1}}'`},
	{"ts6", "TIMESTAMP(6)", "_ '2020-01-02 10:11:12.500000' '2020-12-31 23:59:59.999999' '2020-02-29 12:00:00' '1970-01-01 00:00:01.4'"},
}

// makeTable makes the table on the server, and reads it.
func (o *oracle) makeTable(t testing.TB) {
	t.Helper()
	o.exec(t, "SET @mode = @@sql_mode, sql_mode = ''")
	o.exec(t, "DROP TABLE IF EXISTS v")
	var defs, names []string
	for _, c := range columns {
		def := c.name + " " + c.typ
		if strings.HasPrefix(c.typ, "TIMESTAMP") {
			def += " NULL"
		}
		defs, names = append(defs, def), append(names, c.name)
	}
	o.exec(t, "CREATE TABLE v (id INT PRIMARY KEY, "+strings.Join(defs, ", ")+") CHARSET utf8mb4 COLLATE utf8mb4_general_ci")
	for id := range rowCount {
		row := []string{strconv.Itoa(id)}
		for i, c := range columns {
			row = append(row, c.value(id, i))
		}
		o.exec(t, "INSERT INTO v VALUES ("+strings.Join(row, ", ")+")")
	}
	o.exec(t, "SET sql_mode = @mode")
	o.readTable(t, names)
}

var valueWords = regexp.MustCompile(`'[^']*'|\S+`)

// value is the literal of a row. Columns are shifted against each other, so that
// not all of them are NULL in one row.
func (c *column) value(id, shift int) string {
	words := valueWords.FindAllString(c.values, -1)
	w := words[(id+shift*5)%len(words)]
	switch {
	case w == "_":
		return "NULL"
	case strings.HasPrefix(c.typ, "BIT"):
		n, _ := strconv.Atoi(w)
		return fmt.Sprintf("b'%b'", n)
	}
	return w
}

// readTable reads the rows as text and makes canonical forms of them.
func (o *oracle) readTable(t testing.TB, names []string) {
	t.Helper()
	o.names = names
	lax := *o.env
	lax.Mode = 0
	var list []string
	for _, c := range columns {
		collation := "utf8mb4_general_ci"
		if strings.Contains(c.typ, "utf8mb4_bin") {
			collation = "utf8mb4_bin"
		}
		known, _ := charset.Lookup(o.flavor, collation)
		spelled, _, _ := strings.Cut(c.typ, " COLLATE")
		if spelled == "JSON" && o.flavor == value.MariaDB { // as its catalog has it
			spelled, collation = "LONGTEXT", "utf8mb4_bin"
			known, _ = charset.Lookup(o.flavor, collation)
		}
		typ, err := value.Parse(lowerOutsideQuotes(spelled), known)
		if err != nil {
			t.Fatal(c.typ, err)
		}
		o.types = append(o.types, typ)
		if typ.Kind == value.Bit {
			c.name += " + 0"
		}
		list = append(list, c.name)
	}
	for _, r := range o.query(t, "SELECT "+strings.Join(list, ", ")+" FROM v ORDER BY id").rows {
		o.rows = append(o.rows, o.canonicalRow(t, r, &lax))
	}
}

func lowerOutsideQuotes(s string) string {
	open := strings.IndexByte(s, '(')
	if open < 0 || !strings.Contains(s, "'") {
		return strings.ToLower(s)
	}
	return strings.ToLower(s[:open]) + s[open:]
}

func (o *oracle) canonicalRow(t testing.TB, texts [][]byte, env *value.Env) program.Row {
	t.Helper()
	row := make(program.Row, len(texts))
	for i, text := range texts {
		if text == nil {
			continue
		}
		s := value.StringSource(text, o.session.Collation)
		if o.types[i].Kind == value.Bit || o.types[i].Kind == value.Year {
			n, _ := strconv.ParseInt(string(text), 10, 64)
			s = value.IntSource(n)
		}
		if o.types[i].Kind.IsBytes() {
			s = value.HexStringSource(text)
		}
		b, outcome := value.Assign([]byte{}, o.types[i], &s, env)
		if outcome.Failed() {
			t.Fatalf("%s: %q", o.names[i], text)
		}
		row[i] = b
	}
	return row
}

// Column and Bind make the oracle a Scope.
func (o *oracle) Column(name *ast.ColName) (int, *value.Type, error) {
	for i, n := range o.names {
		if name.Name.EqualString(n) {
			return i, o.types[i], nil
		}
	}
	return 0, nil, fmt.Errorf("no column %s", name.Name.String())
}

func (o *oracle) Bind(*ast.Argument) (int, value.Source, error) {
	return 0, value.Source{}, errors.New("no binds here")
}

func (o *oracle) Items(*ast.Argument) (int, []value.Source, error) {
	return 0, nil, errors.New("no lists here")
}

// table is what a query returned.
type table struct {
	rows  [][][]byte
	types []*sql.ColumnType
	err   *mysql.MySQLError
}

func (o *oracle) query(t testing.TB, statement string) (r table) {
	t.Helper()
	rows, err := o.QueryContext(t.Context(), statement)
	if err != nil {
		if errors.As(err, &r.err) {
			return r
		}
		t.Fatalf("%s: %v", statement, err)
	}
	defer func() { _ = rows.Close() }()
	r.types, _ = rows.ColumnTypes()
	for rows.Next() {
		row := make([]sql.RawBytes, len(r.types))
		to := make([]any, len(row))
		for i := range row {
			to[i] = &row[i]
		}
		if err := rows.Scan(to...); err != nil {
			t.Fatal(err)
		}
		kept := make([][]byte, len(row))
		for i, b := range row {
			if b != nil {
				kept[i] = append([]byte{}, b...)
			}
		}
		r.rows = append(r.rows, kept)
	}
	if err := rows.Err(); err != nil && !errors.As(err, &r.err) {
		t.Fatalf("%s: %v", statement, err)
	}
	return r
}

// parseExpr parses an expression as a statement of the client has it.
func parseExpr(t testing.TB, text string) ast.Expr {
	t.Helper()
	statements, err := tsql.Parse([]byte("SELECT "+text), 0)
	if err != nil {
		t.Fatal(text, err)
	}
	tree, err := statements[0].Tree()
	if err != nil {
		return nil
	}
	s, ok := tree.Root().(*ast.Select)
	if !ok {
		t.Fatalf("%s is no query", text)
	}
	e, ok := s.SelectExprs.Exprs[0].(*ast.AliasedExpr)
	if !ok {
		t.Fatalf("%s is no expression", text)
	}
	return e.Expr
}
