package difftest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// parser reads a corpus file.
//
// Between statements a line that starts with "# " is a comment and one that
// starts with "-- " a directive (directive.go). Anything else starts a statement,
// which ends with the delimiter at the end of a line, at first ";".
type parser struct {
	script    *Script
	file      string
	lines     []string
	next      int // index of the next line
	delimiter string
	session   SessionSpec
	sessions  map[string]SessionSpec
	step      Step // directives of the step to come
	dirty     bool // a directive is waiting for its step
	pending   map[waiting]int
}

// waiting is a session on one flavor of server whose background step nobody has
// reaped; its value in the parser is the step's line.
type waiting struct{ session, flavor string }

// LoadCorpus reads every *.test file of a folder, in the order of their names.
func LoadCorpus(dir string) ([]*Script, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.test"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no corpus in %s", dir)
	}
	var scripts []*Script
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		script, err := ParseScript(path, string(text))
		if err != nil {
			return nil, err
		}
		scripts = append(scripts, script)
	}
	return scripts, nil
}

// ParseScript reads one corpus file. An error names its line.
func ParseScript(path, text string) (*Script, error) {
	base := filepath.Base(path)
	p := &parser{
		script:    &Script{Name: strings.TrimSuffix(base, filepath.Ext(base))},
		file:      path,
		lines:     strings.Split(text, "\n"),
		delimiter: ";",
		session:   SessionSpec{Name: "main"},
		sessions:  map[string]SessionSpec{},
		pending:   map[waiting]int{},
	}
	for p.next < len(p.lines) {
		line := p.next + 1
		if err := p.line(); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
	}
	if p.dirty {
		return nil, fmt.Errorf("%s: directives after the last step", path)
	}
	if len(p.pending) > 0 {
		first := slices.Min(slices.Collect(maps.Values(p.pending)))
		return nil, fmt.Errorf("%s:%d: nobody reaps this background step", path, first)
	}
	return p.script, p.checkNames()
}

func (p *parser) line() error {
	line := p.lines[p.next]
	switch {
	case strings.TrimSpace(line) == "", strings.HasPrefix(line, "# "):
		p.next++
		return nil
	case strings.HasPrefix(line, "-- "):
		p.next++
		return p.directive(strings.TrimPrefix(line, "-- "))
	default:
		return p.statement()
	}
}

// statement takes lines up to one that ends with the delimiter.
func (p *parser) statement() error {
	first := p.next
	for ; p.next < len(p.lines); p.next++ {
		line := strings.TrimRight(p.lines[p.next], " ")
		if !strings.HasSuffix(line, p.delimiter) {
			continue
		}
		text := append(slices.Clone(p.lines[first:p.next]), strings.TrimSuffix(line, p.delimiter))
		p.next++
		p.step.SQL = strings.Join(text, "\n")
		return p.finishAt(StepSQL, first+1)
	}
	return fmt.Errorf("statement without %q at its end", p.delimiter)
}

func (p *parser) finish(kind StepKind) error { return p.finishAt(kind, p.next) }

// finishAt completes the step that the directives since the last one describe.
func (p *parser) finishAt(kind StepKind, line int) error {
	step := p.step
	step.Kind, step.File, step.Line, step.Session = kind, p.file, line, p.session
	step.Rules = append(slices.Clone(p.script.Rules), step.Rules...)
	if step.Executions != nil && step.Executions[0].SameTypes {
		return fmt.Errorf("the first parameters must come with their types (params)")
	}
	if err := p.checkPending(&step); err != nil {
		return err
	}
	p.script.Steps = append(p.script.Steps, step)
	p.step, p.dirty = Step{}, false
	return nil
}

// checkPending refuses a step that would write to a connection whose answer is
// still to be read, and a reap where there is none.
func (p *parser) checkPending(step *Step) error {
	for _, flavor := range flavors {
		if !step.runsOn(flavor) || p.script.Flavor != "" && p.script.Flavor != flavor {
			continue
		}
		at := waiting{step.Session.Name, flavor}
		line, waits := p.pending[at]
		switch {
		case step.Kind == StepReap && !waits:
			return fmt.Errorf("session %s has no background step to reap on %s", at.session, flavor)
		case step.Kind == StepReap:
			delete(p.pending, at)
		case waits:
			return fmt.Errorf("session %s has a background step on %s that nobody has reaped, of line %d", at.session, flavor, line)
		case step.Background:
			p.pending[at] = step.Line
		}
	}
	return nil
}

// useSession switches to a session. Its options are given where it first
// appears.
func (p *parser) useSession(spec SessionSpec) error {
	known, ok := p.sessions[spec.Name]
	if !ok {
		p.sessions[spec.Name] = spec
		p.session = spec
		return nil
	}
	if !spec.plain() {
		return fmt.Errorf("session %s has its options already", spec.Name)
	}
	p.session = known
	return nil
}

// plain reports whether only the name is set.
func (s SessionSpec) plain() bool {
	return s.User == "" && s.Password == "" && s.Database == "" && s.Collation == 0 && s.Without == nil
}

// checkNames reports a name that two steps of the script share.
func (p *parser) checkNames() error {
	lines := map[string][]int{}
	for _, s := range p.script.Steps {
		if s.Name != "" {
			lines[s.Name] = append(lines[s.Name], s.Line)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		if len(lines[name]) > 1 {
			return fmt.Errorf("%s: name %s stands at lines %v", p.file, name, lines[name])
		}
	}
	return nil
}
