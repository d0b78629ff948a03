package document

import "encoding/json"

// Beside is what clients met while something was done to their tables.
type Beside struct {
	Seconds    float64 `json:"seconds"`                   // until it was done, or was ended
	StallMs    float64 `json:"stall_ms"`                  // the longest time in which no statement of any client has ended
	OneStallMs float64 `json:"stall_of_one_ms,omitempty"` // the same, of the client that has waited longest
	Load       float64 `json:"machine_load,omitempty"`    // processes that wanted a CPU in its last minute
	// CPUSeconds is the processor time of the process that did it: 0 where the server did it
	// itself, or the tunic that clients go through.
	CPUSeconds float64 `json:"own_cpu_s,omitempty"`
	Deadlocks  int     `json:"deadlocks,omitempty"`       // transactions that the server has broken off
	Outdated   int     `json:"outdated,omitempty"`        // and those whose view is older than a definition (ER_TABLE_DEF_CHANGED, 1412), which a plain server refuses as well
	Checked    int64   `json:"answers_checked,omitempty"` // how many were compared with what was written
	Wrong      int     `json:"wrong_answers,omitempty"`   // that were something else
	First      string  `json:"first_wrong_answer,omitempty"`

	Errors map[string]int `json:"errors,omitempty"` // that clients were told of, others than those, by number

	Layers *LayerChanges   `json:"layers,omitempty"`
	Files  []FileSearch    `json:"files,omitempty"`  // of the server, while the table was protected
	Report json.RawMessage `json:"report,omitempty"` // of the command that did it

	// Same says that the table was what clients had written, by CHECKSUM TABLE and by SHOW
	// CREATE TABLE, when it was plain again; Checksum is that of it.
	Same     *bool `json:"same_as_written,omitempty"`
	Checksum int64 `json:"checksum,omitempty"`
}

// LayerChanges are the layers that have come, and those that have gone, to their end in the
// time. Only where there are some of both does the run tell what they cost.
type LayerChanges struct {
	Came        int            `json:"came"`
	Went        int            `json:"went"`
	LongestCame float64        `json:"longest_to_come_s"`
	LongestWent float64        `json:"longest_to_go_s"`
	Unfinished  int            `json:"unfinished"`        // under way at the end of the time
	Refused     map[string]int `json:"refused,omitempty"` // that were not done, by number
}

// FileSearch is what all files of a server's data directory were seen to have of the values that
// a table had in the clear.
type FileSearch struct {
	When  string `json:"when"`
	Files int    `json:"files"`
	// Logs are those of them that docs/encrypting.md names, and how often they have a value.
	Logs map[string]int `json:"logs,omitempty"`
	// Other are all others that have one.
	Other map[string]int `json:"other,omitempty"`
}
