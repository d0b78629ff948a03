package plan

import (
	"slices"
	"testing"

	"tunic/internal/plan/plantest"
	"tunic/internal/sql"
)

// forwarded is how a plan forwards a text; nothing of one that does not.
func forwarded(p *Plan) Forward {
	if f, ok := p.Action.(*Forward); ok {
		return *f
	}
	return Forward{}
}

// TestUnreadText: a text that cannot be read goes to the server only if nothing in it can
// be a name of something protected, and it neither makes nor runs anything else.
func TestUnreadText(t *testing.T) {
	known := plantest.Tables(t)
	for text, want := range map[string]string{
		"SELECT 'no end":                               "forward",
		"SELECT `no end":                               "forward",
		"SELECT x'4'":                                  "forward",
		"SELECT 1 /* no end":                           "forward",
		"SELECT 'from persons, impersonating":          "forward",
		"SELECT 'person":                               "refuse",
		"SELECT 'a' FROM PERSON WHERE b = 'no end":     "refuse",
		"INSERT INTO/*!50000person*/VALUES ('no end":   "refuse",
		"SELECT 'it\\'s no end":                        "refuse",
		"SELECT 'caf\xc3\xa9":                          "refuse",
		"CREATE TABLE x (a INT) COMMENT 'no end":       "refuse",
		"EXECUTE IMMEDIATE CONCAT('per', 'son, no end": "refuse",
		"PREPARE s FROM 'no end":                       "refuse",
		"CALL p('no end":                               "refuse",
		"SELECT 'tunic: no end":                        "refuse",
		"SELECT * FROM `#mysql50#x` WHERE 'no end":     "refuse",
	} {
		p := New(Options{}).PlanWith(known, new(sql.Fingerprinter), []byte(text), 0, "test")
		if p.ActionName() != want {
			t.Errorf("%s: %v, want %v", text, p.ActionName(), want)
		}
	}
}

// TestUnreadTextMayNameTables: what could be the name of a table that is to be protected
// is for who knows the policy to say.
func TestUnreadTextMayNameTables(t *testing.T) {
	known := plantest.Tables(t)
	for text, want := range map[string][]string{
		"SELECT 'no end":                     nil,
		"INSERT INTO secret VALUES ('no end": {"INSERT", "INTO", "secret", "VALUES", "no", "end"},
	} {
		p := New(Options{}).PlanWith(known, new(sql.Fingerprinter), []byte(text), 0, "test")
		if !slices.Equal(forwarded(p).Guesses, want) {
			t.Errorf("%s: %q, want %q", text, forwarded(p).Guesses, want)
		}
	}
	p := New(Options{}).PlanWith(known, new(sql.Fingerprinter), []byte("INSERT INTO `a b` VALUES ('no end"), 0, "test")
	if !forwarded(p).AnyTable {
		t.Error("a name in quotes is any name")
	}
}

// TestNotedForOthers: what is sent as it came has no comment with the name of something
// protected that only another server would execute, and may have a literal behind it.
func TestNotedForOthers(t *testing.T) {
	known := plantest.Tables(t)
	for text, want := range map[string]string{
		"SELECT 1 /*!99999 FROM person WHERE name = 'Ada' */":                   "refuse",
		"/*!99999 INSERT INTO person (name) VALUES ('Ada') */":                  "refuse",
		"/*!99999 INSERT INTO `test`.`PERSON` VALUES ('Ada') */ DO 1":           "refuse",
		"SELECT 1 /*!99999 , 'person' */":                                       "refuse",
		"/*M!999999\\- enable the sandbox mode */ SELECT 1":                     "forward",
		"/*!99999 INSERT INTO other VALUES ('Ada') */":                          "forward",
		"SELECT 1 /* FROM person */":                                            "forward",
		"SELECT /*+ MAX_EXECUTION_TIME(1000) */ 1":                              "forward",
		"/*!99999 SET @a = 1 */ SELECT name /*!99999 , 'Ada' */ FROM person":    "execute",
		"SELECT name FROM person /*!99999 WHERE person.name = 'Ada' */ LIMIT 3": "execute",
	} {
		p := New(Options{}).PlanWith(known, new(sql.Fingerprinter), []byte(text), sql.Modes(0).WithServer("10.11.6-MariaDB"), "test")
		if p.ActionName() != want {
			t.Errorf("%s: %v, want %v", text, p.ActionName(), want)
		}
	}
}
