package ddl

import (
	"strings"
	"testing"

	"tunic/internal/racetest"
)

// TestProgramUnderneath: no definition puts a protected table where a program of the server's reads
// or writes; nothing of it is done, and it is done when the program is gone. Plain tables are made.
func TestProgramUnderneath(t *testing.T) {
	racetest.InOrder(t)
	programs := map[string]string{
		"PROCEDURE reads":  "CREATE PROCEDURE shop.reads() SELECT s FROM later",
		"PROCEDURE writes": "CREATE PROCEDURE shop.writes() INSERT INTO `LATER` VALUES (1, 'x')",
		"PROCEDURE text":   "CREATE PROCEDURE shop.text() BEGIN PREPARE p FROM 'DELETE FROM later'; EXECUTE p; END",
		"FUNCTION asks":    "CREATE FUNCTION shop.asks() RETURNS INT READS SQL DATA RETURN (SELECT COUNT(*) FROM later)",
		"EVENT ends":       "CREATE EVENT shop.ends ON SCHEDULE EVERY 1 DAY DO DELETE FROM later",
		"TRIGGER copies":   "CREATE TRIGGER shop.copies AFTER INSERT ON bare FOR EACH ROW INSERT INTO later VALUES (1, 'x')",
		"PROCEDURE afar":   "CREATE PROCEDURE other_schema.afar() SELECT s FROM shop.later",
		"PROCEDURE harms":  "CREATE PROCEDURE shop.harms() SELECT 'later', latest FROM bare",
		"PROCEDURE other":  "CREATE PROCEDURE other_schema.other() SELECT s FROM later",
	}
	harmless := "PROCEDURE harms, PROCEDURE other"
	definitions := []string{
		"CREATE TABLE later (id INT COMMENT 'tunic: plain', s VARCHAR(20))", "CREATE TABLE later LIKE made", "RENAME TABLE made TO later", "ALTER TABLE made RENAME later",
	}
	onServers(t, func(b *bench) {
		ctx := t.Context()
		if err := b.server.Exec(ctx, "CREATE TABLE shop.bare (a INT)"); err != nil {
			t.Fatal(err)
		}
		if _, err := b.do("CREATE TABLE made (id INT COMMENT 'tunic: plain', s VARCHAR(20))"); err != nil {
			t.Fatal(err)
		}
		for name, create := range programs {
			if err := b.server.Exec(ctx, "USE shop", create); err != nil {
				t.Fatal(err)
			}
			kind, bare, _ := strings.Cut(name, " ")
			for _, definition := range definitions {
				if strings.Contains(harmless, name) {
					continue
				}
				_, err := b.do(definition)
				if err == nil || !strings.Contains(err.Error(), "TUNIC-2061") || !strings.Contains(err.Error(), strings.ToLower(kind)+" "+bare) {
					t.Errorf("%s beside %s: %v", definition, name, err)
				}
				if b.ledger.Catalog().Table("shop", "later") != nil || b.ledger.Catalog().Table("shop", "made") == nil {
					t.Fatalf("%s beside %s has changed something", definition, name)
				}
			}
			if strings.Contains(harmless, name) {
				continue
			}
			if _, err := b.do("CREATE TABLE later (a INT COMMENT 'tunic: plain')"); err != nil {
				t.Errorf("a plain table beside %s: %v", name, err)
			}
			if err := b.server.Exec(ctx, "DROP TABLE IF EXISTS shop.later", "DROP "+kind+" IF EXISTS "+map[bool]string{true: "other_schema.", false: "shop."}[bare == "afar"]+bare); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := b.do("RENAME TABLE made TO later"); err != nil {
			t.Error(err)
		}
	})
}
