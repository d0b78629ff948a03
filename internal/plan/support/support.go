package support

import "tunic/internal/sql"

// Class is what tunic does with a statement of a kind that names something
// protected. One that names nothing protected is forwarded whatever its class.
type Class uint8

// The classes.
const (
	// Refuse: answered with an error that says why.
	Refuse Class = iota
	// Forward: it touches no protected data and nothing that tunic keeps,
	// so it is sent as it came.
	Forward
	// Plan: tunic works out what to send and what to do itself.
	Plan
)

// String is the class's name in docs/sql-support.md.
func (c Class) String() string {
	switch c {
	case Forward:
		return "forward"
	case Plan:
		return "plan"
	case Refuse:
	}
	return "refuse"
}

// Row is one row of the statement table.
type Row struct {
	Kind    sql.Kind
	Class   Class
	Example string // a statement of the kind, in MySQL's or MariaDB's grammar
	Reason  string // why the class
	Note    string // what is special about it; may be empty
}

// Of is the row of a kind.
func Of(k sql.Kind) Row {
	if r, ok := rowOf[k]; ok {
		return r
	}
	return rowOf[sql.Unknown]
}

// Rows are all rows of the table, in its order.
func Rows() []Row {
	var all []Row
	for _, s := range sections {
		all = append(all, s.rows...)
	}
	return all
}

var rowOf = makeRowOf()

func makeRowOf() map[sql.Kind]Row {
	m := make(map[sql.Kind]Row)
	for _, r := range Rows() {
		m[r.Kind] = r
	}
	return m
}

// A section is the rows of one heading of docs/sql-support.md.
type section struct {
	title string
	rows  []Row
}

// sections are the statement table. Every kind has exactly one row; a kind
// without one does not pass the tests.
var sections = []section{
	{"Queries and changes of data", dataRows},
	{"Tables, views, schemas", tableRows},
	{"Programs stored in the server", programRows},
	{"Transactions and locks", transactionRows},
	{"The session", sessionRows},
	{"What the server shows", showRows},
	{"Accounts", accountRows},
	{"Upkeep of tables", upkeepRows},
	{"The server", serverRows},
	{"Everything else", otherRows},
}

// Reasons that many rows share.
const (
	readsRows    = "reads or writes rows, whose values tunic seals, opens and compares"
	changesTable = "tunic changes the logical table and the stored table together"
	keptView     = "tunic keeps the query and merges it into statements: [views](views.md)"
	serverWrites = "the server would read or write a file that holds plaintext or stored forms"
	inServer     = "its body runs in the server, which has only ciphertext of protected values"
	noData       = "reads and writes no table"
	sessionOnly  = "changes the session; tunic follows the change"
	transaction  = "controls the server's transaction; tunic follows it"
	logicalNames = "the server would answer with stored names; the client must see the logical ones"
	notMySQL     = "no MySQL or MariaDB server knows it"
	accounts     = "accounts belong to the server; a grant on a protected table applies to the stored table, which has the same name"
	serverUpkeep = "works on stored rows as they are"
	serverOnly   = "concerns the server, not data"
)
