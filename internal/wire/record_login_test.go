package wire_test

import (
	"bytes"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// recordLogin keeps what a server says during logins over TCP, with the server's
// first use of the account and with the second, which some plugins make shorter.
func recordLogin(t *testing.T, server *sandbox.Server) {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s %s\n", server.Flavor, server.Version)
	for n, c := range []struct {
		title  string
		client wiretest.Client
	}{
		{"first login", wiretest.Client{User: "app", Password: "app"}},
		{"second login", wiretest.Client{User: "app", Password: "app"}},
		{"wrong password", wiretest.Client{User: "app", Password: "wrong"}},
	} {
		p, err := wiretest.Connect(t.Context(), server.Addr)
		if err != nil {
			t.Fatal(err)
		}
		tap := &wiretest.Tap{Conn: p.Net}
		p = wiretest.NewPeer(tap)
		err = c.client.Login(p)
		var refused *wiretest.ServerError
		if err != nil && !errors.As(err, &refused) {
			t.Fatal(err)
		}
		for i, payload := range payloads(tap.In.Bytes()) {
			directive := "auth"
			switch {
			case i == 0 && n > 0:
				continue // all greetings are alike
			case i == 0:
				directive = "handshake"
			}
			fmt.Fprintf(&out, "\n# %s\n%s\n%x\n----\n", c.title, directive, payload)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
	writeRecord(t, strings.ToLower(string(server.Flavor)), out.String())
}

// payloads splits a stream of frames.
func payloads(b []byte) [][]byte {
	var all [][]byte
	for len(b) > 0 {
		n := wire.HeaderBytes + (int(b[0]) | int(b[1])<<8 | int(b[2])<<16)
		all = append(all, b[wire.HeaderBytes:n])
		b = b[n:]
	}
	return all
}

func writeRecord(t *testing.T, name, text string) {
	if err := os.WriteFile(filepath.Join("testdata", "messages", name+".txt"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// recordClients keeps the logins of real clients to a server of each family.
func recordClients(t *testing.T) {
	var out strings.Builder
	out.WriteString("# What real clients answer to a greeting.\n")
	mariaDB := wiretest.ServerCaps&^wire.ClientMySQL | mariaDBCaps
	for _, greeting := range []struct {
		family string
		caps   wire.Capability
	}{{"MySQL", wiretest.ServerCaps | wire.ClientQueryAttributes}, {"MariaDB", mariaDB}} {
		for _, c := range []struct {
			name string
			run  func(host, port string) error
		}{{"mariadb", runMariaDBClient}, {"go-sql-driver", runGoDriver}} {
			login := recordClient(t, wiretest.Greeting(greeting.caps), c.run)
			fmt.Fprintf(&out, "\n# %s to a server of the %s family\nlogin\n%s\n----\n", c.name, greeting.family, hex.EncodeToString(login))
		}
	}
	writeRecord(t, "clients", out.String())
}

// recordClient returns the login that a client sends to a server that greets so.
func recordClient(t *testing.T, greeting wire.Handshake, run func(host, port string) error) []byte {
	var login []byte
	server := wiretest.Server{Handshake: greeting, Script: wiretest.EveryConnection(
		wiretest.Greet, wiretest.ExpectLogin,
		func(p *wiretest.Peer) error {
			login = bytes.Clone(p.Last)
			return nil
		},
		wiretest.Send(wiretest.OK(wire.OK{Status: wire.StatusAutocommit})), wiretest.Database(nil),
	)}
	server.Start(t)
	host, port, _ := strings.Cut(server.Addr, ":")
	if err := run(host, port); err != nil {
		t.Fatal(err)
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	return login
}

func runMariaDBClient(host, port string) error {
	out, err := exec.Command("mariadb", "--no-defaults", "-h", host, "-P", port, "-u", "joe", "-psecret", "-e", "DO 1", "shop").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

func runGoDriver(host, port string) error {
	cfg := mysql.NewConfig()
	cfg.Net, cfg.Addr, cfg.User, cfg.Passwd, cfg.DBName = "tcp", host+":"+port, "joe", "secret", "shop"
	db, err := sql.Open("mysql", cfg.FormatDSN())
	if err != nil {
		return err
	}
	return errors.Join(db.Ping(), db.Close())
}
