package session

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/config"
	"tunic/internal/wire"
)

// toldSecretly has literals in each place in which a definition may have one, which the server does not know.
var toldSecretly = []string{
	"CREATE TABLE secretly (id INT PRIMARY KEY, v VARCHAR(60) DEFAULT 'hush-default' COMMENT 'hush-comment', e ENUM('hush-a', 'hush-b'), CHECK (v <> 'hush-check')) COMMENT 'hush-table'",
	"CREATE VIEW seen AS SELECT id, v FROM secretly WHERE v = 'hush-view'",
	"CREATE TABLE openly (id INT PRIMARY KEY COMMENT 'tunic: plain', v VARCHAR(60) DEFAULT 'said' COMMENT 'aloud; tunic: plain', CHECK (v <> 'loud'))",
}

// untold are questions about protected tables that an account is refused that is not listed.
var untold = []string{
	"SHOW CREATE TABLE secretly", "SHOW COLUMNS FROM secretly", "SHOW FULL COLUMNS FROM seen", "DESCRIBE secretly", "EXPLAIN seen", "DESC secretly v",
	"SHOW INDEX FROM secretly", "SHOW CREATE VIEW seen", "SHOW CREATE TABLE seen", "CALL tunic.jobs()", "CALL tunic.layers()", "SELECT * FROM tunic.jobs",
	"SELECT COUNT(*) FROM tunic.layers", "SET @n = (SELECT COUNT(*) FROM tunic.layers)", "SELECT DEFAULT(v) FROM secretly", "CREATE TABLE likewise LIKE secretly",
}

// lists are questions that leave such tables out, with what is told of the plain table beside them.
var lists = [][2]string{
	{"SHOW TABLE STATUS LIKE '%y'", "openly"},
	{"SHOW TABLE STATUS LIKE 'seen'", ""},
	{"SELECT TABLE_NAME, COLUMN_NAME, COLUMN_DEFAULT, COLUMN_TYPE, COLUMN_COMMENT FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'shop' AND TABLE_NAME IN ('secretly', 'seen', 'openly')", "aloud"},
	{"SELECT * FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'shop'", "aloud"},
	{"SELECT TABLE_NAME, TABLE_COMMENT FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'shop'", "openly"},
	{"SELECT t.TABLE_NAME, p.TABLE_NAME FROM information_schema.TABLES t JOIN information_schema.PARTITIONS p ON t.TABLE_SCHEMA = p.TABLE_SCHEMA WHERE p.TABLE_SCHEMA = 'shop'", "openly"},
	{"SELECT * FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = 'shop'", "openly"},
	{"SELECT * FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = 'shop'", "openly"},
	{"SELECT * FROM information_schema.TABLE_CONSTRAINTS WHERE TABLE_SCHEMA = 'shop'", "openly"},
	{"SELECT CONSTRAINT_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = 'shop'", "loud"},
	{"SELECT * FROM information_schema.VIEWS WHERE TABLE_SCHEMA = 'shop'", ""},
}

// TestOutsiderIsToldNothing: an account that is not listed is told nothing of protected tables, whatever its grants.
func TestOutsiderIsToldNothing(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		for _, s := range toldSecretly {
			if got := told(t, a.tunnel, s); len(got) > 0 {
				t.Fatalf("%s: %s", s, got)
			}
		}
		changing(t, a)
		settings := *a.shared.Settings()
		settings.Clients = config.Clients{Accounts: []config.ClientAccount{{User: "root", Host: "*"}}, Others: config.OthersPlain}
		a.shared.Set(&settings)
		_, p := a.connect(t, "open", "")
		for _, s := range untold {
			prepared := "PREPARE p FROM '" + strings.ReplaceAll(s, "'", "''") + "'"
			for how, got := range map[string][]string{"as text": told(t, p, s), "prepared": toldPrepared(t, p, s, 0), "by name": append(told(t, p, prepared), told(t, p, "EXECUTE p")...)} {
				if len(got) == 0 || !strings.Contains(strings.Join(got, " "), "TUNIC-6006") {
					t.Errorf("%s, %s: %s", s, how, got)
				}
			}
		}
		for _, of := range lists {
			s, tells := of[0], of[1]
			for how, got := range map[string][]string{"as text": told(t, p, s), "prepared": toldPrepared(t, p, s, 0)} {
				rows := strings.ToLower(strings.Join(got, "\n"))
				for _, secret := range []string{"hush", "secretly", "seen", "patient", "$eq", "fence"} {
					if strings.Contains(rows, secret) {
						t.Errorf("%s, %s: %s is told in\n%s", s, how, secret, rows)
					}
				}
				if !strings.Contains(rows, tells) || strings.Contains(rows, "error") {
					t.Errorf("%s, %s: %s", s, how, rows)
				}
			}
			if got := told(t, a.tunnel, s); !slices.ContainsFunc(got, func(row string) bool {
				return strings.Contains(row, "secretly") || strings.Contains(row, "seen") || strings.Contains(row, "hush")
			}) {
				t.Errorf("%s: who is listed is told nothing: %s", s, got)
			}
		}
		for _, table := range []string{"secretly", "seen"} {
			if err := p.Command(append([]byte{byte(wire.ComFieldList)}, table+"\x00"...)); err != nil {
				t.Fatal(err)
			}
			if _, err := p.ReadAnswer(wire.ComFieldList, nil); err == nil || !strings.Contains(err.Error(), "TUNIC-") {
				t.Errorf("the fields of %s: %v", table, err)
			}
		}
	})
}
