package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"errors"
	"io"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/sqlerr"
)

// explainCmd asks a tunic that runs how it would carry out a statement. It has no key
// and reads no catalog: what it is told is what an application would get.
type explainCmd struct {
	SQL string `arg:"" name:"sql" help:"The statement, or - to read it from standard input."`

	Host         string `placeholder:"HOST" help:"Where tunic listens (default 127.0.0.1)."`
	Port         int    `placeholder:"PORT" help:"The port there (default 3307)."`
	Socket       string `placeholder:"PATH" help:"The Unix socket that tunic listens on, in place of host and port."`
	Config       string `placeholder:"FILE" help:"TOML file of the tunic, to take from it where it listens."`
	User         string `required:"" placeholder:"USER" help:"An account of the database server, as applications have."`
	PasswordFile string `placeholder:"FILE" help:"File that holds the account's password, closed to others (mode 0600); else TUNIC_PASSWORD is the password."`
	Database     string `placeholder:"NAME" help:"The default schema of the statement."`
	TLS          string `name:"tls" enum:"disabled,preferred,required,verify-full" default:"preferred" placeholder:"WORD" help:"TLS to tunic: disabled, preferred, required, verify-full (default preferred)."`
	CA           string `name:"ca" placeholder:"FILE" help:"Authorities that may sign tunic's certificate, as PEM, for verify-full; those of the system if not set."`
	FoundRows    bool   `help:"Explain as for a client that counts the rows an UPDATE finds, not those it changes, as Connector/J does."`
}

// Help is shown by 'tunic explain --help'.
func (c *explainCmd) Help() string {
	return `Shows what a tunic that runs would do with a statement: what it would send to the database server, what it would do itself with the rows that come back, which layer serves each condition and key, and which layer would help, with its price. The statement is not carried out.

    TUNIC_PASSWORD=... tunic explain --user app --database shop \
        "SELECT name FROM patient WHERE born < '1970-01-01' ORDER BY name"

The command connects to tunic as any client does and sends EXPLAIN, so that it needs no key, and tells what this account would get. Any client can do the same: tunic help explain.md says how to read the answer. A statement on the command line can be seen by every user of the machine; - reads it from standard input.

Exit status: 0 explained; 2 a wrong flag; 4 no tunic there; 6 the login; 9 the statement is refused; 1 anything else.`
}

// connectLimit bounds connecting and logging in.
const connectLimit = 10 * time.Second

// Run asks and prints the answer.
func (c *explainCmd) Run(command *kong.Context) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	statement, err := c.statement(os.Stdin)
	if err != nil {
		return err
	}
	if err := c.findTunic(); err != nil {
		return err
	}
	settings, err := c.settings()
	if err != nil {
		return err
	}
	connector, err := mysql.NewConnector(settings)
	if err != nil {
		return c.unreachable(settings, err)
	}
	db := sql.OpenDB(connector)
	defer db.Close() //nolint:errcheck // it has answered
	conn, err := db.Conn(ctx)
	if refusal, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return sqlerr.AskLogin(refusal)
	}
	if err != nil {
		return c.unreachable(settings, err)
	}
	defer conn.Close() //nolint:errcheck // it has answered
	text, err := explain(ctx, conn, statement)
	if err != nil {
		return sqlerr.AskRefused(err)
	}
	_, err = io.WriteString(command.Stdout, text)
	return err
}

// statementBytesMax bounds what is read from standard input.
const statementBytesMax = 64 << 20

// statement is the statement without a semicolon behind it.
func (c *explainCmd) statement(in io.Reader) (string, error) {
	text := c.SQL
	if text == "-" {
		read, err := io.ReadAll(io.LimitReader(in, statementBytesMax))
		if err != nil {
			return "", sqlerr.StartInternal(err)
		}
		text = string(read)
	}
	if text = strings.TrimRight(text, "; \t\r\n"); text == "" {
		return "", &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "there is no statement", Fix: "give one in quotes, or - to read it from standard input"}
	}
	return text, nil
}

// findTunic fills in where tunic listens: as its settings say where no flag does.
func (c *explainCmd) findTunic() error {
	if c.Host == "" && c.Port == 0 && c.Socket == "" {
		cfg, err := servingSettings(c.Config)
		if err != nil {
			return err
		}
		if cfg != nil {
			c.listening(cfg.Listen)
		}
	}
	c.Host, c.Port = cmp.Or(c.Host, "127.0.0.1"), cmp.Or(c.Port, 3307)
	return nil
}

// listening takes over an address of tunic's.
func (c *explainCmd) listening(listen string) {
	network, address := config.Network(listen)
	if network == "unix" {
		c.Socket = address
		return
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return // config has looked
	}
	c.Host = reachable(host)
	c.Port, _ = strconv.Atoi(port)
}

// settings are those of the connection.
func (c *explainCmd) settings() (*mysql.Config, error) {
	password, err := c.password()
	if err != nil {
		return nil, err
	}
	m := mysql.NewConfig()
	m.User, m.Passwd, m.DBName = c.User, password, c.Database
	m.Net, m.Addr = "tcp", net.JoinHostPort(c.Host, strconv.Itoa(c.Port))
	m.Timeout, m.ClientFoundRows, m.Logger = connectLimit, c.FoundRows, &mysql.NopLogger{}
	if c.Socket != "" {
		m.Net, m.Addr = "unix", c.Socket
		return m, nil
	}
	m.TLSConfig = map[string]string{"disabled": "false", "preferred": "preferred", "required": "skip-verify"}[c.TLS]
	if m.TLSConfig == "" {
		m.TLS, err = c.verified()
	}
	return m, err
}

func (c *explainCmd) password() (string, error) {
	if c.PasswordFile == "" {
		return os.Getenv("TUNIC_PASSWORD"), nil
	}
	password, err := config.ReadPassword(c.PasswordFile, "--password-file")
	if mistake, ok := errors.AsType[*config.Error](err); ok {
		return "", sqlerr.AskPasswordFile(mistake.Problem, mistake.Fix)
	}
	return password.Reveal(), err
}

// verified is TLS with a certificate that is made out to the host.
func (c *explainCmd) verified() (*tls.Config, error) {
	t := &tls.Config{ServerName: c.Host, MinVersion: tls.VersionTLS12}
	if c.CA == "" {
		return t, nil
	}
	pem, err := os.ReadFile(c.CA)
	t.RootCAs = x509.NewCertPool()
	if err == nil && !t.RootCAs.AppendCertsFromPEM(pem) {
		err = errors.New("it holds no certificate")
	}
	if err != nil {
		return nil, sqlerr.StartTLSFile("--ca", c.CA, err)
	}
	return t, nil
}

// explain has tunic explain the statement, in rows, and returns them as text.
func explain(ctx context.Context, conn *sql.Conn, statement string) (string, error) {
	rows, err := conn.QueryContext(ctx, "EXPLAIN FORMAT=TRADITIONAL "+statement)
	if err != nil {
		return "", err
	}
	table, err := readTable(rows)
	if err != nil {
		return "", err
	}
	lines, server := divided(table)
	if lines == "" {
		lines = explained("forward", forwarded(protects(ctx, conn)))
	}
	return lines + "\nThe server's plan of what it is sent:\n" + formatTable(server), nil
}

// protects reports whether the other end is a tunic with a catalog: to others the
// question is about a table that is not there, or may not be asked.
func protects(ctx context.Context, conn *sql.Conn) bool {
	_, err := conn.ExecContext(ctx, "SHOW COLUMNS FROM `_tunic`.object")
	return err != nil && strings.Contains(err.Error(), "TUNIC-")
}

func (c *explainCmd) unreachable(settings *mysql.Config, err error) error {
	setting := "--port"
	if c.Socket != "" {
		setting = "--socket"
	}
	return sqlerr.AskDown(setting, settings.Addr, err)
}
