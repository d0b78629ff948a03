package sandbox

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// What a table holds is in its file, unless files are encrypted.
func TestEncryptFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIP: -short; this starts two servers")
	}
	const value = "a value that is easily found"
	for _, encrypt := range []bool{false, true} {
		s, err := StartMariaDB(t.Context(), Options{EncryptFiles: encrypt})
		if errors.Is(err, ErrUnavailable) {
			t.Skipf("SKIP: %v", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Stop() })
		err = s.Exec(t.Context(), "CREATE TABLE test.t (a VARCHAR(60)) ENGINE=InnoDB", "INSERT INTO test.t VALUES ('"+value+"')",
			"FLUSH TABLES test.t FOR EXPORT") // which brings the rows to the file
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(filepath.Join(s.dataDir(), "test", "t.ibd"))
		if err != nil {
			t.Fatal(err)
		}
		if found := bytes.Contains(file, []byte(value)); found == encrypt {
			t.Errorf("encrypted: %t; the value is in the file: %t", encrypt, found)
		}
	}
}

func TestEncryptFilesOfAnotherFlavor(t *testing.T) {
	if err := makeFileKey(t.TempDir(), &engine{flavor: MySQL}); !errors.Is(err, ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}
