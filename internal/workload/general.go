package workload

import (
	"bytes"
	"strings"

	"tunic/internal/identifier"
)

// entry is a line of a general query log that begins something:
//
//	2026-01-02T10:11:12.123456Z	    8 Query	SELECT 1      MySQL
//	260102 10:11:12	     8 Query	SELECT 1              MariaDB
//			     8 Query	SELECT 1              MariaDB, in the same second
type entry struct {
	session, command string
	argument         []byte
}

// commands are those that servers write, as they write them (command_name in their sources).
var commands = setOf("Sleep", "Quit", "Init DB", "Query", "Field List", "Create DB", "Drop DB", "Refresh", "Shutdown", "Statistics", "Processlist",
	"Connect", "Kill", "Debug", "Ping", "Time", "Delayed insert", "Change user", "Binlog Dump", "Table Dump", "Connect Out", "Register Slave",
	"Register Replica", "Prepare", "Execute", "Long Data", "Close stmt", "Reset stmt", "Set option", "Fetch", "Daemon", "Error", "Binlog Dump GTID",
	"Reset Connection", "clone", "Bulk_execute", "Slave_worker", "Slave_IO", "Slave_SQL", "Unimpl get tid")

func setOf(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return set
}

// generalEntry reads a line.
func generalEntry(line []byte) (e entry, ok bool) {
	tab := bytes.IndexByte(line, '\t')
	if tab < 0 || !isTime(line[:tab]) {
		return e, false
	}
	rest := bytes.TrimLeft(line[tab+1:], "\t ")
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits == len(rest) || rest[digits] != ' ' {
		return e, false
	}
	e.session = string(rest[:digits])
	command, argument, _ := bytes.Cut(rest[digits+1:], []byte("\t"))
	e.command, e.argument = strings.TrimSpace(string(command)), argument
	return e, commands[e.command]
}

// isTime reports whether a text is the time of an entry: "" is the same as before.
func isTime(text []byte) bool {
	switch {
	case len(text) == 0:
		return true
	case len(text) < len("260102 1:11:12") || len(text) > len("2026-01-02T10:11:12.123456+00:00"):
		return false
	}
	for _, c := range text {
		if (c < '0' || c > '9') && !strings.ContainsRune("-:.+TZ ", rune(c)) {
			return false
		}
	}
	return text[0] >= '0' && text[0] <= '9'
}

// general begins what an entry says.
func (p *parser) general(e entry) error {
	if err := p.end(); err != nil {
		return err
	}
	p.known = true
	switch e.command {
	case "Connect", "Change user":
		p.sessions[e.session] = connected(string(e.argument))
	case "Init DB":
		p.useSchema(e.session, string(bytes.TrimSpace(e.argument)))
	case "Quit":
		delete(p.sessions, e.session)
	case "Query", "Execute", "Bulk_execute":
		p.open, p.slow, p.session = true, false, e.session
		p.add(e.argument)
	}
	return nil
}

// connected is what a session begins with: "root@localhost on shop using Socket", and on MariaDB
// "root@localhost as anonymous on shop".
func connected(argument string) (s session) {
	account, on, ok := strings.Cut(argument, " on ")
	if !ok {
		return s
	}
	account, _, _ = strings.Cut(account, " as ")
	if at := strings.LastIndexByte(account, '@'); at >= 0 {
		s.user = account[:at]
	}
	schema, _, _ := strings.Cut(strings.TrimRight(on, " "), " using ")
	if !strings.HasPrefix(on, "using ") && !strings.ContainsAny(schema, " \t") {
		s.schema = schema
	}
	return s
}

// use heeds a USE of the session's.
func (p *parser) use(text []byte) {
	if name, ok := used(text); ok {
		p.useSchema(p.session, name)
	}
}

func (p *parser) useSchema(number, schema string) {
	s := p.sessions[number]
	s.schema = schema
	p.sessions[number] = s
}

// used is the schema that USE names.
func used(text []byte) (string, bool) {
	const word = "use"
	if len(text) <= len(word) || !strings.EqualFold(string(text[:len(word)]), word) || (text[len(word)] != ' ' && text[len(word)] != '`') {
		return "", false
	}
	name := strings.TrimRight(strings.TrimSpace(string(text[len(word):])), "; ")
	if unquoted := identifier.Unquoted(name); unquoted != name {
		return unquoted, true
	}
	return name, name != "" && !strings.ContainsAny(name, " \t\n'\"")
}
