package sql

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"tunic/internal/sql/outline"
)

var rewriteKeywords = flag.Bool("rewrite-keywords", false, "add the servers' keywords to outline/keywords.txt")

// keywordsKnown checks that what a server has for a keyword is one here.
func (r *serverRun) keywordsKnown(t *testing.T) {
	t.Helper()
	rows, err := r.conn.QueryContext(t.Context(), "SELECT WORD FROM information_schema.KEYWORDS")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var words []string
	for rows.Next() {
		var word string
		if err := rows.Scan(&word); err != nil {
			t.Fatal(err)
		}
		if c := word[0] | 0x20; c >= 'a' && c <= 'z' { // no operator, as <=>
			words = append(words, strings.ToUpper(word))
		}
	}
	if rows.Err() != nil || len(words) < 500 {
		t.Fatalf("the server has %d keywords: %v", len(words), rows.Err())
	}
	if *rewriteKeywords {
		addKeywords(t, words)
		return
	}
	for _, word := range words {
		if !outline.Keywords.Has([]byte(word)) {
			t.Errorf("%s is a keyword, and not in keywords.txt", word)
		}
	}
}

func addKeywords(t *testing.T, words []string) {
	t.Helper()
	known, err := os.ReadFile("outline/keywords.txt")
	if err != nil {
		t.Fatal(err)
	}
	words = append(words, strings.Fields(string(known))...)
	slices.Sort(words)
	if err := os.WriteFile("outline/keywords.txt", []byte(strings.Join(slices.Compact(words), "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
