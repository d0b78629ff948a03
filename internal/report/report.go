package report

import "time"

// Format is the version of the form that WriteJSON writes. A field that is added does not change it; one
// that is renamed, removed or means something else does.
const Format = 1

// Report is all that there is to say. docs/report.md explains its fields.
type Report struct {
	Format int       `json:"format"`
	Tunic  string    `json:"tunic"` // the version that has made it
	Made   time.Time `json:"made"`
	// Decisions are what somebody has to decide; Accepted are those that the caller has accepted.
	Decisions []Decision `json:"decisions"`
	Accepted  []Decision `json:"accepted,omitempty"`
	Scope     Scope      `json:"scope"`
	Server    Server     `json:"server"`
	Links     []Link     `json:"connections"`
	Access    []Fact     `json:"access"`
	Logs      []Log      `json:"logs"`
	Keys      Keys       `json:"keys"`
	Jobs      []Job      `json:"jobs,omitempty"`
	Legend    []Legend   `json:"forms"`
	Tables    []Table    `json:"tables"`
	// Strangers are tables with tunic's mark that the catalog does not know, as schema.table.
	Strangers []string `json:"unknown_tables,omitempty"`
}

// Decision is something that somebody has to decide about.
type Decision struct {
	Kind Kind `json:"kind"`
	// Object is what it is about: schema.table, schema.table.column, or the name of a log or setting.
	Object string `json:"object"`
	What   string `json:"what"`
	Fix    string `json:"fix"`
}

// Scope is what was looked at.
type Scope struct {
	// Schemas are those that were asked for; none is all but the system's.
	Schemas []string `json:"schemas"`
	// Whole says that the service account sees every table of the server. Else only those are in the report
	// that it has a privilege on.
	Whole bool `json:"sees_all_tables"`
	// Sample is how many values of each column were to be read; 0 is none.
	Sample int64 `json:"sample"`
	// Protected and Plain count tables; Columns, Sealed and Layers what they have.
	Protected int `json:"protected_tables"`
	Plain     int `json:"plain_tables"`
	Columns   int `json:"columns"`
	Sealed    int `json:"protected_columns"`
	Layers    int `json:"layers"`
}

// Server is the database server.
type Server struct {
	Product string `json:"product"`
	Version string `json:"version"`
	Address string `json:"address"`
}

// Link is one side of tunic.
type Link struct {
	Of      string `json:"of"` // "clients" or "server"
	Address string `json:"address"`
	// TLS is what the settings say; Now is what the connection of this command has, "" for clients.
	TLS  string `json:"tls"`
	Now  string `json:"now,omitempty"`
	Says string `json:"says"`
	// Local says that nothing of it leaves the machine.
	Local bool `json:"local"`
	// Safe says that nobody in between can read along, as far as the settings can see to it.
	Safe bool `json:"safe"`
}

// Fact is a thing and what is said of it.
type Fact struct {
	Name string `json:"name"`
	Says string `json:"says"`
}

// Log is something of the server's that keeps statements or rows.
type Log struct {
	Name string `json:"name"`
	On   bool   `json:"on"`
	// Where is a file or table, as the server's settings have it.
	Where string `json:"where,omitempty"`
	Says  string `json:"says"`
	// Literals says that it keeps the literals of statements, outside of tables and their privileges.
	Literals bool `json:"literals"`
}

// Keys are the keys of the project.
type Keys struct {
	// None says that there is no ledger, and so nothing is protected.
	None    bool   `json:"none,omitempty"`
	Project string `json:"project,omitempty"`
	KeyID   string `json:"key_id,omitempty"`
	// Masters are the versions of the master keys, the newest first.
	Masters []uint16 `json:"master_keys,omitempty"`
	// Ledger is the oldest epoch that a row of the ledger is sealed under.
	Ledger uint16 `json:"ledger_epoch"`
	// MostSealed is about how many values the key has sealed that has sealed most.
	MostSealed uint64 `json:"most_sealed"`
	Says       string `json:"says"`
}

// Job is a job that may still do something.
type Job struct {
	ID     uint64    `json:"id"`
	Kind   string    `json:"kind"`
	Object string    `json:"object"`
	State  string    `json:"state"`
	Cause  string    `json:"cause,omitempty"`
	Asked  time.Time `json:"asked"`
	Reason string    `json:"reason,omitempty"`
}

// Legend is what a form is, and what it tells the server.
type Legend struct {
	Form      string `json:"form"`
	Algorithm string `json:"algorithm"`
	Tells     string `json:"tells"`
}

// Table is a table or a view.
type Table struct {
	Schema    string `json:"schema"`
	Name      string `json:"name"`
	View      bool   `json:"view,omitempty"`
	Protected bool   `json:"protected"`
	// State is what a look at its definition said, "" of a plain table.
	State string `json:"state,omitempty"`
	// Faults are what is not as the catalog says; Programs what names the table and is not tunic's.
	Faults      []string  `json:"faults,omitempty"`
	Programs    []string  `json:"programs,omitempty"`
	Columns     []Column  `json:"columns"`
	Families    []Family  `json:"families,omitempty"`
	Keys        []Key     `json:"keys,omitempty"`
	ForeignKeys []Foreign `json:"foreign_keys,omitempty"`

	// What decide.go needs of the look.
	changing, unchecked, changed bool
	plain                        []plainLeft
	leftover                     []string // stored columns that are left over
	wrong                        []string // of Faults, those that make it another one than the catalog says
	fix                          string   // what to do about the last of them, where that is known
	read                         []string // of Faults, the views of the server's that read it
}

// plainLeft is a column whose values are in the clear still, "" for the table, and the command to run.
type plainLeft struct{ column, says, next string }

// FullName is schema.table.
func (t *Table) FullName() string { return t.Schema + "." + t.Name }

// Column is a column as an application sees it.
type Column struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	Protected bool   `json:"protected"`
	// Ceiling are the layers that it may ever have, in the words of the policy.
	Ceiling string `json:"ceiling,omitempty"`
	// By is who has decided that it is protected, or plain.
	By    Asker  `json:"by"`
	Forms []Form `json:"forms"`

	// guarded is why it must not be plain, weaker why its ceiling is too high.
	guarded, weaker string
	// beside says that it is a plain column of a protected table.
	beside bool
}

// Family is columns that have one sealed form in each row.
type Family struct {
	// Stored is the name of the stored column, Type its type.
	Stored  string   `json:"stored_column"`
	Type    string   `json:"stored_type,omitempty"`
	Columns []string `json:"columns"`
	// Most is the greatest size of a form, in bytes.
	Most int `json:"most_bytes"`
	// Tells is what the forms tell the server.
	Tells string `json:"tells"`
}

// Form is one stored form of a column.
type Form struct {
	// Form is a word of the Legend; an order layer with a grain is "order", with the Grain beside it.
	Form  string `json:"form"`
	Grain string `json:"grain,omitempty"`
	// Stored is the name of the stored column, Type its type.
	Stored string `json:"stored_column"`
	Type   string `json:"stored_type,omitempty"`
	Scheme string `json:"scheme,omitempty"`
	// Epoch is that of the key, and Master the version of the master key that it is made of.
	Epoch  *uint16 `json:"epoch,omitempty"`
	Master *uint16 `json:"master_key,omitempty"`
	// State is "ready" if plans use it, "filling" and "retiring" around that; "copy" of one that is to take
	// another one's place.
	State string `json:"state"`
	// Over are the keys and foreign keys that the server has over it.
	Over    []string `json:"over,omitempty"`
	AskedBy []Asker  `json:"asked_by,omitempty"`
	Tells   string   `json:"tells"`
	Values  *Values  `json:"values,omitempty"`

	unasked bool
}

// Asker is who asks for something.
type Asker struct {
	// By is "rule", "annotation", "default", "key", "foreign key", "job", "auto", "AUTO_INCREMENT", "generated",
	// "earlier" (a policy or annotation that has changed since) or "none".
	By string `json:"by"`
	// Name is the rule as the configuration has it, or the key's name.
	Name string `json:"name,omitempty"`
	// Reason is what was said why, of a job.
	Reason string     `json:"reason,omitempty"`
	When   *time.Time `json:"when,omitempty"`
}

// Values are what the values of a column, or its type, say of a layer.
type Values struct {
	// Basis is "sample" or "type"; of a unique key, "key".
	Basis string `json:"basis"`
	// Read is how many values were read, of a sample.
	Read int64 `json:"read,omitempty"`
	// Against says that they speak against the layer.
	Against bool   `json:"against"`
	Says    string `json:"says"`
	// foreign says that a value did not open.
	foreign bool
}

// Key is an index.
type Key struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	// Parts are its columns, with the form that it is over of a protected one.
	Parts []KeyPart `json:"parts"`
}

// KeyPart is a column of a key.
type KeyPart struct {
	Column string `json:"column"`
	Form   string `json:"form,omitempty"`
}

// Foreign is a foreign key.
type Foreign struct {
	Name       string   `json:"name"`
	Columns    []string `json:"columns"`
	References string   `json:"references"`
}
