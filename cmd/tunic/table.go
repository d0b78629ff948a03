package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// showStatement runs a statement and prints its rows, or how many it changed.
func showStatement(ctx context.Context, out io.Writer, conn *sql.Conn, statement string) error {
	if !strings.HasPrefix(statement, "SELECT") {
		result, err := conn.ExecContext(ctx, statement)
		if err != nil {
			return err
		}
		changed, err := result.RowsAffected()
		printf(out, "OK, %s affected\n", rowCount(changed))
		return err
	}
	rows, err := conn.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	table, err := readTable(rows)
	if err != nil {
		return err
	}
	printf(out, "%s%s in set\n", formatTable(table), rowCount(int64(len(table)-1)))
	return nil
}

func rowCount(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return strconv.FormatInt(n, 10) + " rows"
}

// readTable reads all rows as text, the column names first.
func readTable(rows *sql.Rows) ([][]string, error) {
	defer rows.Close() //nolint:errcheck // rows.Err tells
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	table := [][]string{names}
	for rows.Next() {
		cells := make([]sql.NullString, len(names))
		into := make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		table = append(table, cellTexts(cells))
	}
	return table, rows.Err()
}

func cellTexts(cells []sql.NullString) []string {
	texts := make([]string, len(cells))
	for i, c := range cells {
		switch {
		case !c.Valid:
			texts[i] = "NULL"
		case !utf8.ValidString(c.String) || strings.ContainsFunc(c.String, unicode.IsControl):
			texts[i] = bytesText(c.String)
		default:
			texts[i] = c.String
		}
	}
	return texts
}

// bytesText shows the beginning of what is no text.
func bytesText(raw string) string {
	const most = 12
	if len(raw) <= most {
		return fmt.Sprintf("%x", raw)
	}
	return fmt.Sprintf("%x… (%d bytes)", raw[:most], len(raw))
}

// formatTable draws a table with its heading in the first row.
func formatTable(table [][]string) string {
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], displayWidth(cell))
		}
	}
	var b strings.Builder
	rule := ruleOf(widths)
	for i, row := range table {
		if i < 2 {
			b.WriteString(rule)
		}
		for j, cell := range row {
			b.WriteString("| " + cell + strings.Repeat(" ", widths[j]-displayWidth(cell)+1))
		}
		b.WriteString("|\n")
	}
	b.WriteString(rule)
	return b.String()
}

func ruleOf(widths []int) string {
	var b strings.Builder
	for _, w := range widths {
		b.WriteString("+" + strings.Repeat("-", w+2))
	}
	return b.String() + "+\n"
}

// displayWidth counts terminal columns: Han characters take two.
func displayWidth(s string) int {
	wide := 0
	for _, r := range s {
		if unicode.Is(unicode.Han, r) {
			wide++
		}
	}
	return utf8.RuneCountInString(s) + wide
}
