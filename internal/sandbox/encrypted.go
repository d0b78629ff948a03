package sandbox

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
)

// fileKeyPlugin is MariaDB's plug-in that takes the keys for files from a file ("File
// Key Management Encryption Plugin", MariaDB manual).
const fileKeyPlugin = "file_key_management"

// fileKeys is the file of the keys, in the server's folder.
const fileKeys = "file-keys.txt"

// makeFileKey writes key 1, which tables and logs are encrypted with. The error wraps
// ErrUnavailable where the server has no such plug-in.
func makeFileKey(dir string, e *engine) error {
	if e.flavor != MariaDB {
		return fmt.Errorf("%s encrypts its files in another way, which is %w here", e.flavor, ErrUnavailable)
	}
	if _, err := os.Stat(filepath.Join(mariaDBPluginDir(e.version), fileKeyPlugin+".so")); err != nil {
		return fmt.Errorf("MariaDB's plug-in %s is %w; it is in the package mariadb-server, which `make deps` unpacks", fileKeyPlugin, ErrUnavailable)
	}
	var key [32]byte
	_, _ = rand.Read(key[:]) // never fails (crypto/rand)
	return os.WriteFile(filepath.Join(dir, fileKeys), fmt.Appendf(nil, "1;%x\n", key), 0o600)
}

// fileEncryptionArgs have the server encrypt all that InnoDB writes, and temporary
// files: tables that are there before it starts, in the background.
func fileEncryptionArgs(dir string) []string {
	return []string{
		"--plugin-load-add=" + fileKeyPlugin,
		"--loose-file-key-management-filename=" + filepath.Join(dir, fileKeys),
		"--loose-file-key-management-encryption-algorithm=AES_CTR",
		"--innodb-encrypt-tables=FORCE",
		"--innodb-encrypt-log=ON",
		"--innodb-encryption-threads=1",
		"--encrypt-tmp-disk-tables=ON",
		"--encrypt-tmp-files=ON",
	}
}
