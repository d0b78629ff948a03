package page

import (
	"fmt"
	"slices"
	"strings"

	"tunic/internal/bench/document"
	"tunic/internal/bench/meter"
)

// conditions lists what else than the measured programs differed.
func conditions(older, newer *document.Document) []string {
	var notes []string
	if older.Name != newer.Name {
		notes = append(notes, fmt.Sprintf("another benchmark: %s, now %s", older.Name, newer.Name))
	}
	for _, d := range []struct {
		name string
		*document.Document
	}{{"old", older}, {"new", newer}} {
		if !d.Complete {
			notes = append(notes, "the "+d.name+" one was "+interruptedNote)
		}
	}
	notes = append(notes, machines(older.Machine, newer.Machine)...)
	if changed := settingsChanged(older.Settings, newer.Settings); len(changed) > 0 {
		notes = append(notes, "other settings: "+strings.Join(changed, ", "))
	}
	if strings.Join(older.ServerFlags, " ") != strings.Join(newer.ServerFlags, " ") {
		notes = append(notes, "other server flags")
	}
	for _, program := range []string{"server", "sysbench", "go-ycsb", "haproxy", "shardingsphere"} {
		if was, is := older.Versions[program], newer.Versions[program]; was != is && was != "" && is != "" {
			notes = append(notes, fmt.Sprintf("other %s: %s, now %s", program, was, is))
		}
	}
	if min(older.Settings.Rounds, newer.Settings.Rounds) < roundsLeast {
		notes = append(notes, fmt.Sprintf("fewer than %d rounds: too few to tell a change from chance, take the rest with salt", roundsLeast))
	}
	return notes
}

// machines says what machines differed by, and what else they did: all rounds of one
// measurement have that in common, so that their spread does not show it.
func machines(older, newer meter.Machine) []string {
	if !older.SameAs(newer) {
		return []string{"another machine: CPU a query and the time of single values are not compared"}
	}
	if !older.Busy() && !newer.Busy() {
		return nil
	}
	return []string{fmt.Sprintf("the machine had other work when one began, %.2f of %d CPUs, now %.2f: what depends on it is apart, and not judged",
		older.AtWork(), newer.CPUs, newer.AtWork())}
}

// settingsChanged names those that no case has in its name.
func settingsChanged(older, newer document.Settings) []string {
	var changed []string
	for _, s := range []struct {
		name    string
		was, is any
	}{
		{"seconds", older.Seconds, newer.Seconds},
		{"transactions", older.Transactions, newer.Transactions},
		{"warm-up seconds", older.WarmUpSeconds, newer.WarmUpSeconds},
		{"asked ms", older.AskedMs, newer.AskedMs},
		{"tables", older.Tables, newer.Tables},
		{"rows", older.Rows, newer.Rows},
		{"warehouses", older.Warehouses, newer.Warehouses},
		{"share", older.Share, newer.Share},
	} {
		if s.was != s.is {
			changed = append(changed, fmt.Sprintf("%s %v, now %v", s.name, s.was, s.is))
		}
	}
	return changed
}

// gone lists what only the old document has: a target of which nothing is left once, with the
// reason, and other cells one by one.
func gone(older, newer *document.Document) []string {
	var notes []string
	for _, target := range older.Settings.Targets {
		if slices.Contains(newer.Settings.Targets, target) {
			continue
		}
		note := "left out now: " + target
		for _, skipped := range newer.Skipped {
			if strings.HasPrefix(skipped, target+":") {
				note = "left out now: " + skipped
			}
		}
		notes = append(notes, note)
	}
	for _, before := range older.Cells {
		if newer.Cell(before.Case, before.Target) == nil && slices.Contains(newer.Settings.Targets, before.Target) {
			notes = append(notes, fmt.Sprintf("only in the old one: %s, %s", before.Case, before.Target))
		}
	}
	return notes
}
