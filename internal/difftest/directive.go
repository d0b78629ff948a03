package difftest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// directives is the vocabulary of the corpus. Those above the line describe the
// step that follows; those below are a step of their own, or hold from there on.
var directives = map[string]func(p *parser, args string) error{
	"name":       describe(func(s *Step, args string) { s.Name = args }),
	"ordered":    describe(func(s *Step, _ string) { s.Ordered = true }),
	"follows":    describe(func(s *Step, _ string) { s.Follows = true }),
	"text-only":  describe(func(s *Step, args string) { s.TextOnly = args }),
	"no-cursor":  describe(func(s *Step, args string) { s.NoCursor = args }),
	"background": describe(func(s *Step, _ string) { s.Background = true }),
	"reset":      describe(func(s *Step, _ string) { s.Reset = true }),
	"hold":       describe(func(s *Step, args string) { s.Hold = args }),
	"flavor":     (*parser).flavor,
	"error":      (*parser).expectError,
	"dies":       (*parser).dies,
	"multi":      (*parser).multi,
	"normalise":  (*parser).normalise,
	"params":     func(p *parser, args string) error { return p.execution(args, false) },
	"again":      func(p *parser, args string) error { return p.execution(args, true) },
	"long-data":  (*parser).longData,
	"attribute":  (*parser).attribute,
	"local":      (*parser).local,
	// ---
	"file":      (*parser).fileOption,
	"delimiter": (*parser).setDelimiter,
	"session":   (*parser).switchSession,
	"send":      (*parser).send,
	"command":   (*parser).command,
	"reap":      func(p *parser, _ string) error { return p.finish(StepReap) },
	"await":     func(p *parser, args string) error { p.step.Target = args; return p.finish(StepAwait) },
	"held":      func(p *parser, args string) error { p.step.Target = args; return p.finish(StepHeld) },
}

// describe makes a directive that sets one thing of the step to come.
func describe(set func(s *Step, args string)) func(*parser, string) error {
	return func(p *parser, args string) error {
		set(&p.step, args)
		p.dirty = true
		return nil
	}
}

func (p *parser) directive(line string) error {
	word, args, _ := strings.Cut(strings.TrimRight(line, " "), " ")
	run, ok := directives[word]
	if !ok {
		return fmt.Errorf("unknown directive %q", word)
	}
	return run(p, strings.TrimSpace(args))
}

// flavors are the words for the two families of servers.
var flavors = []string{"mariadb", "mysql"}

func (p *parser) flavor(args string) error {
	if !slices.Contains(flavors, args) {
		return fmt.Errorf("flavor %q is none of %v", args, flavors)
	}
	p.step.Flavor, p.dirty = args, true
	return nil
}

// expectError reads "1064", or "mariadb 1064 mysql 3819".
func (p *parser) expectError(args string) error {
	words := strings.Fields(args)
	if len(words) == 1 {
		words = []string{"mariadb", words[0], "mysql", words[0]}
	}
	p.dirty, p.step.Errors = true, map[string]uint16{}
	for pair := range slices.Chunk(words, 2) {
		if len(pair) != 2 || !slices.Contains(flavors, pair[0]) {
			return fmt.Errorf("want an error number, or flavors with one each")
		}
		n, err := strconv.ParseUint(pair[1], 10, 16)
		if err != nil {
			return err
		}
		p.step.Errors[pair[0]] = uint16(n)
	}
	return nil
}

// dies reads a flavor, or nothing for all of them.
func (p *parser) dies(args string) error {
	if args == "" {
		args = "any"
	} else if !slices.Contains(flavors, args) {
		return fmt.Errorf("flavor %q is none of %v", args, flavors)
	}
	p.step.Dies, p.dirty = args, true
	return nil
}

// multi marks several statements in one command; an error number may follow.
func (p *parser) multi(args string) error {
	p.step.Multi, p.dirty = true, true
	if args == "" {
		return nil
	}
	return p.expectError(args)
}

// normalise reads the names of rules.
func (p *parser) normalise(args string) error {
	for _, name := range strings.Fields(args) {
		if findRule(name) == nil {
			return fmt.Errorf("no rule is named %q", name)
		}
		p.step.Rules, p.dirty = append(p.step.Rules, name), true
	}
	return nil
}

func (p *parser) execution(args string, sameTypes bool) error {
	params, err := parseParams(args)
	if err != nil {
		return err
	}
	p.step.Executions = append(p.step.Executions, Execution{Params: params, SameTypes: sameTypes, Text: args})
	p.dirty = true
	return nil
}

// longData reads `INDEX "piece"`.
func (p *parser) longData(args string) error {
	index, rest, _ := strings.Cut(args, " ")
	n, err := strconv.ParseUint(index, 10, 16)
	if err != nil {
		return err
	}
	piece, err := parseBytes(rest)
	if err != nil {
		return err
	}
	p.step.LongData = append(p.step.LongData, LongData{Param: uint16(n), Bytes: piece})
	p.dirty = true
	return nil
}

// attribute reads `"name" "value"`.
func (p *parser) attribute(args string) error {
	name, rest, err := cutQuoted(args)
	if err != nil {
		return err
	}
	value, err := parseBytes(rest)
	if err != nil {
		return err
	}
	p.step.Attributes = append(p.step.Attributes, Attribute{Name: name, Value: string(value)})
	p.dirty = true
	return nil
}

func (p *parser) local(args string) error {
	content, err := parseBytes(args)
	p.step.LocalFile, p.step.HasLocal, p.dirty = content, true, true
	return err
}

// fileOption reads what holds for the whole file: "flavor F", "configs A B" or
// "normalise R".
func (p *parser) fileOption(args string) error {
	if len(p.script.Steps) > 0 {
		return fmt.Errorf("file options stand before the first step")
	}
	words := strings.Fields(args)
	switch {
	case len(words) == 2 && words[0] == "flavor" && slices.Contains(flavors, words[1]):
		p.script.Flavor = words[1]
	case len(words) > 1 && words[0] == "configs":
		for _, name := range words[1:] {
			if findConfig(name) == nil {
				return fmt.Errorf("no configuration is named %q", name)
			}
		}
		p.script.Configs = words[1:]
	case len(words) == 2 && words[0] == "normalise" && findRule(words[1]) != nil:
		p.script.Rules = append(p.script.Rules, words[1])
	default:
		return fmt.Errorf("want `flavor F`, `configs NAME …` or `normalise RULE`")
	}
	return nil
}

func (p *parser) setDelimiter(args string) error {
	if args == "" {
		return fmt.Errorf("want a delimiter")
	}
	p.delimiter = args
	return nil
}

// switchSession reads "NAME user=… password=… database=… collation=N without=…".
func (p *parser) switchSession(args string) error {
	words := strings.Fields(args)
	if len(words) == 0 {
		return fmt.Errorf("want a session's name")
	}
	spec := SessionSpec{Name: words[0]}
	for _, word := range words[1:] {
		if err := spec.set(word); err != nil {
			return err
		}
	}
	return p.useSession(spec)
}

func (s *SessionSpec) set(word string) error {
	key, value, _ := strings.Cut(word, "=")
	switch key {
	case "user":
		s.User = value
	case "password":
		s.Password = value
	case "database":
		s.Database = value
	case "collation":
		n, err := strconv.ParseUint(value, 10, 8)
		if err != nil {
			return err
		}
		s.Collation = uint8(n)
	case "without":
		if _, ok := optionalCapabilities[value]; !ok {
			return fmt.Errorf("capability %q is not one to leave out", value)
		}
		s.Without = append(s.Without, value)
	default:
		return fmt.Errorf("unknown option %q", key)
	}
	return nil
}

// send takes a statement as Go strings, for bytes a text file cannot hold.
func (p *parser) send(args string) error {
	text, err := parseBytes(args)
	if err != nil {
		return err
	}
	p.step.SQL = string(text)
	return p.finish(StepSQL)
}

func (p *parser) command(args string) error {
	name, rest, _ := strings.Cut(args, " ")
	info, ok := commandKinds[name]
	if !ok {
		return fmt.Errorf("unknown command %q", name)
	}
	p.step.Command = []string{name}
	if info.quoted {
		text, err := parseBytes(rest)
		if err != nil {
			return err
		}
		p.step.Command = append(p.step.Command, string(text))
	} else {
		p.step.Command = append(p.step.Command, strings.Fields(rest)...)
	}
	return p.finish(StepCommand)
}
