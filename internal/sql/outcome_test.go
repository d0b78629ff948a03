package sql

import (
	"slices"
	"testing"
)

// TestShownWarnings: what SHOW WARNINGS asks is read with certainty, or not at all.
func TestShownWarnings(t *testing.T) {
	for text, want := range map[string]ShownWarnings{
		"SHOW WARNINGS":                            {},
		"show /* all */ errors ;":                  {Errors: true},
		"SHOW COUNT(*) WARNINGS":                   {Count: true},
		"SHOW COUNT ( * ) ERRORS":                  {Count: true, Errors: true},
		"SHOW WARNINGS LIMIT 3":                    {Limited: true, Rows: 3},
		"SHOW ERRORS LIMIT 2, 5":                   {Errors: true, Limited: true, Offset: 2, Rows: 5},
		"SHOW WARNINGS LIMIT 5 OFFSET 2":           {Limited: true, Offset: 2, Rows: 5},
		"SHOW WARNINGS LIMIT 18446744073709551615": {Limited: true, Rows: 1<<64 - 1},
	} {
		all, err := Parse([]byte(text), 0)
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		if got, ok := all[0].ShownWarnings(); !ok || got != want {
			t.Errorf("%s: %+v, %t", text, got, ok)
		}
	}
	for _, text := range []string{
		"SHOW WARNINGS LIMIT ?", "SHOW WARNINGS LIMIT -1", "SHOW WARNINGS LIMIT 1.5", "SHOW WARNINGS LIMIT 1,", "SHOW WARNINGS LIMIT 1, 2, 3",
		"SHOW WARNINGS WHERE 1", "SHOW COUNT(*) WARNINGS LIMIT 1", "SHOW WARNINGS LIMIT 0x1", "SHOW TABLES", "SELECT 1",
	} {
		all, err := Parse([]byte(text), 0)
		if err != nil || len(all) != 1 {
			continue
		}
		if got, ok := all[0].ShownWarnings(); ok {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestCounts: a SELECT of counts is one only if there is nothing else in it.
func TestCounts(t *testing.T) {
	for text, want := range map[string][]Count{
		"SELECT ROW_COUNT()": {RowCount},
		"select row_count ( ) n, Found_Rows() AS 'm' from dual": {RowCount, FoundRows},
		"SELECT @@error_count, @@SESSION.`warning_count` w":     {ErrorCount, WarningCount},
		"SELECT /* c */ @@local.error_count, `found_rows`();":   {ErrorCount, FoundRows},
		"SELECT ROW_COUNT() + 1":                                nil,
		"SELECT @@global.error_count":                           nil,
		"SELECT ROW_COUNT(), a FROM t":                          nil,
		"SELECT ROW_COUNT() FROM t":                             nil,
		"SELECT ROW_COUNT() LIMIT 0":                            nil,
		"SELECT ROW_COUNT() UNION SELECT 1":                     nil,
		"SELECT ROW_COUNT(1)":                                   nil,
		"SELECT f.row_count()":                                  nil,
		"SELECT DISTINCT ROW_COUNT()":                           nil,
		"SELECT @@x.error_count":                                nil,
		"SELECT @error_count":                                   nil,
		"SELECT ROW_COUNT() INTO @a":                            nil,
	} {
		all, err := Parse([]byte(text), 0)
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		if got, ok := all[0].Counts(); ok != (want != nil) || ok && !slices.Equal(got, want) {
			t.Errorf("%s: %v, %t", text, got, ok)
		}
	}
}
