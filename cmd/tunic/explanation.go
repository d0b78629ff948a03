package main

import (
	"slices"
	"strings"
	"unicode"
)

// divided is the answer to an EXPLAIN: what tunic says, as lines, and the server's
// rows, with their columns first.
func divided(table [][]string) (lines string, server [][]string) {
	selectType, extra := slices.Index(table[0], "select_type"), slices.Index(table[0], "Extra")
	var b strings.Builder
	server = table[:1:1]
	for _, row := range table[1:] {
		if selectType >= 0 && extra >= 0 && row[selectType] == "TUNIC" {
			about, text, _ := strings.Cut(row[extra], ": ")
			b.WriteString(explained(about, text))
			continue
		}
		for i, cell := range row {
			row[i] = printable(cell)
		}
		server = append(server, row)
	}
	return b.String(), server
}

// forwarded is what is said of a statement of which tunic has nothing to say.
func forwarded(protects bool) string {
	if protects {
		return "no protected table is named: the server gets the statement as it is"
	}
	return "what answers protects nothing: it is a tunic without a key file, or a database server"
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
