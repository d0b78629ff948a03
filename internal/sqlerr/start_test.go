package sqlerr

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// startCase is an error at start, and what it comes to.
type startCase struct {
	err  *StartError
	exit int
	want string
}

func startCases(t *testing.T) []startCase {
	t.Helper()
	taken := listenTwice(t)
	refused := dialNobody(t)
	_, missing := os.ReadFile(filepath.Join(t.TempDir(), "cert.pem"))

	return []startCase{
		{
			StartListen("--listen", "127.0.0.1:3307", taken), ExitListen,
			"TUNIC-1101: --listen: 127.0.0.1:3307 is taken: address already in use; " +
				"stop the process that listens there or choose another address (see tunic help TUNIC-1101)",
		},
		{
			StartListen("--admin", "192.0.2.1:80", &net.OpError{Op: "listen", Err: os.NewSyscallError("bind", syscall.EADDRNOTAVAIL)}), ExitListen,
			"TUNIC-1102: --admin: cannot listen on 192.0.2.1:80: cannot assign requested address; " +
				"use an address of this machine and a port or folder this user may use (see tunic help TUNIC-1102)",
		},
		{
			StartTakeover("/run/t", errors.New("it is a process of another user")), ExitListen,
			"TUNIC-1103: --takeover: cannot take over from the tunic at /run/t: it is a process of another user; " +
				"give both tunics the same --listen and run them as the same user, or stop the other one first (see tunic help TUNIC-1103)",
		},
		{
			StartSystemd(errors.New("there is more than one socket for clients")), ExitListen,
			"TUNIC-1104: the sockets that systemd has made are not what tunic listens at: there is more than one socket for clients; " +
				"give tunic one stream socket for clients, and at most one with FileDescriptorName=admin (see tunic help TUNIC-1104)",
		},
		{
			StartBackendDown("127.0.0.1:1", refused), ExitBackend,
			"TUNIC-1201: --backend: cannot reach the database server at 127.0.0.1:1: connection refused; " +
				"check that it runs and that --backend is its address (see tunic help TUNIC-1201)",
		},
		{
			StartBackendGreeting("db:80", errors.New("not\r\na  greeting\x1b")), ExitBackend,
			"TUNIC-1202: --backend: what answers at db:80 is not a usable MySQL, MariaDB or TiDB server: not a greeting?; " +
				"check --backend, and the server's log (see tunic help TUNIC-1202)",
		},
		{
			StartBackendTLS("required", nil), ExitBackend,
			"TUNIC-1203: --backend-tls: the server offers no TLS and required demands it; " +
				"enable TLS on the server, correct --backend-ca, or lower --backend-tls (see tunic help TUNIC-1203)",
		},
		{
			StartBackendTLS("verify-ca", errors.New("unknown authority")), ExitBackend,
			"TUNIC-1203: --backend-tls: the server's TLS does not pass verify-ca: unknown authority; " +
				"enable TLS on the server, correct --backend-ca, or lower --backend-tls (see tunic help TUNIC-1203)",
		},
		{
			StartAccount(Account{User: "tunic\nx"}, &Error{Number: 1045, State: "28000", Message: "Access denied"}), ExitAccount,
			"TUNIC-1401: --service-user: the database server refuses the service account tunic?x: ERROR 1045 (28000): Access denied; " +
				"check its name and its password; create the account with CREATE USER if it is new (see tunic help TUNIC-1401)",
		},
		{
			StartAccount(Account{"tunic", "service.user in t.toml", "TUNIC_SERVICE_PASSWORD"}, errors.New("denied")), ExitAccount,
			"TUNIC-1401: service.user in t.toml: the database server refuses the service account tunic: denied; " +
				"check its name, and its password, which is from TUNIC_SERVICE_PASSWORD; create the account with CREATE USER if it is new (see tunic help TUNIC-1401)",
		},
		{
			StartLookup(Account{User: "tunic"}, &Error{Number: 1142, State: "42000", Message: "SELECT command denied"}), ExitAccount,
			"TUNIC-1404: --service-user: the service account tunic may not look up the plugins of accounts: ERROR 1142 (42000): SELECT command denied; " +
				"GRANT SELECT ON mysql.global_priv (MariaDB) or mysql.user (MySQL) to it, or let tunic reach the server by HOST:PORT (see tunic help TUNIC-1404)",
		},
		{
			StartTLSMode("--tls-key", "key.pem", 0o644), ExitTLS,
			"TUNIC-1504: --tls-key: key.pem has mode 0644, which lets other users at it; chmod 600 key.pem (see tunic help TUNIC-1504)",
		},
		{
			StartTLSFile("--tls-cert", "cert.pem", missing), ExitTLS,
			"TUNIC-1501: --tls-cert: cannot use cert.pem: no such file or directory; " +
				"give the path of a readable PEM file (see tunic help TUNIC-1501)",
		},
		{
			StartTLSPair("c.pem", "k.pem", nil), ExitTLS,
			"TUNIC-1502: --tls-cert, --tls-key: c.pem and k.pem are not a pair; " +
				"give --tls-cert and --tls-key of one pair (see tunic help TUNIC-1502)",
		},
		{
			StartTLSMade("/state", missing), ExitTLS,
			"TUNIC-1503: --tls-dir: cannot keep the self-signed pair in /state: no such file or directory; " +
				"make --tls-dir a folder this user can write, give --tls-cert and --tls-key, or use --tls disabled (see tunic help TUNIC-1503)",
		},
		{
			StartPolicy("policy.rules, number 1, in t.toml", errors.New("it is empty")), ExitConfig,
			"TUNIC-1003: policy.rules, number 1, in t.toml: is not a rule: it is empty; see tunic help policy (see tunic help TUNIC-1003)",
		},
		{
			StartOtherKey("key"), ExitKey,
			"TUNIC-1601: --key: key is not the key file of the protected tables of this database; " +
				"give --key the key file that they were made with, or the newer one of tunic rotate --rewrap (see tunic help TUNIC-1601)",
		},
		{
			StartKeyAbsent(), ExitKey,
			"TUNIC-1602: --key: this database has protected tables, and no key file was given; give --key (see tunic help TUNIC-1602)",
		},
		{
			StartLedger(LedgerHeld, nil), ExitLedger,
			"TUNIC-1603: another tunic is making the ledger of this database; try again (see tunic help TUNIC-1603)",
		},
		{
			StartLedger(LedgerDamaged, errors.New("row 1")), ExitLedger,
			"TUNIC-1605: the ledger of protected tables is not as tunic has written it: row 1; " +
				"find out who has changed, removed or put back rows of schema _tunic; restore it together with the tables (see tunic help TUNIC-1605)",
		},
		{
			StartInternal(errors.New("too many open files")), ExitInternal,
			"TUNIC-1901: tunic cannot start: too many open files; see the text of the error (see tunic help TUNIC-1901)",
		},
		{
			&StartError{Code: CodeBadValue, Setting: "--drain", Problem: "is wrong", Fix: "mend it"}, ExitConfig,
			"TUNIC-1003: --drain: is wrong; mend it (see tunic help TUNIC-1003)",
		},
		{
			&StartError{Code: CodeKeyMode}, ExitKey,
			"TUNIC-1302: the key file is open to other users; chmod 600 the key file (see tunic help TUNIC-1302)",
		},
	}
}

func TestStartErrors(t *testing.T) {
	for _, c := range append(startCases(t), askCases(t)...) {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		if got := ExitStatus(fmt.Errorf("start: %w", c.err)); got != c.exit {
			t.Errorf("%s: exit status %d, want %d", c.err.Code, got, c.exit)
		}
		if c.err.Err != nil && !errors.Is(c.err, c.err.Err) {
			t.Errorf("%s does not unwrap", c.err.Code)
		}
	}
}

func TestExitStatusOfOthers(t *testing.T) {
	if got := ExitStatus(nil); got != ExitOK {
		t.Errorf("no error ends with %d", got)
	}
	if got := ExitStatus(errors.New("anything")); got != ExitInternal {
		t.Errorf("an error of no class ends with %d", got)
	}
	if got := Code(3001).Exit(); got != ExitInternal {
		t.Errorf("a client's error ends with %d", got)
	}
}

// TestExitStatusesDocumented: docs/errors.md has a line for each.
func TestExitStatusesDocumented(t *testing.T) {
	for _, e := range Entries() {
		if e.Exit != 0 && !strings.Contains(documentHead, fmt.Sprintf("\n| %d | ", e.Exit)) {
			t.Errorf("%s ends with %d, which the document does not explain", e.Code, e.Exit)
		}
	}
}

// listenTwice is the error of listening where something listens.
func listenTwice(t *testing.T) error {
	t.Helper()
	l := listen(t)
	defer l.Close()
	second, err := net.Listen("tcp", l.Addr().String())
	if err == nil {
		second.Close()
		t.Fatal("listened twice on one address")
	}
	return err
}

// dialNobody is the error of dialling where nothing listens.
func dialNobody(t *testing.T) error {
	t.Helper()
	l := listen(t)
	l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err == nil {
		c.Close()
		t.Skip("something else began to listen on the port just left")
	}
	return err
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}
