package sqltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tunic/internal/sql/lex"
)

// corpus are texts for the seeds of every fuzz target: those of the golden
// files, and some that fuzzing has found to be odd.
func corpus(f *testing.F, golden string) []string {
	f.Helper()
	all := []string{"0E0.0", "A..0", "--#0", "/*+/SELECTx'4*/", "VALUES(1),(x'41' ,VALUES (1),(1)),(1)", "@@`q`s", ":1...", "SET 1,1,VALUES(1),(1)", ":0b0.0"}
	for _, name := range []string{"fingerprint", "lists", "parse", "redact", "tree"} {
		content, err := os.ReadFile(filepath.Join(golden, name))
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.SplitSeq(string(content), "\n") {
			if line != "" && line[0] != '#' && line != "----" {
				all = append(all, line)
			}
		}
	}
	return all
}

// Seed adds every text of the corpus under a few modes; golden is the folder of the golden files.
func Seed(f *testing.F, golden string) {
	f.Helper()
	texts := corpus(f, golden)
	for i, text := range texts {
		f.Add([]byte(text), uint32(ModelModes))
		f.Add([]byte(text), uint32(FuzzModes[i%len(FuzzModes)]))
	}
}

// FuzzModes are the modes in which fuzzing begins.
var FuzzModes = []lex.Modes{
	0,
	lex.ANSIQuotes,
	lex.NoBackslashEscapes,
	lex.Modes(0).WithSQLMode("ORACLE").WithServer("10.11.6-MariaDB"),
	lex.Modes(0).WithSQLMode("MSSQL").WithServer("10.11.6-MariaDB"),
	lex.Modes(0).WithServer("8.0.36"),
	lex.Modes(0).WithServer("8.0.11-TiDB-v8.1.0"),
	lex.Modes(0).WithCharset("gbk"),
	lex.Modes(0).WithCharset("sjis"),
	lex.Modes(0).WithCharset("big5"),
	lex.Modes(0).WithCharset("gb18030"),
	lex.Modes(0).WithCharset("latin1"),
	lex.UnsafeCharset,
}
