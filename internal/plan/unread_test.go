package plan

import (
	"slices"
	"testing"

	"tunic/internal/sql"
)

// TestUnreadText: a text that cannot be read goes to the server only if nothing in it can
// be a name of something protected, and it neither makes nor runs anything else.
func TestUnreadText(t *testing.T) {
	known := tables(t)
	for text, want := range map[string]Action{
		"SELECT 'no end":                               Forward,
		"SELECT `no end":                               Forward,
		"SELECT x'4'":                                  Forward,
		"SELECT 1 /* no end":                           Forward,
		"SELECT 'from persons, impersonating":          Forward,
		"SELECT 'person":                               Refuse,
		"SELECT 'a' FROM PERSON WHERE b = 'no end":     Refuse,
		"INSERT INTO/*!50000person*/VALUES ('no end":   Refuse,
		"SELECT 'it\\'s no end":                        Refuse,
		"SELECT 'caf\xc3\xa9":                          Refuse,
		"CREATE TABLE x (a INT) COMMENT 'no end":       Refuse,
		"EXECUTE IMMEDIATE CONCAT('per', 'son, no end": Refuse,
		"PREPARE s FROM 'no end":                       Refuse,
		"CALL p('no end":                               Refuse,
		"SELECT 'tunic: no end":                        Refuse,
		"SELECT * FROM `#mysql50#x` WHERE 'no end":     Refuse,
	} {
		p := New(Options{}).PlanWith(known, new(sql.Fingerprinter), []byte(text), 0, "test")
		if p.Action != want {
			t.Errorf("%s: %v, want %v", text, p.Action, want)
		}
	}
}

// TestUnreadTextMayNameTables: what could be the name of a table that is to be protected
// is for who knows the policy to say.
func TestUnreadTextMayNameTables(t *testing.T) {
	known := tables(t)
	for text, want := range map[string][]string{
		"SELECT 'no end":                     nil,
		"INSERT INTO secret VALUES ('no end": {"INSERT", "INTO", "secret", "VALUES", "no", "end"},
	} {
		p := New(Options{}).PlanWith(known, new(sql.Fingerprinter), []byte(text), 0, "test")
		if !slices.Equal(p.Guesses, want) {
			t.Errorf("%s: %q, want %q", text, p.Guesses, want)
		}
	}
	p := New(Options{}).PlanWith(known, new(sql.Fingerprinter), []byte("INSERT INTO `a b` VALUES ('no end"), 0, "test")
	if !p.AnyTable {
		t.Error("a name in quotes is any name")
	}
}

// TestNotedForOthers: what is sent as it came has no comment with the name of something
// protected that only another server would execute, and may have a literal behind it.
func TestNotedForOthers(t *testing.T) {
	known := tables(t)
	for text, want := range map[string]Action{
		"SELECT 1 /*!99999 FROM person WHERE name = 'Ada' */":                   Refuse,
		"/*!99999 INSERT INTO person (name) VALUES ('Ada') */":                  Refuse,
		"/*!99999 INSERT INTO `test`.`PERSON` VALUES ('Ada') */ DO 1":           Refuse,
		"SELECT 1 /*!99999 , 'person' */":                                       Refuse,
		"/*M!999999\\- enable the sandbox mode */ SELECT 1":                     Forward,
		"/*!99999 INSERT INTO other VALUES ('Ada') */":                          Forward,
		"SELECT 1 /* FROM person */":                                            Forward,
		"SELECT /*+ MAX_EXECUTION_TIME(1000) */ 1":                              Forward,
		"/*!99999 SET @a = 1 */ SELECT name /*!99999 , 'Ada' */ FROM person":    Carry,
		"SELECT name FROM person /*!99999 WHERE person.name = 'Ada' */ LIMIT 3": Carry,
	} {
		p := New(Options{}).PlanWith(known, new(sql.Fingerprinter), []byte(text), sql.Modes(0).WithServer("10.11.6-MariaDB"), "test")
		if p.Action != want {
			t.Errorf("%s: %v, want %v", text, p.Action, want)
		}
	}
}
