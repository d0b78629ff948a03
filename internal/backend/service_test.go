package backend

import (
	"database/sql"
	"errors"
	"os"
	"testing"
	"time"

	"tunic/internal/config"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
)

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m)) }

// service is a server's service account.
func service(t *testing.T, address, user, password string) *Service {
	t.Helper()
	target, err := NewTarget(config.Backend{Address: address, TLS: config.TLSDisabled, ConnectTimeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewService(target, config.Service{User: user, Password: config.NewSecret(password)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// root is the server's administrator.
func root(t *testing.T, s *sandbox.Server) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", s.DSN("root", "root", ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func execute(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, text := range statements {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// TestPasswordOnly: accounts as MariaDB keeps them, those that somebody has written
// by hand included. Where the server lets an account in by its password alone, it may
// be used; where that is not sure, it is not.
func TestPasswordOnly(t *testing.T) {
	server := sandboxtest.Own(t, sandbox.MariaDB)
	admin, looking := root(t, server), service(t, server.Addr, sandbox.ServiceUser, sandbox.ServicePassword)
	for _, c := range []struct {
		name, row string
		only      bool
		err       error
	}{
		{"a password", `{"plugin": "mysql_native_password", "authentication_string": ""}`, true, nil},
		{"in capitals", `{"plugin": "Ed25519"}`, true, nil},
		{"no plugin", `{"access": 0}`, true, nil},
		{"nothing", `{}`, true, nil},
		{"an empty plugin", `{"plugin": ""}`, true, nil},
		{"two passwords", `{"plugin": "ed25519", "auth_or": [{}, {"plugin": "mysql_native_password"}]}`, true, nil},
		{"the operating system's word", `{"plugin": "unix_socket"}`, false, nil},
		{"that or a password", `{"plugin": "mysql_native_password", "auth_or": [{}, {"plugin": "unix_socket"}]}`, false, nil},
		{"that or no plugin", `{"auth_or": [{}, {"plugin": "unix_socket"}]}`, false, nil},
		{"a plugin nobody knows", `{"plugin": "telepathy"}`, false, nil},
		{"a plugin that is a number", `{"plugin": 7}`, false, errAccountRow},
		{"no JSON, which the server reads all the same", `{"plugin": "unix_socket"`, false, errAccountRow},
	} {
		t.Run(c.name, func(t *testing.T) {
			session, err := admin.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			for _, text := range []string{"SET check_constraint_checks = 0", "REPLACE INTO mysql.global_priv VALUES ('%', 'byhand', '" + c.row + "')"} {
				if _, err := session.ExecContext(t.Context(), text); err != nil {
					t.Fatal(err)
				}
			}
			only, err := looking.PasswordOnly(t.Context(), "byhand", "%")
			if only != c.only || !errors.Is(err, c.err) {
				t.Errorf("%v, %v, want %v, %v", only, err, c.only, c.err)
			}
		})
	}
}

// TestPasswordOnlyMySQL: the same of MySQL, which keeps one plugin an account.
func TestPasswordOnlyMySQL(t *testing.T) {
	server := sandboxtest.Own(t, sandbox.MySQL)
	looking := service(t, server.Addr, sandbox.ServiceUser, sandbox.ServicePassword)
	execute(t, root(t, server), "CREATE USER byplugin IDENTIFIED WITH caching_sha2_password BY 'x'", "CREATE USER bysocket IDENTIFIED BY 'x'",
		"UPDATE mysql.user SET plugin = 'auth_socket' WHERE User = 'bysocket'") // which is not loaded, so that no account can be made with it
	for user, want := range map[string]bool{"byplugin": true, "bysocket": false, "nobody": false} {
		if only, err := looking.PasswordOnly(t.Context(), user, "%"); only != want || err != nil {
			t.Errorf("%s: %v, %v, want %v", user, only, err, want)
		}
	}
}
