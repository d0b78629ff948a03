package main

import (
	"slices"
	"strings"
	"unicode"
)

// explanation is the answer to an EXPLAIN as people read it: what tunic says, and
// below it the server's rows.
func explanation(table [][]string) string {
	selectType, extra := slices.Index(table[0], "select_type"), slices.Index(table[0], "Extra")
	var b strings.Builder
	server := table[:1:1]
	for _, row := range table[1:] {
		if selectType < 0 || extra < 0 || row[selectType] != "TUNIC" {
			server = append(server, row)
			continue
		}
		about, text, _ := strings.Cut(row[extra], ": ")
		b.WriteString(explained(about, text))
	}
	if b.Len() == 0 {
		b.WriteString(explained("forward", "no protected table is named: the server gets the statement as it is"))
	}
	b.WriteString("\nThe server's plan of what it is sent:\n")
	for _, row := range server {
		for i, cell := range row {
			row[i] = printable(cell)
		}
	}
	b.WriteString(formatTable(server))
	return b.String()
}

// aboutWidth is that of the longest of what lines are about.
const aboutWidth = len("fallback") + 2

// explained is a line of tunic's. What follows the first sentence stands below it.
func explained(about, text string) string {
	indent := strings.Repeat(" ", aboutWidth)
	if about == "advice" {
		text = strings.ReplaceAll(text, ". ", ".\n"+indent)
	}
	return about + strings.Repeat(" ", max(aboutWidth-len(about), 1)) + printable(text) + "\n"
}

// printable keeps what controls a terminal from it; names can have anything in them.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\n' {
			return r
		}
		return '?'
	}, s)
}
