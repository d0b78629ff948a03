package difftest

import "strings"

// Script is one corpus file: steps that run in order on an empty database.
type Script struct {
	Name    string   // the file's name without folder and extension
	Flavor  string   // "mariadb", "mysql", or "" for both
	Configs []string // names of the configurations that run it; none: all
	Rules   []string // hold for every step
	Steps   []Step
}

// StepKind says what a step does.
type StepKind uint8

// Kinds of steps.
const (
	StepSQL     StepKind = iota // run SQL
	StepCommand                 // send a command other than a query
	StepReap                    // wait for the answer to the session's background step
	StepAwait                   // wait until another session's background step runs
	StepHeld                    // execute a statement that an earlier step has prepared
)

// Step is one thing a session does, and what is known of its outcome.
type Step struct {
	Kind    StepKind
	File    string
	Line    int
	Name    string // for pins and messages; unique in the script, or empty
	Flavor  string // "mariadb", "mysql", or "" for both
	Session SessionSpec

	SQL     string   // of StepSQL
	Command []string // of StepCommand: its name and arguments
	Target  string   // of StepAwait the session, of StepHeld the statement

	Executions []Execution // parameter sets of a prepared statement
	LongData   []LongData  // sent before the first execution
	Reset      bool        // reset the statement between long data and execution
	Attributes []Attribute // query attributes, where they are agreed on
	LocalFile  []byte      // content of the file that LOAD DATA LOCAL asks for
	HasLocal   bool        // LocalFile is there, maybe empty

	Multi      bool   // several statements: text protocol only
	TextOnly   string // why a prepared statement would not do; empty: it does
	NoCursor   string // why it must not run with a cursor; empty: it may
	Hold       string // only prepare, and keep the statement under this name
	Background bool   // do not wait for the answer
	Ordered    bool   // the order of rows counts
	Follows    bool   // asks how the step before it went: left out where tunic has refused that
	Rules      []string
	Open       bool // nobody knows how it ends: generated

	Errors map[string]uint16 // expected error by flavor; empty: none
	Dies   string            // the flavor on which the connection ends with this step, or "any"

	Instead *Step // what to do where tunic refuses the step: changed at random

	Skip []int // executions that are left out on this side, because tunic has refused them
}

// SessionSpec names a session and says how it logs in.
type SessionSpec struct {
	Name      string
	User      string
	Password  string
	Database  string
	Collation uint8
	Without   []string // capabilities it leaves out, by their names here
}

// Execution is one set of parameters of a prepared statement.
type Execution struct {
	Params    []Param
	SameTypes bool   // do not send the types again
	Text      string // the parameters as they were written
}

// LongData is a piece of a parameter sent ahead of the execution.
type LongData struct {
	Param uint16
	Bytes []byte
}

// Attribute is a query attribute of type string.
type Attribute struct{ Name, Value string }

// runsOn reports whether the step is meant for the server.
func (s *Step) runsOn(flavor string) bool { return s.Flavor == "" || s.Flavor == flavor }

// distinct are the different statements the scripts have for a server.
func distinct(scripts []*Script, flavor string) map[string]bool {
	texts := map[string]bool{}
	for _, script := range scripts {
		for i := range script.Steps {
			s := &script.Steps[i]
			if s.Kind == StepSQL && s.runsOn(flavor) && (script.Flavor == "" || script.Flavor == flavor) {
				texts[s.SQL] = true
			}
		}
	}
	return texts
}

// expectedError is the error number the corpus promises, 0 for none.
func (s *Step) expectedError(flavor string) uint16 { return s.Errors[flavor] }

// mayDie reports whether the connection is to end with the step.
func (s *Step) mayDie(flavor string) bool { return s.Dies == "any" || s.Dies == flavor }

// Where is the step's place in the corpus, with its name if it has one.
func (s *Step) Where() string {
	var b strings.Builder
	b.WriteString(s.File)
	b.WriteString(":")
	b.WriteString(itoa(s.Line))
	if s.Name != "" {
		b.WriteString(" (" + s.Name + ")")
	}
	return b.String()
}

// Text is the step as a reader of a report wants to see it.
func (s *Step) Text() string {
	switch s.Kind {
	case StepCommand:
		return "command " + strings.Join(s.Command, " ")
	case StepReap:
		return "reap the background statement of session " + s.Session.Name
	case StepAwait:
		return "await the background statement of session " + s.Target
	case StepHeld:
		return "execute held statement " + s.Target
	case StepSQL:
		return shorten(s.SQL)
	}
	return ""
}
