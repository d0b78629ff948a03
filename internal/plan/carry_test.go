package plan

import (
	"errors"
	"sync/atomic"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// TestActionsByCatalog: what becomes of a statement by the tables that it names, in
// the schema of its session.
func TestActionsByCatalog(t *testing.T) {
	c := tables(t)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	for text, want := range map[string][2]Action{ // in schema test, in another
		"SELECT 1":                                                             {Forward, Forward},
		"SELECT name FROM person":                                              {Carry, Forward},
		"SELECT name FROM test.person":                                         {Carry, Carry},
		"SELECT DEFAULT(age) FROM person":                                      {Carry, Forward}, // by eval, which refuses it
		"SELECT name FROM other.person":                                        {Forward, Forward},
		"SELECT name FROM test.plain":                                          {Forward, Forward},
		"SELECT person FROM plain":                                             {Forward, Forward},
		"SELECT * FROM plain AS person":                                        {Forward, Forward},
		"SELECT * FROM plain JOIN person":                                      {Refuse, Forward},
		"SELECT (SELECT name FROM person)":                                     {Carry, Forward},
		"SELECT name FROM plain UNION SELECT name FROM person":                 {Refuse, Forward},
		"SELECT name FROM plain UNION TABLE person":                            {Refuse, Refuse},
		"INSERT INTO person (name) VALUES ('x')":                               {Carry, Forward},
		"INSERT INTO plain SELECT name FROM person":                            {Refuse, Forward},
		"INSERT INTO plain VALUES ((SELECT name FROM person LIMIT 1))":         {Refuse, Forward},
		"UPDATE plain SET a = (SELECT name FROM person LIMIT 1)":               {Refuse, Forward},
		"DELETE FROM person":                                                   {Carry, Forward},
		"DELETE person FROM person JOIN plain":                                 {Refuse, Forward},
		"SELECT name FROM person; SELECT 1":                                    {Each, Each},
		"SELECT * FROM _tunic.object":                                          {Refuse, Refuse},
		"SELECT * FROM `_TUNIC`.object":                                        {Refuse, Refuse},
		"DROP DATABASE _tunic":                                                 {Define, Define},
		"ALTER TABLE person ADD x INT":                                         {Define, Define},
		"DROP TABLE person":                                                    {Define, Define},
		"CREATE TABLE y (a INT)":                                               {Define, Define},
		"CREATE TABLE y (a INT); SELECT 1":                                     {Each, Each},
		"CREATE TABLE y (a FROB)":                                              {Define, Define},
		"CREATE TABLE y (a FROB COMMENT 'tunic: sealed')":                      {Refuse, Refuse},
		"CREATE TABLE y (a FROB, b INT REFERENCES person (id))":                {Refuse, Refuse},
		"TRUNCATE plain":                                                       {Define, Define},
		"PREPARE s FROM 'CREATE TABLE y (a INT)'":                              {ByName, ByName},
		"PREPARE s FROM 'SELECT a FROM plain'":                                 {ByName, ByName},
		"PREPARE s FROM @text":                                                 {ByName, ByName},
		"PREPARE s FROM CONCAT('SELECT name', ' FROM person')":                 {Refuse, Refuse},
		"PREPARE s FROM X'53454C4543542031'":                                   {Refuse, Refuse},
		"EXECUTE IMMEDIATE UNHEX('53454C4543542031')":                          {Refuse, Refuse},
		"EXECUTE s USING @a, 1 + 1":                                            {ByName, ByName},
		"EXECUTE s 'x'":                                                        {Refuse, Refuse},
		"SELECT 1; EXECUTE s 'x'":                                              {Each, Each},
		"DROP PREPARE s":                                                       {ByName, ByName},
		"EXECUTE IMMEDIATE 'SELECT name FROM person WHERE age = ?' USING 1":    {ByName, ByName},
		"PREPARE s FROM 'SELECT name FROM person'; EXECUTE s":                  {Each, Each},
		"SET @a = 'x', @b := @a":                                               {Hold, Hold},
		"SET @a = (SELECT name FROM person LIMIT 1)":                           {Hold, Hold},
		"SET @a = 'x'; SET @b = 'y'":                                           {Each, Each},
		"SELECT 1; SELECT 'x' INTO @a":                                         {Each, Each},
		"SELECT 1; SET @a = 'x', sql_safe_updates = 0":                         {Each, Each},
		"SELECT 1; PREPARE s FROM 'SELECT a FROM plain'":                       {Each, Each},
		"SET @a = 1; LOAD DATA LOCAL INFILE 'x' INTO TABLE plain":              {Forward, Forward},
		"SELECT 1; SELECT a FROM plain":                                        {Forward, Forward},
		"SET @a = @b := 1":                                                     {Forward, Forward},
		"SET @a = 1, sql_safe_updates = 0":                                     {Forward, Forward},
		"SELECT name INTO @a FROM person":                                      {Hold, Hold},
		"SELECT name FROM person LIMIT 1 INTO @a":                              {Hold, Hold},
		"SELECT name INTO OUTFILE 'x' FROM person":                             {Refuse, Refuse},
		"SELECT @a, @b + 1":                                                    {Forward, Forward},
		"SELECT name FROM person WHERE name = @a":                              {Carry, Forward},
		"SELECT name FROM person LIMIT @a":                                     {Carry, Forward},
		"EXECUTE IMMEDIATE CONCAT('DROP ', 'TABLE plain')":                     {Refuse, Refuse},
		"LOAD DATA INFILE 'x' INTO TABLE person":                               {Refuse, Forward},
		"CREATE TABLE x AS SELECT * FROM person":                               {Define, Define},
		"CREATE VIEW v AS SELECT * FROM person":                                {Define, Define},
		"HANDLER person OPEN":                                                  {Refuse, Refuse},
		"SELECT name FROM person INTO OUTFILE '/tmp/x'":                        {Refuse, Refuse},
		"EXPLAIN SELECT name FROM person":                                      {Explain, Forward},
		"EXPLAIN SELECT name FROM test.person":                                 {Explain, Explain},
		"EXPLAIN FORMAT=JSON DELETE FROM person":                               {Explain, Forward},
		"EXPLAIN SELECT name FROM plain JOIN person":                           {Refuse, Forward},
		"EXPLAIN FORMAT='json' SELECT name FROM person":                        {Refuse, Refuse},
		"EXPLAIN SELECT name FROM person; SELECT 1":                            {Each, Each},
		"ANALYZE TABLE person":                                                 {Forward, Forward},
		`ANALYZE TABLE person UPDATE HISTOGRAM ON name USING DATA '{}'`:        {Refuse, Refuse},
		"ANALYZE SELECT name FROM person":                                      {Explain, Forward},
		"ANALYZE DELETE FROM person":                                           {Refuse, Forward},
		"EXPLAIN ANALYZE UPDATE person SET name = 'x'":                         {Refuse, Forward},
		"PREPARE s FROM 'EXPLAIN SELECT name FROM person'":                     {ByName, ByName},
		"KILL (SELECT id FROM person WHERE name = 'x')":                        {Refuse, Refuse},
		"SHOW STATUS WHERE variable_name IN (SELECT name FROM person)":         {Refuse, Refuse},
		"SHOW COLLATION WHERE (SELECT COUNT(*) FROM person) > 0":               {Refuse, Refuse},
		"SIGNAL SQLSTATE '45000' SET message_text = (SELECT name FROM person)": {Refuse, Refuse},
		"FROBNICATE person":                                                    {Refuse, Refuse},
		"SELECT 'person":                                                       {Refuse, Refuse},
		"INSERT INTO plain VALUES (1) RETURNING (SELECT name FROM person)":     {Refuse, Forward},
		"INSERT INTO plain VALUES (1) RETURNING person":                        {Forward, Forward},
		"INSERT INTO plain VALUES (1) RETURNING test.person.name":              {Refuse, Refuse},
		"SET SESSION sql_mode = (SELECT person FROM plain)":                    {Forward, Forward},
		"SET SESSION sql_mode = (SELECT name FROM person)":                     {Refuse, Forward},
		`INSERT INTO "person" (name) VALUES ('x')`:                             {Refuse, Refuse},
		`INSERT IGNORE 'person' VALUES ('x')`:                                  {Refuse, Refuse},
		`UPDATE "test"."person" SET name = 'x'`:                                {Refuse, Refuse},
		`DELETE FROM plain WHERE a = "person"`:                                 {Forward, Forward},
		`SELECT TRIM('x' FROM 'person') FROM plain`:                            {Forward, Forward},
		"SET SESSION sql_mode = (SELECT f(person) FROM plain)":                 {Refuse, Refuse},
	} {
		for i, schema := range []string{"test", "other"} {
			var fp sql.Fingerprinter
			for range 2 { // the second from the cache
				got := p.Plan(&fp, []byte(text), mariadb, schema)
				if got.Action != want[i] {
					t.Errorf("%s in %s: %v (%v), want %v", text, schema, got.Action, got.Refusal, want[i])
				}
				if (got.Action == Carry) != (got.Run != nil) || (got.Action == Refuse || got.Action == Each) != (got.Refusal != nil) {
					t.Errorf("%s in %s: %+v", text, schema, got)
				}
				if _, ok := errors.AsType[*sqlerr.Error](got.Refusal); got.Refusal != nil && !ok {
					t.Errorf("%s: refused with %v", text, got.Refusal)
				}
			}
		}
	}
}

// TestOwnSchema: what names tunic's own schema hears that it does.
func TestOwnSchema(t *testing.T) {
	c := tables(t)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	for _, text := range []string{
		"SELECT * FROM _tunic.object", "SELECT name FROM person WHERE age = (SELECT 1 FROM `_TUNIC`.journal)",
		"INSERT INTO _tunic.journal VALUES (1)", "DELETE FROM _tunic.master", "SELECT _tunic.object.id FROM person",
	} {
		var fp sql.Fingerprinter
		if got := p.Plan(&fp, []byte(text), mariadb, "test"); got.Action != Refuse || !errors.Is(got.Refusal, sqlerr.OwnSchema()) {
			t.Errorf("%s: %v, %v", text, got.Action, got.Refusal)
		}
	}
}

// TestNoDefaultSchema: a name without a schema could be any table's.
func TestNoDefaultSchema(t *testing.T) {
	c := tables(t)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	var fp sql.Fingerprinter
	for text, want := range map[string]Action{
		"SELECT name FROM person": Refuse, "SELECT name FROM test.person": Carry, "SELECT a FROM plain": Forward,
	} {
		if got := p.Plan(&fp, []byte(text), mariadb, ""); got.Action != want {
			t.Errorf("%s: %v", text, got.Action)
		}
	}
}

// TestPlansAreOfAVersion: a plan of one version of the catalog is not used under
// the next.
func TestPlansAreOfAVersion(t *testing.T) {
	full := tables(t)
	var current atomic.Pointer[catalog.Catalog]
	current.Store(catalog.New(false))
	p := New(Options{Catalog: current.Load})
	var fp sql.Fingerprinter
	plan := func() Action { return p.Plan(&fp, []byte("SELECT name FROM person"), mariadb, "test").Action }
	if got := plan(); got != Forward {
		t.Errorf("before there is a table: %v", got)
	}
	current.Store(full)
	if got := plan(); got != Carry {
		t.Errorf("with the table: %v", got)
	}
	person := full.Table("test", "person")
	current.Store(full.Next(full.Version+1, []*catalog.Table{person}, nil))
	if got := plan(); got != Forward {
		t.Errorf("after it: %v", got)
	}
}

// TestAHitOfACarriedPlanAllocatesNothing: as that of any other.
func TestAHitOfACarriedPlanAllocatesNothing(t *testing.T) {
	c := tables(t)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	var fp sql.Fingerprinter
	for _, text := range []string{
		"SELECT c FROM sbtest1 WHERE id=4993",
		"INSERT INTO sbtest1 (id, k, c, pad) VALUES (4984, 5031, '047', '275'), (1, 2, 'x', 'y')",
	} {
		b := []byte(text)
		p.Plan(&fp, b, mariadb, "test")
		if n := testing.AllocsPerRun(100, func() { p.Plan(&fp, b, mariadb, "test") }); n != 0 {
			t.Errorf("%s: %v allocations", text, n)
		}
	}
}
