package session

import (
	"testing"

	"tunic/internal/catalog"
)

// TestBesideUnseenDefinitions: an account that may read a plain view, or some columns of a
// plain table, and not see how they are made, chooses by them the rows that it changes.
func TestBesideUnseenDefinitions(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		a.shared.Types = catalog.TypesOf(a.flavor)
		err := a.server.Exec(t.Context(), "DROP DATABASE IF EXISTS aside", "CREATE DATABASE aside",
			"CREATE TABLE aside.chosen (id INT PRIMARY KEY, n INT)", "INSERT INTO aside.chosen VALUES (1, 1)", "CREATE VIEW aside.seen AS SELECT id FROM aside.chosen",
			"DROP USER IF EXISTS guest@'%'", "CREATE USER guest@'%' IDENTIFIED BY 'guest'",
			"GRANT SELECT ON aside.seen TO guest@'%'", "GRANT SELECT (id) ON aside.chosen TO guest@'%'",
			"GRANT SELECT, UPDATE, DELETE ON plain.mixed TO guest@'%'", "GRANT SELECT, UPDATE, DELETE ON shop.mixed TO guest@'%'")
		if err != nil {
			t.Fatal(err)
		}
		guest := *a
		guest.direct, guest.tunnel = a.connect(t, "guest", "guest")
		guest.compareAll(t, []string{
			"UPDATE mixed SET n = n + 1 WHERE id IN (SELECT id FROM aside.seen)",
			"UPDATE mixed SET n = n + 1 WHERE id IN (SELECT id FROM aside.chosen)",
			"SELECT id, n FROM mixed ORDER BY id",
			"DELETE FROM mixed WHERE id IN (SELECT id FROM aside.seen)",
			"SELECT id, n FROM mixed ORDER BY id",
		})
	})
}
