package sandboxtest

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"tunic/internal/sandbox"
)

// Damage takes a row out of the clustered index of an InnoDB table and leaves it in the others, as a
// fault of the server's may: the first row is marked as deleted, in the table's file. The table
// has to be so small that the index is one page. The server is shut down for it, and started
// again.
func Damage(t *testing.T, s *sandbox.Server, schema, table string) {
	t.Helper()
	if err := s.Exec(t.Context(), "SHUTDOWN"); err != nil {
		t.Fatal(err)
	}
	<-s.Done()
	name := filepath.Join(s.Dir, "data", schema, table+".ibd")
	file, err := os.ReadFile(name)
	if err == nil {
		err = errors.Join(withoutFirstRow(file, s.Flavor), os.WriteFile(name, file, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Places in a page, and values there (storage/innobase/include/fil0types.h, page0types.h, rem0types.h).
const (
	pageBytes   = 16 << 10
	pageType    = 24
	pageLevel   = 64
	pageIndex   = 66
	pageInfimum = 99

	typeIndex, typeInstant  = 17855, 18
	infoBehind              = 5 // bytes before a record
	infoMetadata, infoGoner = 0x10, 0x20
)

// withoutFirstRow marks the first record of the index with the lowest number as deleted.
func withoutFirstRow(file []byte, flavor sandbox.Flavor) error {
	var clustered []byte
	for at := 0; at+pageBytes <= len(file); at += pageBytes {
		page := file[at : at+pageBytes]
		kind := binary.BigEndian.Uint16(page[pageType:])
		if kind != typeIndex && kind != typeInstant || binary.BigEndian.Uint16(page[pageLevel:]) != 0 {
			continue
		}
		if clustered == nil || binary.BigEndian.Uint64(page[pageIndex:]) < binary.BigEndian.Uint64(clustered[pageIndex:]) {
			clustered = page
		}
	}
	if clustered == nil {
		return errors.New("the file has no index")
	}
	next := func(record uint16) uint16 { return record + binary.BigEndian.Uint16(clustered[record-2:]) }
	first := next(pageInfimum)
	if clustered[first-infoBehind]&infoMetadata != 0 { // of columns that were added in an instant
		first = next(first)
	}
	clustered[first-infoBehind] |= infoGoner
	sum(clustered, flavor)
	return nil
}

// sum gives a page its checksum again.
func sum(page []byte, flavor sandbox.Flavor) {
	table, end := crc32.MakeTable(crc32.Castagnoli), len(page)
	if flavor == sandbox.MariaDB { // innodb_checksum_algorithm=full_crc32
		binary.BigEndian.PutUint32(page[end-4:], crc32.Checksum(page[:end-4], table))
		return
	}
	whole := crc32.Checksum(page[4:26], table) ^ crc32.Checksum(page[38:end-8], table)
	binary.BigEndian.PutUint32(page, whole)
	binary.BigEndian.PutUint32(page[end-8:], whole)
}
