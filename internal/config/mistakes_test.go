package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mistake is a start that must fail: what is wrong, and what the line says.
type mistake struct {
	name    string
	flags   map[string]string // over minimal; "" takes a flag away
	environ []string
	file    string
	kind    Kind
	// says are pieces of the line: the setting as it was written, the problem,
	// the fix.
	says []string
}

var mistakes = []mistake{
	// Names.
	{name: "unknown key", file: `liste = "x:1"`, kind: UnknownSetting, says: []string{"liste in ", "did you mean listen?"}},
	{name: "unknown key in a table", file: "[backend]\nadress = 'x:1'", kind: UnknownSetting, says: []string{"backend.adress in ", "did you mean backend.address?"}},
	{name: "unknown table", file: "[bakend]\naddress = 'x:1'", kind: UnknownSetting, says: []string{"bakend in "}},
	{name: "flag as key", file: `max-connections = 3`, kind: UnknownSetting, says: []string{"did you mean limits.connections?"}},
	{name: "dashes for underscores", file: "[limits]\nidle-timeout = 3", kind: UnknownSetting, says: []string{"did you mean limits.idle_timeout?"}},
	{name: "nothing near", file: `colour = "blue"`, kind: UnknownSetting, says: []string{"colour in ", "tunic help config"}},
	{name: "password in file", file: "[service]\npassword = 'hunter3'", kind: UnknownSetting, says: []string{"service.password in ", "service.password_file or TUNIC_SERVICE_PASSWORD"}},
	{name: "unknown variable", environ: []string{"TUNIC_LISTN=:1"}, kind: UnknownSetting, says: []string{"TUNIC_LISTN: ", "did you mean TUNIC_LISTEN?"}},
	{name: "unknown variable, nothing near", environ: []string{"TUNIC_COLOUR=blue"}, kind: UnknownSetting, says: []string{"TUNIC_COLOUR: ", "unset it"}},
	// Values.
	{name: "no port", flags: map[string]string{"listen": "localhost"}, kind: BadValue, says: []string{"--listen: ", `"localhost" is not HOST:PORT or unix:PATH`}},
	{name: "port name", flags: map[string]string{"listen": "localhost:mysql"}, kind: BadValue, says: []string{"no port between 1 and 65535"}},
	{name: "port range", flags: map[string]string{"backend": "localhost:65536"}, kind: BadValue, says: []string{"--backend: ", "no port between 1 and 65535"}},
	{name: "backend port 0", flags: map[string]string{"backend": "localhost:0"}, kind: BadValue, says: []string{"no port between 1 and 65535"}},
	{name: "backend without host", flags: map[string]string{"backend": ":3306"}, kind: BadValue, says: []string{"names no host"}},
	{name: "empty socket", flags: map[string]string{"backend": "unix:"}, kind: BadValue, says: []string{"names no socket"}},
	{name: "socket too long", flags: map[string]string{"backend": "unix:/" + strings.Repeat("x", 107)}, kind: BadValue, says: []string{"107 bytes", "…"}},
	{name: "socket too long below its folder", file: "listen = 'unix:" + strings.Repeat("x", 107) + "'", kind: BadValue, says: []string{"listen in ", "107 bytes"}},
	{name: "admin on a socket", flags: map[string]string{"admin": "unix:/run/x"}, kind: BadValue, says: []string{"--admin: ", "is not HOST:PORT;"}},
	{name: "word off the list", flags: map[string]string{"backend-tls": "yes"}, kind: BadValue, says: []string{`--backend-tls: "yes" is not one of disabled, preferred, required, verify-ca, verify-full`}},
	{name: "word off the list, policy", flags: map[string]string{"policy-default": "none"}, kind: BadValue, says: []string{`--policy-default: "none" is not one of protect, plain`}},
	{name: "layers", environ: []string{"TUNIC_POLICY_LAYERS=never"}, kind: BadValue, says: []string{`TUNIC_POLICY_LAYERS: "never" is not one of off, advise, auto`}},
	{name: "network", flags: map[string]string{"proxy-protocol": "10.0.0.0/8,balancer"}, kind: BadValue, says: []string{`--proxy-protocol: "balancer" is not a network such as 10.1.0.0/16, or an address`}},
	{name: "network with bits of a host", flags: map[string]string{"proxy-protocol": "10.1.2.3/8"}, kind: BadValue, says: []string{`"10.1.2.3/8" is not a network`}},
	{name: "no network", flags: map[string]string{"proxy-protocol": ""}, kind: BadValue, says: []string{`"" is not a network`}},
	{name: "PROXY protocol over a Unix socket", flags: map[string]string{"proxy-protocol": "10.0.0.0/8", "listen": "unix:/run/x"}, kind: Conflict, says: []string{"--proxy-protocol: is of no use with --listen unix:/run/x"}},
	{name: "duration", flags: map[string]string{"drain": "soon"}, kind: BadValue, says: []string{`--drain: "soon" is not a duration such as 30, 30s or 1m30s`}},
	{name: "empty duration", flags: map[string]string{"drain": ""}, kind: BadValue, says: []string{`--drain: "" is not a duration`}},
	{name: "negative duration", flags: map[string]string{"drain": "-1"}, kind: BadValue, says: []string{`"-1" is not between 0s and 8760h;`}},
	{name: "zero timeout", flags: map[string]string{"handshake-timeout": "0"}, kind: BadValue, says: []string{"is not between 1ms and"}},
	{name: "size", flags: map[string]string{"max-packet": "much"}, kind: BadValue, says: []string{"is not a size such as"}},
	{name: "size above the protocol", flags: map[string]string{"max-packet": "1025M"}, kind: BadValue, says: []string{"is not between 1KiB and 1GiB"}},
	{name: "size overflow", flags: map[string]string{"max-packet": "9223372036854775807G"}, kind: BadValue, says: []string{"is not a size such as"}},
	{name: "too little memory", flags: map[string]string{"memory": "512"}, kind: BadValue, says: []string{`--memory: "512" is not between 64MiB and 1024GiB; 0 is the default`}},
	{name: "negative size", flags: map[string]string{"max-packet": "-1M"}, kind: BadValue, says: []string{"is not a size such as"}},
	{name: "number", flags: map[string]string{"max-connections": "1.5"}, kind: BadValue, says: []string{`"1.5" is not a whole number`}},
	{name: "number range", flags: map[string]string{"max-connections": "0"}, kind: BadValue, says: []string{"0 is not between 1 and 1000000"}},
	{name: "boolean", environ: []string{"TUNIC_ADMIN_PPROF=yes"}, kind: BadValue, says: []string{"TUNIC_ADMIN_PPROF: ", "neither true nor false"}},
	{name: "empty user", flags: map[string]string{"service-user": ""}, kind: Missing, says: []string{"--service-user: is not set"}},
	{name: "list in file", file: "listen = [1, 2]", kind: BadValue, says: []string{"listen in ", "is not a single value"}},
	{name: "table for a value", file: "[listen]\nport = 1", kind: BadValue, says: []string{"listen in ", "is not a single value"}},
	{name: "date for a value", file: "listen = 2024-01-01", kind: BadValue, says: []string{"is not a single value"}},
	{name: "value for a table", file: "backend = 'db:3306'", kind: UnknownSetting, says: []string{"backend in ", "did you mean backend.address?"}},
	{name: "control characters", flags: map[string]string{"listen": "a\nb\x1b[31m"}, kind: BadValue, says: []string{`"a\nb\x1b[31m"`}},
	// Missing.
	{name: "no backend", flags: map[string]string{"backend": ""}, kind: Missing, says: []string{"--backend: is not set", "TUNIC_BACKEND", "backend.address"}},
	{name: "no user", flags: map[string]string{"service-user": ""}, kind: Missing, says: []string{"TUNIC_SERVICE_USER"}},
	// Files.
	{name: "not TOML", file: "listen = \n", kind: BadFile, says: []string{"--config ", "line 1 is not TOML"}},
	{name: "key twice", file: "listen = ':1'\nlisten = ':2'", kind: BadFile, says: []string{"line 2 is not TOML"}},
	// Conflicts.
	{name: "certificate alone", flags: map[string]string{"tls-cert": "c.pem"}, kind: Conflict, says: []string{"--tls-cert: ", "add --tls-key"}},
	{name: "passphrase without a key", environ: []string{"TUNIC_KEY_PASSPHRASE=hunter3"}, kind: Conflict, says: []string{"TUNIC_KEY_PASSPHRASE: ", "add --key"}},
	{name: "passphrase file without a key", flags: map[string]string{"key-passphrase-file": "/x"}, kind: Conflict, says: []string{"--key-passphrase-file: ", "add --key"}},
	{name: "two passphrases", environ: []string{"TUNIC_KEY=/k", "TUNIC_KEY_PASSPHRASE=hunter3", "TUNIC_KEY_PASSPHRASE_FILE=/x"}, kind: Conflict, says: []string{"TUNIC_KEY_PASSPHRASE: TUNIC_KEY_PASSPHRASE_FILE is set as well"}},
	{name: "passphrase in file", file: "key_passphrase = 'hunter3'", kind: UnknownSetting, says: []string{"key_passphrase in ", "key_passphrase_file or TUNIC_KEY_PASSPHRASE"}},
	{name: "broken passphrase in file", file: "key_passphrase = hunter3", kind: BadFile, says: []string{"line 1 is not TOML"}},
	{name: "key alone", environ: []string{"TUNIC_TLS_KEY=k.pem"}, kind: Conflict, says: []string{"TUNIC_TLS_KEY: ", "add --tls-cert"}},
	{name: "pair of no use", flags: map[string]string{"tls": "disabled", "tls-cert": "c", "tls-key": "k"}, kind: Conflict, says: []string{"--tls disabled"}},
	{name: "client CA of no use", flags: map[string]string{"tls": "disabled", "tls-client-ca": "c"}, kind: Conflict, says: []string{"--tls-client-ca: ", "--tls disabled"}},
	{name: "client CA over a socket", flags: map[string]string{"listen": "unix:/run/t", "tls-client-ca": "c"}, kind: Conflict, says: []string{"--tls-client-ca: ", "--listen unix:/run/t"}},
	{name: "project of zeros", flags: map[string]string{"key": "k", "project": "00000000000000000000000000000000"}, kind: BadValue, says: []string{"--project: ", "all zeros"}},
	{name: "CA of no use", flags: map[string]string{"backend-ca": "c.pem"}, kind: Conflict, says: []string{"--backend-ca: ", "--backend-tls preferred", "verify-ca"}},
	{name: "a token for nothing", flags: map[string]string{"admin-token-file": "/x"}, kind: Conflict, says: []string{"--admin-token-file: ", "add --admin"}},
	{name: "profiles nowhere", flags: map[string]string{"admin-pprof": "true"}, kind: Conflict, says: []string{"--admin-pprof: ", "add --admin"}},
	{name: "admin on the clients' address", flags: map[string]string{"listen": "127.0.0.1:3307", "admin": "127.0.0.1:3307"}, kind: Conflict, says: []string{"--admin: 127.0.0.1:3307 is where clients connect (--listen)", "another port"}},
	{name: "admin on the default address", flags: map[string]string{"admin": "127.0.0.1:3307"}, kind: Conflict, says: []string{"--admin: 127.0.0.1:3307 is where clients connect"}},
	{name: "admin below every address", flags: map[string]string{"listen": ":3307"}, environ: []string{"TUNIC_ADMIN=127.0.0.1:3307"}, kind: Conflict, says: []string{"TUNIC_ADMIN: "}},
	{name: "admin on every address", flags: map[string]string{"listen": "[::1]:3307", "admin": "[::]:3307"}, kind: Conflict, says: []string{"--admin: "}},
	{name: "two passwords", environ: []string{"TUNIC_SERVICE_PASSWORD_FILE=/x"}, kind: Conflict, says: []string{"TUNIC_SERVICE_PASSWORD: TUNIC_SERVICE_PASSWORD_FILE is set as well"}},
	// Policy.
	{name: "protect", flags: map[string]string{"policy-default": "protect"}, kind: Unprotected, says: []string{"--policy-default protect: needs a key file; give --key FILE, made by tunic keygen, or --policy-default plain"}},
	{name: "protect by default", flags: map[string]string{"policy-default": ""}, kind: Unprotected, says: []string{"--policy-default protect: needs a key file"}},
	{name: "rules without a key", file: "[[policy.rules]]\ncolumns='a.b.c'\nprotection='sealed'", kind: Unprotected, says: []string{"policy.rules, number 1, in ", "needs a key file"}},
	{name: "rule of another form", file: "[policy]\nrules = 'a.b.c'", kind: BadValue, says: []string{"policy.rules in ", "[[policy.rules]]"}},
	{name: "rule without protection", file: "[[policy.rules]]\ncolumns='a.b.c'", kind: Missing, says: []string{"number 1, in ", "give both"}},
	{name: "rule with a key of no setting", file: "[[policy.rules]]\ncolumns='a.b.c'\nprotection='sealed'\nfoo=1", kind: UnknownSetting, says: []string{"a rule has no foo", "remove it"}},
	{name: "rule with a number", file: "[[policy.rules]]\ncolumns=3\nprotection='sealed'", kind: BadValue, says: []string{"columns is not a string"}},
	{name: "accounts of another form", file: "[clients]\naccounts = 'a@b'", kind: BadValue, says: []string{"[[clients.accounts]]"}},
	{name: "account without a host", file: "[[clients.accounts]]\nuser='a'", kind: Missing, says: []string{"number 1, in ", "give both"}},
	{name: "account with a slip", file: "[[clients.accounts]]\nusers='a'\nhost='*'", kind: UnknownSetting, says: []string{"an account has no users; did you mean user?"}},
	{name: "account with a number", file: "[[clients.accounts]]\nuser='a'\nhost=1", kind: BadValue, says: []string{"host is not a string"}},
	{name: "account whose certificate nobody asks for", file: "[[clients.accounts]]\nuser='a'\nhost='*'\ncertificate='c'", kind: Conflict, says: []string{"give --tls-client-ca"}},
	{name: "annotators of another form", file: "[policy]\nannotators = 'a@b'", kind: BadValue, says: []string{"policy.annotators in ", "[[policy.annotators]]"}},
	{name: "annotator without a host", file: "[[policy.annotators]]\nuser='a'", kind: Missing, says: []string{"policy.annotators, number 1, in ", "give both"}},
	{name: "annotator whose certificate nobody asks for", file: "[[policy.annotators]]\nuser='a'\nhost='*'\ncertificate='c'", kind: Conflict, says: []string{"policy.annotators", "give --tls-client-ca"}},
	{name: "rule that waits for a word", file: "[[policy.rules]]\ncolumns='a.b.c'\nprotection='sealed'\nwaits='yes'", kind: BadValue, says: []string{"waits is neither true nor false"}},
	{name: "rule with a slip", file: "[[policy.rules]]\ncolumn='a.b.c'\nprotection='sealed'", kind: UnknownSetting, says: []string{"a rule has no column; did you mean columns?"}},
	{name: "protect in file", flags: map[string]string{"policy-default": ""}, file: "policy.default = 'protect'", kind: Unprotected, says: []string{"policy.default in "}},
}

func TestMistakes(t *testing.T) {
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			flags := minimal()
			for name, text := range m.flags {
				// An empty flag stands for one that is not given, except where
				// the empty text itself is the mistake.
				if flags[name] = text; text == "" && m.kind != BadValue {
					delete(flags, name)
				}
			}
			s := Sources{Flags: flags, Environ: append([]string{passwordSet}, m.environ...)}
			if m.file != "" {
				s.File = writeFile(t, "tunic.toml", m.file, 0o644)
			}
			_, err := Load(s)
			expectMistake(t, err, m.kind, m.says...)
		})
	}
}

// expectMistake checks an error against its kind and pieces of its line, and
// that it is a line and holds no password of these tests.
func expectMistake(t *testing.T, err error, kind Kind, says ...string) {
	t.Helper()
	mistake, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("got %v, want an *Error", err)
	}
	line := err.Error() + ";"
	if mistake.Kind != kind {
		t.Errorf("kind %d, want %d: %s", mistake.Kind, kind, line)
	}
	for _, piece := range says {
		if !strings.Contains(line, piece) {
			t.Errorf("%q is not in: %s", piece, line)
		}
	}
	if strings.ContainsAny(line, "\n\r\x1b") {
		t.Errorf("not one clean line: %q", line)
	}
	if strings.Contains(line, "hunter") {
		t.Errorf("the password is in: %s", line)
	}
}

// TestForeignVariables: what others put into the environment under tunic's
// prefix is neither a setting nor a mistake.
func TestForeignVariables(t *testing.T) {
	environ := []string{
		passwordSet, "TUNIC_TEST_ANYTHING=1",
		"TUNIC_SERVICE_HOST=10.0.0.1", "TUNIC_SERVICE_PORT=3307", "TUNIC_SERVICE_PORT_MYSQL=3307",
		"TUNIC_PORT=tcp://10.0.0.1:3307", "TUNIC_PORT_3307_TCP=tcp://10.0.0.1:3307",
		"TUNIC_PORT_3307_TCP_PROTO=tcp", "TUNIC_PORT_3307_TCP_PORT=3307", "TUNIC_PORT_3307_TCP_ADDR=10.0.0.1",
		"XTUNIC_LISTEN=x", "TUNICLISTEN=x", "tunic_listen=x",
	}
	c, err := Load(Sources{Flags: minimal(), Environ: environ})
	must(t, err)
	if c.Listen != Default().Listen {
		t.Errorf("listen became %s", c.Listen)
	}
}

// TestEmptyVariable: a variable set to nothing is not set; only the password
// may be nothing.
func TestEmptyVariable(t *testing.T) {
	c, err := Load(Sources{Flags: minimal(), Environ: []string{"TUNIC_LISTEN=", envPassword + "="}})
	must(t, err)
	if c.Listen != Default().Listen {
		t.Errorf("listen became %q", c.Listen)
	}
	if !c.Service.Password.Empty() {
		t.Error("the password is not empty")
	}
	_, err = Load(Sources{Flags: minimal()})
	expectMistake(t, err, Missing, "--service-password-file", envPassword)
}

func TestConfigFileMistakes(t *testing.T) {
	dir := t.TempDir()
	_, err := Load(Sources{File: filepath.Join(dir, "none.toml")})
	expectMistake(t, err, BadFile, "none.toml", "no such file")
	_, err = Load(Sources{Environ: []string{envConfig + "=/does/not/exist"}})
	expectMistake(t, err, BadFile, "TUNIC_CONFIG /does/not/exist: no such file")
	_, err = Load(Sources{File: dir})
	expectMistake(t, err, BadFile, "is not a regular file")
	_, err = Load(Sources{File: writeFile(t, "big.toml", strings.Repeat("#", fileBytesMax+1), 0o644)})
	expectMistake(t, err, BadFile, "is larger than 1MiB")
}

// TestTOMLMistakeHidesPassword: the parser's message would quote the value.
func TestTOMLMistakeHidesPassword(t *testing.T) {
	for _, text := range []string{
		"service.password = 99999999999999999999hunter",
		"service.password = 9hunter2",
		"service.password = hunter2",
		"[service]\npassword = \"hunter2\nuser = 'x'",
	} {
		_, err := Load(Sources{File: writeFile(t, "tunic.toml", text, 0o644)})
		expectMistake(t, err, BadFile, "is not TOML")
	}
}

func TestPasswordFile(t *testing.T) {
	for _, c := range []struct {
		content, want string
	}{
		{"hunter2", "hunter2"},
		{"hunter2\n", "hunter2"},
		{"hunter2\r\n", "hunter2"},
		{" hunter2 \n", " hunter2 "},
		{"\xffhunter2\n", "\xffhunter2"},
	} {
		for _, mode := range []os.FileMode{0o600, 0o400, 0o700} {
			flags := minimal()
			flags["service-password-file"] = writeFile(t, "password", c.content, mode)
			// The flag also wins over the variable.
			got, err := Load(Sources{Flags: flags, Environ: []string{envPassword + "=other"}})
			must(t, err)
			if got.Service.Password.Reveal() != c.want {
				t.Errorf("%q is read wrong", c.content)
			}
		}
	}
}

// TestPasswordOverFile: the variable wins over the configuration file, and the
// file it names is then not looked at.
func TestPasswordOverFile(t *testing.T) {
	file := tomlFile(t, "service.password_file", "/does/not/exist")
	c, err := Load(Sources{File: file, Flags: minimal(), Environ: []string{passwordSet}})
	must(t, err)
	if c.Service.Password.Reveal() != "hunter2" || c.Service.PasswordFile != "" {
		t.Error("the password is not that of the variable")
	}
}

func TestPasswordFileMistakes(t *testing.T) {
	load := func(path string) error {
		flags := minimal()
		flags["service-password-file"] = path
		_, err := Load(Sources{Flags: flags})
		return err
	}
	for _, mode := range []os.FileMode{0o604, 0o620, 0o660, 0o650, 0o601, 0o644, 0o666, 0o777} {
		path := writeFile(t, "password", "hunter2\n", mode)
		expectMistake(t, load(path), OpenPasswordFile, "--service-password-file: ", fmt.Sprintf("has mode %04o", mode), "chmod 600 "+path)
	}
	for content, says := range map[string]string{
		"":                            "is empty",
		"\n":                          "is empty",
		"hunter2\nhunter3\n":          "has more than one line",
		"hunter2\x00":                 "has more than one line",
		strings.Repeat("hunter", 800): "is larger than 4KiB",
	} {
		expectMistake(t, load(writeFile(t, "password", content, 0o600)), BadPasswordFile, says)
	}
	expectMistake(t, load(t.TempDir()), BadPasswordFile, "is not a regular file")
	expectMistake(t, load("/does/not/exist"), BadPasswordFile, "/does/not/exist: no such file")
}

// TestPassphrase checks which of two places wins: the other must be empty, so
// that the room that opens the key file has no choice to make.
func TestPassphrase(t *testing.T) {
	file := "key = '/k'\nkey_passphrase_file = '/f'"
	for name, c := range map[string]struct {
		file    string
		environ []string
		flags   map[string]string
		want    Key
	}{
		"none":              {"key = '/k'", nil, nil, Key{File: "/k"}},
		"file":              {file, nil, nil, Key{File: "/k", PassphraseFile: "/f"}},
		"environment":       {"key = '/k'", []string{"TUNIC_KEY_PASSPHRASE=p"}, nil, Key{File: "/k", Passphrase: NewSecret("p")}},
		"empty environment": {file, []string{"TUNIC_KEY_PASSPHRASE="}, nil, Key{File: "/k", PassphraseFile: "/f"}},
		"environment wins":  {file, []string{"TUNIC_KEY_PASSPHRASE=p"}, nil, Key{File: "/k", Passphrase: NewSecret("p")}},
		"flag wins": {
			file,
			[]string{"TUNIC_KEY_PASSPHRASE=p"},
			map[string]string{"key-passphrase-file": "/g"},
			Key{File: "/k", PassphraseFile: "/g"},
		},
	} {
		flags := minimal()
		maps.Copy(flags, c.flags)
		got, err := Load(Sources{
			Flags: flags, Environ: append(c.environ, passwordSet), File: writeFile(t, "tunic.toml", c.file, 0o644),
		})
		must(t, err)
		if !strings.HasPrefix(got.Key.From, "key in ") || (c.flags != nil) != (got.Key.PassphraseFrom == "--key-passphrase-file" && strings.Contains(c.file, "passphrase")) {
			t.Errorf("%s: the key is from %s, its passphrase from %s", name, got.Key.From, got.Key.PassphraseFrom)
		}
		c.want.From, c.want.PassphraseFrom = got.Key.From, got.Key.PassphraseFrom
		if diff := cmp.Diff(c.want, got.Key, cmp.AllowUnexported(Secret{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestPrivate: the group may read what belongs to root, as Kubernetes mounts it.
func TestPrivate(t *testing.T) {
	for _, c := range []struct {
		mode    fs.FileMode
		uid     uint32
		private bool
	}{
		{0o600, 1000, true},
		{0o400, 1000, true},
		{0o640, 1000, false},
		{0o604, 1000, false},
		{0o600, 0, true},
		{0o640, 0, true},
		{0o440, 0, true},
		{0o660, 0, false},
		{0o650, 0, false},
		{0o644, 0, false},
		{0o641, 0, false},
	} {
		if got := Private(fileInfo{mode: c.mode, uid: c.uid}); got != c.private {
			t.Errorf("mode %04o of user %d: private %t", c.mode, c.uid, got)
		}
	}
}

// fileInfo is a file of some mode and owner.
type fileInfo struct {
	fs.FileInfo
	mode fs.FileMode
	uid  uint32
}

func (f fileInfo) Mode() fs.FileMode { return f.mode }
func (f fileInfo) Sys() any          { return &syscall.Stat_t{Uid: f.uid} }

// TestUnreadableFiles needs a user whom permissions stop.
func TestUnreadableFiles(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	_, err := Load(Sources{File: writeFile(t, "tunic.toml", "", 0)})
	expectMistake(t, err, BadFile, "permission denied")
}

// TestOverlap: two addresses of which one leaves the other nothing to listen on.
func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"127.0.0.1:1", "127.0.0.1:1", true},
		{"127.0.0.1:1", "127.0.0.1:2", false},
		{"127.0.0.1:1", "127.0.0.2:1", false},
		{"127.0.0.1:0", "127.0.0.1:0", false},
		{":1", "127.0.0.1:1", true},
		{"[::]:1", "127.0.0.1:1", true},
		{"[::]:1", "[::1]:1", true},
		{"0.0.0.0:1", "127.0.0.1:1", true},
		{"0.0.0.0:1", "[::1]:1", false},
		{"0.0.0.0:1", "localhost:1", true},
		{"unix:/run/tunic.sock", "127.0.0.1:1", false},
		{"127.0.0.1:1", "", false},
	} {
		if overlap(c.a, c.b) != c.want || overlap(c.b, c.a) != c.want {
			t.Errorf("overlap of %q and %q is not %v", c.a, c.b, c.want)
		}
	}
}
