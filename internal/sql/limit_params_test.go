package sql

import (
	"slices"
	"testing"
)

// TestLimitParams: parameters that are numbers of rows are found, and no others.
func TestLimitParams(t *testing.T) {
	for text, want := range map[string][]int{
		"SELECT a FROM t WHERE b = ?":                                          nil,
		"SELECT a FROM t WHERE b = ? LIMIT ?":                                  {1},
		"SELECT a FROM t LIMIT ?, ?":                                           {0, 1},
		"SELECT a FROM t LIMIT 5,?":                                            {0},
		"SELECT a FROM t WHERE b IN (?, ?) LIMIT ? OFFSET ?":                   {2, 3},
		"(SELECT a FROM t LIMIT ?) UNION SELECT ? ORDER BY 1 limit ?":          {0, 2},
		"SELECT `limit`, ? FROM t":                                             nil,
		"SELECT 'limit', ?":                                                    nil,
		"SELECT a FROM t OFFSET ? ROWS FETCH FIRST ? ROWS ONLY":                {0, 1},
		"SELECT GROUP_CONCAT(a, ? ORDER BY a LIMIT ?), ? FROM t /* LIMIT ? */": {1},
		"UPDATE t SET a = ? WHERE b = ? ORDER BY c LIMIT ?":                    {2},
		"SELECT a FROM t LIMIT ? -- ?\n FOR UPDATE":                            {0},
	} {
		if got := LimitParams([]byte(text), MariaDB); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
