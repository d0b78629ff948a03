package ddl

import (
	"errors"
	"testing"

	"tunic/internal/sqlerr"
	"tunic/internal/value/charset"
)

// TestDefinitionsInAnotherCharset: what is not ASCII in the definition of a client in another set than UTF-8 is
// refused, wherever it is; what is ASCII is made.
func TestDefinitionsInAnotherCharset(t *testing.T) {
	onServers(t, func(b *bench) {
		utf8 := b.session.Collation
		for _, name := range []string{"latin1_swedish_ci", "cp932_japanese_ci", "utf8mb4_general_ci"} {
			collation, ok := charset.Lookup(b.flavor, name)
			if !ok {
				t.Fatalf("no collation %s", name)
			}
			b.session.Collation = collation
			b.must("CREATE TABLE c (pk INT PRIMARY KEY, name VARCHAR(20) DEFAULT 'a', CONSTRAINT held CHECK (name <> 'b'))")
			for _, statement := range []string{
				"CREATE TABLE d (pk INT PRIMARY KEY, name VARCHAR(20), CHECK (name <> 'née'))",
				"CREATE TABLE d (pk INT PRIMARY KEY, name VARCHAR(20) CHECK (name <> CONCAT('a', 'née')))",
				"CREATE TABLE d (pk INT PRIMARY KEY, name VARCHAR(20) DEFAULT (CONCAT('née', 'a')))",
				"CREATE TABLE d (pk INT PRIMARY KEY, name VARCHAR(20) DEFAULT 'née')",
				"CREATE TABLE d (pk INT PRIMARY KEY, name VARCHAR(20) COMMENT 'née')",
				"CREATE TABLE d (pk INT PRIMARY KEY, name ENUM('née'))",
				"CREATE TABLE d (pk INT PRIMARY KEY, `née` INT)",
				"CREATE TABLE d (pk INT PRIMARY KEY, name INT, CONSTRAINT `née` CHECK (name > 1))",
				"ALTER TABLE c ADD CHECK (name <> 'née')",
				"ALTER TABLE c ADD CONSTRAINT `née` CHECK (name <> 'e')",
				"ALTER TABLE c ADD COLUMN b VARCHAR(20) DEFAULT (CONCAT('née', 'a'))",
				"ALTER TABLE c RENAME COLUMN pk TO `née`",
				"ALTER TABLE c ADD KEY `née` (pk)",
				"ALTER TABLE c COMMENT 'née'",
			} {
				_, err := b.do(statement)
				said, ok := errors.AsType[*sqlerr.Error](err)
				if is := ok && said.Code == sqlerr.DefinitionCharset("").Code; is != (name != "utf8mb4_general_ci") {
					t.Errorf("%s: %s: %v", name, statement, err)
				}
				b.session.Collation = utf8
				b.must("DROP TABLE IF EXISTS d", "DROP TABLE c", "CREATE TABLE c (pk INT PRIMARY KEY, name VARCHAR(20) DEFAULT 'a', CONSTRAINT held CHECK (name <> 'b'))")
				b.session.Collation = collation
			}
			b.must("DROP TABLE c")
		}
	})
}
