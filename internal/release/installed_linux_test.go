package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tunic/internal/sandbox"
)

// packaged is a way to install tunic in a root, and what its steps leave.
type packaged struct {
	name, install, upgrade, remove string
	// purge is "" where removing is all there is.
	purge string
	// kept says whether the settings are still where they were after a removal.
	kept string
}

// TestInstalled does with each package what an operator does.
func TestInstalled(t *testing.T) {
	long(t)
	needs(t, "mmdebstrap", "make packages-test installs it")
	needs(t, "rpm", "make packages-test installs it")
	r := root(filepath.Join(t.TempDir(), "root"))
	output(t, nil, "mmdebstrap", "--quiet", "--variant=essential", "--include=passwd", "bookworm", string(r))
	old, next := program(t, "v0.0.1"), program(t, "v0.0.2")
	oldDeb, oldRPM := packages(t, old, "v0.0.1")
	nextDeb, nextRPM := packages(t, next, "v0.0.2")
	for from, to := range map[string]string{oldDeb: "old.deb", nextDeb: "next.deb"} {
		output(t, nil, "cp", from, r.path(to))
	}
	rpm := "rpm --root " + string(r) + " --nodeps "
	dpkg := "chroot " + string(r) + " dpkg "
	for _, p := range []packaged{
		{"deb", dpkg + "-i /old.deb", dpkg + "-i /next.deb", dpkg + "-r tunic", dpkg + "-P tunic", "tunic.toml"},
		{"rpm", rpm + "--ignoreos -i " + oldRPM, rpm + "--ignoreos -U " + nextRPM, rpm + "-e tunic", "", "tunic.toml.rpmsave"},
	} {
		t.Run(p.name, func(t *testing.T) { p.test(t, r) })
	}
}

// sh runs a line of the machine's own shell.
func sh(t *testing.T, line string) string {
	t.Helper()
	return output(t, []string{"PATH=" + os.Getenv("PATH") + ":/usr/sbin:/sbin", "DEBIAN_FRONTEND=noninteractive"}, "sh", "-c", line)
}

// commandPattern is a command that the installation prints.
var commandPattern = regexp.MustCompile(`(?m)^  (\S.*)$`)

func (p packaged) test(t *testing.T, r root) {
	db := server(t) // one for each: a ledger is of one key
	t.Cleanup(func() { r.clear(t) })
	printed := sh(t, p.install)
	commands := commandPattern.FindAllStringSubmatch(printed, -1)
	if len(commands) != 3 || commands[2][1] != "systemctl enable --now tunic" {
		t.Fatalf("it does not print three commands:\n%s", printed)
	}
	checkModes(t, r)
	listen, admin := freeAddress(t), freeAddress(t)
	settings := configure(t, r, db, listen, admin)
	for _, c := range commands[:2] {
		t.Log(strings.TrimSpace(r.sh(t, c[1])))
	}

	running := p.serve(t, r, admin)
	protects(t, listen, db, p.name)
	upgraded := sh(t, p.upgrade)
	if len(commandPattern.FindAllString(upgraded, -1)) != 0 {
		t.Errorf("an upgrade prints what a first use needs:\n%s", upgraded)
	}
	protects(t, listen, db, p.name) // the old one goes on
	running.end(t)
	if got := r.sh(t, "tunic version"); !strings.HasPrefix(got, "tunic v0.0.2 ") {
		t.Errorf("the new one is %s", got)
	}
	if got := bytesOf(t, r.path("/etc/tunic/tunic.toml")); got != settings {
		t.Errorf("the upgrade has changed the settings:\n%s", got)
	}
	checkModes(t, r)
	again := p.serve(t, r, admin)
	protects(t, listen, db, p.name)
	again.end(t)
	r.sh(t, "runuser -u tunic -- env HOME=/var/lib/tunic sh -c 'mkdir -p ~/.local/state/tunic/tls && touch ~/.local/state/tunic/tls/server-key.pem'")

	sh(t, p.remove)
	if r.there("/usr/bin/tunic") || !r.there("/etc/tunic/"+p.kept) || !r.there("/etc/tunic/tunic.key") || !r.there("/var/lib/tunic/tls") {
		t.Error("a removal leaves the program, or takes away settings, key or state")
	}
	if p.purge != "" {
		purged := sh(t, p.purge)
		if r.there("/etc/tunic/tunic.toml") || r.there("/var/lib/tunic") || !r.there("/etc/tunic/tunic.key") || !strings.Contains(purged, "kept, as it is not empty: /etc/tunic (service-password tunic.key )") {
			t.Errorf("a purge leaves settings or state, or takes away the key, and says:\n%s", purged)
		}
	}
}

// clear takes away what the packages have left, as an operator would who means it.
func (r root) clear(t *testing.T) {
	t.Helper()
	for _, folder := range []string{"/etc/tunic", "/var/lib/tunic"} {
		if err := os.RemoveAll(r.path(folder)); err != nil {
			t.Error(err)
		}
	}
}

// checkModes: folders and files are whose they are to be.
func checkModes(t *testing.T, r root) {
	t.Helper()
	const want = "root:tunic 750 /etc/tunic\nroot:tunic 640 /etc/tunic/tunic.toml\ntunic:tunic 700 /var/lib/tunic\nroot:root 755 /usr/bin/tunic\nroot:root 644 /usr/lib/systemd/system/tunic.service\n"
	got := r.sh(t, "stat -c '%U:%G %a %n' /etc/tunic /etc/tunic/tunic.toml /var/lib/tunic /usr/bin/tunic /usr/lib/systemd/system/tunic.service")
	if got != want {
		t.Errorf("modes are\n%swant\n%s", got, want)
	}
}

// configure does what the installation asks for before its commands, and returns the settings.
func configure(t *testing.T, r root, db *sandbox.Server, listen, admin string) string {
	t.Helper()
	path := r.path("/etc/tunic/tunic.toml")
	settings := strings.NewReplacer("127.0.0.1:3307", listen, "127.0.0.1:3306", db.Addr, "127.0.0.1:9307", admin).Replace(bytesOf(t, path))
	if err := os.WriteFile(path, []byte(settings), 0o640); err != nil { // it keeps its owner and mode
		t.Fatal(err)
	}
	r.sh(t, "echo "+sandbox.ServicePassword+" >/etc/tunic/service-password && chgrp tunic /etc/tunic/service-password && chmod 640 /etc/tunic/service-password")
	return settings
}

// serve runs the command line of the installed service as its user and group.
func (p packaged) serve(t *testing.T, r root, admin string) *process {
	t.Helper()
	settings := map[string]string{}
	for line := range strings.Lines(bytesOf(t, r.path("/usr/lib/systemd/system/tunic.service"))) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			settings[key] = value
		}
	}
	running := r.start(t, r.number(t, "passwd", settings["User"]), r.number(t, "group", settings["Group"]),
		[]string{"STATE_DIRECTORY=/var/lib/" + settings["StateDirectory"]}, strings.Fields(settings["ExecStart"])...)
	running.healthy(t, r, admin)
	return running
}

// TestInstall: make install and make uninstall, below a folder.
func TestInstall(t *testing.T) {
	long(t)
	needs(t, "make", "install make")
	dir := t.TempDir()
	arguments := []string{"--no-print-directory", "-s", "DESTDIR=" + dir, "PREFIX=/opt/tunic"}
	output(t, nil, "make", append(arguments, "install")...)
	if out, err := exec.CommandContext(t.Context(), filepath.Join(dir, "opt/tunic/bin/tunic"), "version").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	service := bytesOf(t, filepath.Join(dir, "opt/tunic/lib/systemd/system/tunic.service"))
	if !strings.Contains(service, "\nExecStart=/opt/tunic/bin/tunic serve ") {
		t.Errorf("the service starts another program:\n%s", service)
	}
	output(t, nil, "make", append(arguments, "uninstall")...)
	left, err := filepath.Glob(filepath.Join(dir, "opt/tunic/*/*"))
	for _, path := range left {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			t.Errorf("%s is left, %v", path, err)
		}
	}
	if err != nil {
		t.Error(err)
	}
}
