package evaluators

import (
	"bytes"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"vitess.io/vitess/go/mysql/collations"
	"vitess.io/vitess/go/vt/sqlparser"
	"vitess.io/vitess/go/vt/vtenv"
	"vitess.io/vitess/go/vt/vtgate/evalengine"

	"tunic/internal/eval"
	"tunic/internal/eval/program"
	"tunic/internal/sandbox/sandboxtest"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

var detail = flag.Bool("detail", false, "print every expression on which vitess's evaluator differs from the server")

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m)) }

// answer is the text of a value; nil is NULL.
type answer []byte

// is reports whether answers are the same. Of a DOUBLE the driver does not give the server's text.
func (a answer) is(b answer, double bool) bool {
	if a == nil || b == nil || !double {
		return (a == nil) == (b == nil) && bytes.Equal(a, b)
	}
	x, err := strconv.ParseFloat(string(a), 64)
	y, err2 := strconv.ParseFloat(string(b), 64)
	return err == nil && err2 == nil && x == y
}

// errRefused says that an evaluator does not compute an expression.
var errRefused = errors.New("refused")

// evaluator computes expressions without a server.
type evaluator func(expression string) (answer, error)

// count is what came of the expressions of an evaluator.
type count struct{ equal, refused, silent int }

func (c *count) String() string {
	return fmt.Sprintf("%d equal, %d refused, %d silently another value", c.equal, c.refused, c.silent)
}

// TestEvaluators has both evaluators compute what the server computes without a warning.
func TestEvaluators(t *testing.T) {
	db, version := connect(t)
	evaluators := []struct {
		name     string
		evaluate evaluator
		count
		operations map[string]int
	}{{name: "tunic", evaluate: ours(t, version)}, {name: "vitess", evaluate: theirs(t, version)}}
	compared := 0
	for _, e := range expressions() {
		want, double, ok := ask(t, db, e.text)
		if !ok {
			continue
		}
		compared++
		for i := range evaluators {
			v := &evaluators[i]
			got, err := v.evaluate(e.text)
			switch {
			case err != nil:
				v.refused++
			case got.is(want, double):
				v.equal++
			default:
				v.silent++
				if v.operations == nil {
					v.operations = make(map[string]int)
				}
				v.operations[e.operation]++
				if v.name == "tunic" || *detail {
					t.Logf("%s: %s is %q at the server, and %q", v.name, e.text, want, got)
				}
			}
		}
	}
	if compared == 0 {
		t.Fatal("no expression was compared")
	}
	for i := range evaluators {
		v := &evaluators[i]
		t.Logf("%s: of %d expressions %s, in %d of %d operations", v.name, compared, &v.count, len(v.operations), len(templates))
	}
	if n := evaluators[0].silent; n > 0 {
		t.Errorf("tunic computes %d expressions to something else than the server", n)
	}
}

// moment is what all take for now.
var moment = time.Date(2021, 3, 4, 5, 6, 7, 0, time.UTC)

const mode = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO"

// connect is a connection to a MySQL server, and the server's version.
func connect(t *testing.T) (db *sql.DB, version string) {
	t.Helper()
	server := sandboxtest.MySQL(t, sandboxtest.Volatile)
	db = sandboxtest.Open(t, server.DSN("root", "root", "test"))
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(t.Context(), "SET NAMES utf8mb4, time_zone = '+00:00', timestamp = "+strconv.FormatInt(moment.Unix(), 10)+", sql_mode = '"+mode+"'"); err != nil {
		t.Fatal(err)
	}
	return db, server.Version
}

// ask has the server compute an expression. It is not ok where it fails or warns: an evaluator has no
// warnings to be compared.
func ask(t *testing.T, db *sql.DB, expression string) (a answer, double, ok bool) {
	t.Helper()
	var text sql.RawBytes
	rows, err := db.QueryContext(t.Context(), "SELECT "+expression)
	if err != nil {
		return nil, false, false
	}
	types, err := rows.ColumnTypes()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		if text != nil {
			a = append(answer{}, text...)
		}
	}
	if rows.Err() != nil || rows.Close() != nil {
		return nil, false, false
	}
	var warnings int
	if err := db.QueryRowContext(t.Context(), "SELECT @@warning_count").Scan(&warnings); err != nil {
		t.Fatal(err)
	}
	return a, types[0].DatabaseTypeName() == "DOUBLE", warnings == 0
}

// ours is tunic's evaluator.
func ours(t *testing.T, version string) evaluator {
	t.Helper()
	utf8mb4, _ := charset.CharsetByName(value.MySQL, "utf8mb4")
	session := program.Session{Flavor: value.MySQL, Version: tsql.Modes(0).WithServer(version).Version(), DivPrecision: 4, EnglishNames: true, Collation: utf8mb4.Default()}
	for name := range strings.SplitSeq(mode, ",") {
		session.Mode |= value.ModeNamed(name)
	}
	env := &value.Env{Flavor: session.Flavor, Version: session.Version, Mode: session.Mode, Location: time.UTC}
	env.Today = (&value.Clock{Year: 2021, Month: 3, Day: 4}).PackDateTime()
	return func(expression string) (answer, error) {
		statements, err := tsql.Parse([]byte("SELECT "+expression), 0)
		if err != nil {
			return nil, err
		}
		tree, err := statements[0].Tree()
		if err != nil {
			return nil, err
		}
		e := tree.Root().(*ast.Select).SelectExprs.Exprs[0].(*ast.AliasedExpr).Expr //nolint:forcetypeassert // it is one
		x, err := eval.Compile(e, noColumns{}, session)
		if err != nil {
			return nil, err
		}
		run, err := x.Start(program.Inputs{Env: env, Now: moment})
		if err != nil {
			return nil, err
		}
		result, err := run.Eval(nil)
		switch {
		case err != nil:
			return nil, err
		case len(run.Conditions()) > 0:
			return nil, errRefused
		case result.Null():
			return nil, nil //nolint:nilnil // NULL
		}
		return result.AppendText([]byte{})
	}
}

// noColumns is a scope without any.
type noColumns struct{}

func (noColumns) Column(*ast.ColName) (int, *value.Type, error) { return 0, nil, errRefused }

func (noColumns) Bind(*ast.Argument) (int, value.Source, error) { return 0, value.Source{}, errRefused }

func (noColumns) Items(*ast.Argument) (int, []value.Source, error) { return 0, nil, errRefused }

// theirs is vitess's.
func theirs(t *testing.T, version string) evaluator {
	t.Helper()
	env, err := vtenv.New(vtenv.Options{MySQLServerVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	config := &evalengine.Config{Collation: collations.ID(env.CollationEnv().DefaultConnectionCharset()), Environment: env, SQLMode: evalengine.ParseSQLMode(mode)}
	return func(expression string) (a answer, err error) {
		defer func() {
			if p := recover(); p != nil {
				a, err = nil, fmt.Errorf("it panics: %v", p)
			}
		}()
		tree, err := env.Parser().ParseExpr(expression)
		if err != nil {
			return nil, err
		}
		x, err := evalengine.Translate(tree.(sqlparser.Expr), config)
		if err != nil {
			return nil, err
		}
		in := evalengine.NewExpressionEnv(t.Context(), nil, evalengine.NewEmptyVCursor(env, time.UTC))
		in.SetTime(moment)
		result, err := in.Evaluate(x)
		if err != nil {
			return nil, err
		}
		v := result.Value(config.Collation)
		if v.IsNull() {
			return nil, nil //nolint:nilnil // NULL
		}
		return answer(v.ToString()), nil
	}
}
