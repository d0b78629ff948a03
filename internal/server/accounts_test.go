package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// TestAccounts: an account that somebody makes at the server, with all privileges there, reads no
// protected value through tunic and adds no layer; that it may use plain tables is for a setting.
func TestAccounts(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			cfg.Policy.Default = config.PolicyPlain
			issue := clientCA(t, cfg)
			cfg.Clients.Others = config.OthersPlain
			cfg.Clients.Accounts = []config.ClientAccount{{User: "a?p", Host: "127.0.0.*", Certificate: "app.example"}}
			proxy, _ := serveWith(t, cfg, kek)
			as := func(user, password, certificate string) func(...string) error {
				db := client(t, proxy.Addr().String(), user, password, func(c *mysql.Config) {
					c.DBName, c.TLS = "test", &tls.Config{InsecureSkipVerify: true, Certificates: []tls.Certificate{issue(certificate)}}
				})
				t.Cleanup(func() { _ = db.Close() })
				return func(statements ...string) error {
					for _, s := range statements {
						if _, err := db.ExecContext(t.Context(), s); err != nil {
							return err
						}
					}
					return nil
				}
			}
			if err := as("app", "app", "app.example")("CREATE TABLE kept (id INT PRIMARY KEY, name VARCHAR(20) COMMENT 'tunic: equality')",
				"INSERT INTO kept VALUES (1, 'a')", "CREATE VIEW shown AS SELECT name FROM kept", "CREATE TABLE free (id INT PRIMARY KEY)"); err != nil {
				t.Fatal(err)
			}
			root := client(t, server.Addr, "root", "root", nil)
			t.Cleanup(func() { _ = root.Close() })
			mustExec(t, root, "CREATE USER evil IDENTIFIED BY 'evil'", "GRANT ALL ON *.* TO evil")
			for who, do := range map[string]func(...string) error{
				"another account": as("evil", "evil", "app.example"), "another certificate": as("app", "app", "evil.example"),
			} {
				for _, text := range []string{
					"SELECT name FROM kept", "SELECT * FROM shown", "INSERT INTO kept VALUES (2, 'b')", "UPDATE kept SET name = 'c'", "DELETE FROM kept",
					"INSERT INTO free SELECT id + 1 FROM kept", "SELECT k.name FROM free f JOIN kept k USING (id)", "SELECT name INTO @a FROM kept",
					"SET @a = (SELECT name FROM kept)", "PREPARE p FROM 'SELECT name FROM kept'; EXECUTE p", "EXPLAIN SELECT name FROM kept",
					"CREATE TABLE stolen AS SELECT name FROM kept", "CREATE TABLE own (a INT COMMENT 'tunic: order')", "ALTER TABLE kept MODIFY name VARCHAR(20) COMMENT 'tunic: order'",
					"CREATE INDEX i ON kept (name)", "DROP TABLE kept", "CREATE VIEW mine AS SELECT name FROM kept", "CALL tunic.add_layer('test.kept.name', 'order')",
					"SHOW CREATE TABLE kept", "CALL tunic.jobs()", "SELECT COUNT(*) FROM tunic.layers",
				} {
					if err := do(strings.Split(text, "; ")...); err == nil || !strings.Contains(err.Error(), "TUNIC-6006") {
						t.Errorf("%s: %s: %v", who, text, err)
					}
				}
				if err := do("INSERT INTO free VALUES (7)", "DELETE FROM free", "SHOW TABLES", "SHOW CREATE TABLE free", "CREATE TABLE plain (a INT)", "DROP TABLE plain"); err != nil {
					t.Errorf("%s, of plain tables: %v", who, err)
				}
				db := client(t, proxy.Addr().String(), "evil", "evil", func(c *mysql.Config) {
					c.DBName, c.TLS = "test", &tls.Config{InsecureSkipVerify: true, Certificates: []tls.Certificate{issue("x")}}
				})
				st, err := db.PrepareContext(t.Context(), "SELECT name FROM kept WHERE id = ?")
				if err == nil {
					_, err = st.ExecContext(t.Context(), 1)
				}
				if _ = db.Close(); err == nil || !strings.Contains(err.Error(), "TUNIC-6006") {
					t.Errorf("prepared: %v", err)
				}
			}
			strict := *cfg
			strict.Clients.Others = config.OthersRefuse
			proxy, _ = serveWith(t, &strict, kek)
			if err := as("evil", "evil", "app.example")("DO 1"); err == nil || !strings.Contains(err.Error(), "TUNIC-6005") {
				t.Errorf("refused at login: %v", err)
			}
			if err := as("app", "app", "app.example")("SELECT name FROM kept"); err != nil {
				t.Error(err)
			}
		})
	}
}

// clientCA makes an authority that clients' certificates have to be of, and returns what issues them.
func clientCA(t *testing.T, cfg *config.Config) func(name string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := func(serial int64, name string) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
			BasicConstraintsValid: true, IsCA: serial == 1, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
		}
	}
	ca := template(1, "clients")
	sign := func(c *x509.Certificate) []byte {
		der, err := x509.CreateCertificate(rand.Reader, c, ca, &key.PublicKey, key)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	cfg.TLS.ClientCA = filepath.Join(t.TempDir(), "clients.pem")
	if err := os.WriteFile(cfg.TLS.ClientCA, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: sign(ca)}), 0o600); err != nil {
		t.Fatal(err)
	}
	return func(name string) tls.Certificate {
		return tls.Certificate{Certificate: [][]byte{sign(template(2, name))}, PrivateKey: key}
	}
}
