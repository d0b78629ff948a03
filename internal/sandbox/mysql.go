package sandbox

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
)

// mySQL finds the MySQL server below .tunic/mysql. It comes from another release
// of the distribution than the machine's, so it runs through the dynamic linker
// and the libraries that were unpacked beside it.
var mySQL = sync.OnceValues(func() (*engine, error) {
	tree := filepath.Join(StateDir(), "mysql")
	server := filepath.Join(tree, "usr/sbin/mysqld")
	linker, err := findLinker(tree)
	if err != nil {
		return nil, fmt.Errorf("the private MySQL server is %w; run `make mysql`", ErrUnavailable)
	}
	program := slices.Concat(linker, []string{server})
	version, err := programVersion(program...)
	if err != nil {
		return nil, fmt.Errorf("the private MySQL server does not run: %w; remove %s and run `make mysql`", err, tree)
	}
	options := mySQLOptions(tree)
	return &engine{
		flavor:     MySQL,
		version:    version,
		program:    program,
		options:    options,
		noSync:     []string{innoDBNoSync, "--innodb-log-writer-threads=OFF"}, // with no disk to wait for, handing the log over costs more than writing it
		initialize: mySQLInstall(program, options),
		accounts:   accounts(),
	}, nil
})

// findLinker returns the start of the command line that runs a program of the
// tree with the tree's own libraries.
func findLinker(tree string) ([]string, error) {
	if _, err := exec.LookPath(filepath.Join(tree, "usr/sbin/mysqld")); err != nil {
		return nil, err
	}
	linkers, err := filepath.Glob(filepath.Join(tree, "usr/lib/*/ld-linux-*.so.*"))
	if err != nil || len(linkers) == 0 {
		return nil, fmt.Errorf("no dynamic linker below %s", tree)
	}
	libraries := filepath.Dir(linkers[0])
	private := filepath.Join(tree, "usr/lib/mysql/private")
	return []string{linkers[0], "--library-path", libraries + ":" + private}, nil
}

func mySQLOptions(tree string) []string {
	share := filepath.Join(tree, "usr/share/mysql")
	return []string{
		"--basedir=" + filepath.Join(tree, "usr"),
		"--lc-messages-dir=" + share,
		"--character-sets-dir=" + filepath.Join(share, "charsets"),
		"--plugin-dir=" + filepath.Join(tree, "usr/lib/mysql/plugin"),
		"--secure-file-priv=",
		"--mysqlx=OFF",
		"--auto-generate-certs=OFF", // TLS only where Options ask for it
		"--innodb-redo-log-capacity=64M",
	}
}

func mySQLInstall(program, options []string) func(context.Context, string) error {
	return func(ctx context.Context, dataDir string) error {
		args := slices.Concat(program[1:], []string{"--no-defaults", "--initialize-insecure", "--datadir=" + dataDir},
			asCurrentUser(), options)
		out, err := exec.CommandContext(ctx, program[0], args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("mysqld --initialize-insecure: %w:\n%s", err, indent(string(out)))
		}
		return nil
	}
}
