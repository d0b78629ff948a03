package migrate

import (
	"slices"
	"strings"
	"testing"
)

// TestPrograms: what the server runs by itself and names the table hinders; what names another
// table does not.
func TestPrograms(t *testing.T) {
	onServers(t, func(b *bench) {
		b.person(5)
		b.exec(b.server, "DROP DATABASE IF EXISTS beside", "CREATE DATABASE beside", "CREATE TABLE shop.visit (id INT PRIMARY KEY)", "CREATE TABLE beside.person (id INT PRIMARY KEY)")
		for _, p := range []struct {
			create, drop string
			hinders      bool
		}{
			{"CREATE EVENT shop.old ON SCHEDULE EVERY 1 DAY DO DELETE FROM person WHERE n < 0", "DROP EVENT shop.old", true},
			{"CREATE EVENT beside.old ON SCHEDULE EVERY 1 DAY DO DELETE FROM `shop`.`Person` WHERE n < 0", "DROP EVENT beside.old", true},
			{"CREATE EVENT beside.old ON SCHEDULE EVERY 1 DAY DO DELETE FROM person WHERE id < 0", "DROP EVENT beside.old", false},
			{"CREATE TRIGGER shop.seen AFTER INSERT ON shop.visit FOR EACH ROW INSERT INTO person (id, n, name) VALUES (NEW.id, 1, 'x')", "DROP TRIGGER shop.seen", true},
			{"CREATE TRIGGER shop.seen AFTER INSERT ON shop.visit FOR EACH ROW SET @a = 'person'", "DROP TRIGGER shop.seen", false},
			{"CREATE PROCEDURE shop.p() SELECT name FROM person", "DROP PROCEDURE shop.p", true},
			{"CREATE PROCEDURE shop.p() BEGIN PREPARE s FROM 'SELECT name FROM person'; EXECUTE s; END", "DROP PROCEDURE shop.p", true},
			{"CREATE PROCEDURE shop.p(x TEXT) BEGIN SET @x = x; PREPARE s FROM @x; EXECUTE s; END", "DROP PROCEDURE shop.p", true},
			{"CREATE PROCEDURE beside.p(x TEXT) BEGIN SET @x = x; PREPARE s FROM @x; EXECUTE s; END", "DROP PROCEDURE beside.p", true},
			{"CREATE PROCEDURE beside.p() BEGIN PREPARE s FROM 'SELECT 1'; EXECUTE s; END", "DROP PROCEDURE beside.p", false},
			{"CREATE PROCEDURE beside.p() EXECUTE s", "DROP PROCEDURE beside.p", true},
			{"CREATE PROCEDURE shop.p() SELECT id FROM visit", "DROP PROCEDURE shop.p", false},
			{"CREATE FUNCTION shop.f() RETURNS INT READS SQL DATA RETURN (SELECT COUNT(*) FROM person)", "DROP FUNCTION shop.f", true},
		} {
			b.exec(b.server, "SET GLOBAL log_bin_trust_function_creators = 1", p.create)
			w, end := b.work("person", "n", "name")
			plan, err := w.Look(b.t.Context())
			if err != nil {
				b.t.Fatal(err)
			}
			found := slices.ContainsFunc(plan.Findings, func(f Finding) bool {
				return f.Check == "programs" && f.Hinders && (strings.Contains(f.What, "names the table") || strings.Contains(f.What, "may name the table"))
			})
			if found != p.hinders || plan.Hindered() != p.hinders {
				b.t.Errorf("%s: %+v", p.create, plan.Findings)
			}
			end()
			b.exec(b.server, p.drop)
		}
		b.exec(b.server, "DROP DATABASE beside")
	})
}
