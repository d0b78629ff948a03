package status

import "time"

// Format is the version of the JSON. A field that is added leaves it as it is; one that
// goes, or comes to mean something else, makes it one more.
const Format = 1

// Snapshot is the state of one tunic. docs/status.md explains every field.
type Snapshot struct {
	Format  int       `json:"format"`
	Time    time.Time `json:"time"`
	Version string    `json:"version"`
	Commit  string    `json:"commit,omitempty"`
	// Uptime is in seconds.
	Uptime   float64   `json:"uptime_seconds"`
	Health   Health    `json:"health"`
	Warnings []Warning `json:"warnings"`
	Sessions Sessions  `json:"sessions"`
	Load     Load      `json:"load"`
	// Kinds are kinds of statements, the most frequent first.
	Kinds     []Kind     `json:"kinds"`
	Work      Work       `json:"work"`
	Refusals  []Refusal  `json:"refusals"`
	Templates []Template `json:"templates"`
	PlanCache PlanCache  `json:"plan_cache"`
	RowCache  RowCache   `json:"row_cache"`
	// Protection is null where tunic has no key.
	Protection *Protection `json:"protection"`
	History    History     `json:"history"`
}

// Health says whether clients should be sent here.
type Health struct {
	// State is "ready", "not ready" or "draining".
	State  string `json:"state"`
	Reason string `json:"reason,omitempty"`
}

// The states of Health.
const (
	Ready    = "ready"
	NotReady = "not ready"
	Draining = "draining"
)

// Warning is something that an operator must see.
type Warning struct {
	// Name is one word for programs; Level is "alarm", "warning" or "notice".
	Name  string `json:"name"`
	Level string `json:"level"`
	Text  string `json:"text"`
	Fix   string `json:"fix,omitempty"`
}

// The levels of a Warning, in their order.
const (
	Alarm   = "alarm"
	Caution = "warning"
	Notice  = "notice"
)

// Sessions are the clients that are connected.
type Sessions struct {
	Open  int64 `json:"open"`
	Limit int64 `json:"limit"`
	// States are how many are in each: login, idle, transaction, busy.
	States   map[string]int64 `json:"states"`
	Prepared int64            `json:"prepared_statements"`
}

// Load is what happened in the last seconds.
type Load struct {
	// Window is over how many seconds it is, and Kinds as well.
	Window     float64 `json:"window_seconds"`
	Statements float64 `json:"statements_per_second"`
	BytesIn    float64 `json:"bytes_in_per_second"`
	BytesOut   float64 `json:"bytes_out_per_second"`
	Latency
}

// Latency is how long statements took that ended in the window, in seconds; null where none
// did.
type Latency struct {
	P50 *float64 `json:"p50_seconds"`
	P95 *float64 `json:"p95_seconds"`
	P99 *float64 `json:"p99_seconds"`
}

// Kind is one kind of statement.
type Kind struct {
	Kind string `json:"kind"`
	// Statements counts since start, by what was sent; PerSecond counts answers in the window.
	Statements uint64  `json:"statements"`
	PerSecond  float64 `json:"per_second"`
	Latency
}

// Work is who did the work of the statements since start.
type Work struct {
	Statements uint64 `json:"statements"`
	// Forwarded went to the server as they came. Carried were rewritten, and the server did
	// all else; Local were finished by tunic on opened rows. Answered are those that tunic
	// answers, defines or remembers. Refused got an error of tunic's.
	Forwarded uint64 `json:"forwarded"`
	Carried   uint64 `json:"carried"`
	Local     uint64 `json:"local"`
	Answered  uint64 `json:"answered"`
	Refused   uint64 `json:"refused"`
}

// Refusal is one code of an error of tunic's own.
type Refusal struct {
	Code  string `json:"code"`
	Count uint64 `json:"count"`
	// Text is the error as docs/errors.md has it, with words for what it names.
	Text string `json:"text"`
	Fix  string `json:"fix"`
	// Template is of the statement that was refused last; "" if it is not known.
	Template string `json:"template,omitempty"`
}

// Template is a statement without its values, and what it has cost since start.
type Template struct {
	Text       string  `json:"text"`
	Statements int64   `json:"statements"`
	Refused    int64   `json:"refused"`
	Seconds    float64 `json:"seconds"`
	Mean       float64 `json:"mean_seconds"`
	// Phases are shares of the time: server, open, local, send. They are measured of one
	// statement in sixteen.
	Phases map[string]float64 `json:"phases"`
}

// PlanCache is how the cache of plans does.
type PlanCache struct {
	Entries uint64 `json:"entries"`
	Bytes   int64  `json:"bytes"`
	Hits    uint64 `json:"hits"`
	Misses  uint64 `json:"misses"`
}

// RowCache is what has become of rows that were written by their key.
type RowCache struct {
	// Hits were written as the cache had them, Misses were not in it, Stale were other ones by then.
	Hits   uint64 `json:"hits"`
	Misses uint64 `json:"misses"`
	Stale  uint64 `json:"stale"`
}

// Protection is what there is to know of protected tables.
type Protection struct {
	Ledger Ledger `json:"ledger"`
	Keys   Keys   `json:"keys"`
	// Tables are at most as many as were asked for, of those whose name was searched for;
	// TablesFound is how many there are of these, TablesAll of all.
	Tables      []Table `json:"tables"`
	TablesFound int     `json:"tables_found"`
	TablesAll   int     `json:"tables_all"`
	// Jobs are those that have not ended, and the last ones that have.
	Jobs        []Job        `json:"jobs"`
	Encryptions []Encryption `json:"encryptions"`
	// Error says why jobs and encryptions are not known; "" if they are.
	Error string `json:"error,omitempty"`
}

// Ledger is the written catalog and who reads it.
type Ledger struct {
	Project string `json:"project"`
	Usable  bool   `json:"usable"`
	Reason  string `json:"reason,omitempty"`
	Version uint64 `json:"version"`
	// Members is how many tunics read it, this one included. Leased says that this one knows
	// all names; Barred that the server takes no writes.
	Members int64 `json:"members"`
	Leased  bool  `json:"leased"`
	Barred  bool  `json:"barred"`
}

// Keys are the keys by their versions.
type Keys struct {
	// Epoch is that of what is made now, Versions all master keys that are held.
	Epoch    uint16   `json:"epoch"`
	Versions []uint16 `json:"versions"`
	// Seals is how many values the busiest key has sealed, of about SealsMax.
	Seals    int64 `json:"busiest_key_seals"`
	SealsMax int64 `json:"seals_max"`
}

// Table is one protected table or view.
type Table struct {
	Schema string `json:"schema"`
	Name   string `json:"name"`
	View   bool   `json:"view,omitempty"`
	// State is "protected", "encrypting", "decrypting" or, while columns are brought into families, "moving".
	State            string `json:"state"`
	Columns          int    `json:"columns"`
	ProtectedColumns int    `json:"protected_columns"`
	Layers           int    `json:"layers"`
	// EpochOldest and EpochNewest are of the keys under which its columns are written now.
	EpochOldest uint16 `json:"epoch_oldest"`
	EpochNewest uint16 `json:"epoch_newest"`
}

// The states of a Table.
const (
	TableProtected  = "protected"
	TableEncrypting = "encrypting"
	TableDecrypting = "decrypting"
	TableMoving     = "moving"
)

// Progress is how far something is that goes through rows.
type Progress struct {
	Done uint64 `json:"rows_done"`
	// Expected is the server's estimate; 0 if it is not known.
	Expected uint64 `json:"rows_expected"`
	// Rate is in rows a second, Left in seconds; null while they are not known.
	Rate *float64 `json:"rows_per_second"`
	Left *float64 `json:"seconds_left"`
}

// Job is work in the background, by any tunic.
type Job struct {
	ID     uint64    `json:"id"`
	Kind   string    `json:"kind"`
	Table  string    `json:"table"`
	Column string    `json:"column,omitempty"`
	State  string    `json:"state"`
	Stage  string    `json:"stage"`
	Asked  time.Time `json:"asked"`
	// Cause is why it has failed, Fix what to do.
	Cause string `json:"cause,omitempty"`
	Fix   string `json:"fix,omitempty"`
	// Here says that this tunic works at it.
	Here bool `json:"here"`
	Progress
}

// Encryption is a table that `tunic encrypt` or `tunic decrypt` has begun with.
type Encryption struct {
	Table string `json:"table"`
	// Direction is "encrypt" or "decrypt".
	Direction string `json:"direction"`
	Progress
}

// History are the last minutes, the oldest first, one number for each Interval seconds.
type History struct {
	Interval   float64   `json:"interval_seconds"`
	Statements []float64 `json:"statements_per_second"`
	Refusals   []float64 `json:"refusals_per_second"`
	Sessions   []float64 `json:"sessions"`
	P95        []float64 `json:"p95_seconds"`
}
