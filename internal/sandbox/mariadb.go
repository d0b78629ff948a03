package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// mariaDB finds the installed MariaDB server.
var mariaDB = sync.OnceValues(func() (*engine, error) {
	server, err := findProgram("mariadbd", "mariadb-server-core")
	if err != nil {
		return nil, err
	}
	install, err := findProgram("mariadb-install-db", "mariadb-server-core")
	if err != nil {
		return nil, err
	}
	version, err := programVersion(server)
	if err != nil {
		return nil, err
	}
	return &engine{
		flavor:     MariaDB,
		version:    version,
		program:    []string{server},
		options:    mariaDBPlugins(version),
		noSync:     []string{innoDBNoSync, "--debug-no-sync"}, // the second is for what is not InnoDB's
		initialize: mariaDBInstall(install),
		accounts:   append(mariaDBCleaning, accounts()...),
	}, nil
})

// mariaDBCleaning removes what mariadb-install-db made and no sandbox has:
// anonymous accounts, and a root for the machine's own name.
var mariaDBCleaning = []string{
	"DELETE FROM mysql.global_priv WHERE User = '' OR (User = 'root' AND Host <> 'localhost')",
	"FLUSH PRIVILEGES",
}

func mariaDBInstall(program string) func(context.Context, string) error {
	return func(ctx context.Context, dataDir string) error {
		args := append([]string{
			"--no-defaults", "--datadir=" + dataDir, "--auth-root-authentication-method=normal",
			"--skip-test-db", "--innodb-log-file-size=16M",
		}, asCurrentUser()...)
		out, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("mariadb-install-db: %w:\n%s", err, indent(string(out)))
		}
		return nil
	}
}

// mariaDBPlugins loads the ed25519 authentication plug-in, if it is there.
func mariaDBPlugins(version string) []string {
	dir, load := mariaDBPluginDir(version), "--plugin-load-add=auth_ed25519"
	if dir != distributionPlugins {
		return []string{"--plugin-dir=" + dir, load}
	}
	if _, err := os.Stat(filepath.Join(dir, "auth_ed25519.so")); err == nil {
		return []string{load}
	}
	return nil
}

// distributionPlugins is where the distribution's full server package puts its plug-ins.
const distributionPlugins = "/usr/lib/mysql/plugin"

// mariaDBPluginDir is the folder where scripts/install-deps.sh has unpacked the plug-ins
// of this very version; without it, the distribution's.
func mariaDBPluginDir(version string) string {
	private := filepath.Join(StateDir(), "mariadb-plugins")
	stamp, err := os.ReadFile(filepath.Join(private, "VERSION"))
	if err == nil && strings.TrimSpace(string(stamp)) == version {
		return private
	}
	return distributionPlugins
}

// errMissing is ErrUnavailable where nothing is left out.
var errMissing = errors.New("not installed, where everything must be")

// findProgram looks for a program where the shell does, and in the folders of
// servers, which an ordinary user's PATH leaves out.
func findProgram(name, pkg string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return filepath.Abs(path)
	}
	for _, dir := range []string{"/usr/sbin", "/usr/local/sbin", "/usr/libexec", "/sbin"} {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	why := ErrUnavailable
	if os.Getenv("TUNIC_REQUIRE_CLIENTS") == "1" {
		why = errMissing
	}
	return "", fmt.Errorf("%s is %w; run `make deps` in a checkout of tunic, or install the package %s", name, why, pkg)
}

var versionPattern = regexp.MustCompile(`Ver (\S+)`)

// programVersion asks a server program for its version.
func programVersion(argv ...string) (string, error) {
	out, err := exec.Command(argv[0], append(argv[1:], "--no-defaults", "--version")...).Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", filepath.Base(argv[0]), err)
	}
	match := versionPattern.FindSubmatch(out)
	if match == nil {
		return "", fmt.Errorf("%s --version names no version", filepath.Base(argv[0]))
	}
	return string(match[1]), nil
}
