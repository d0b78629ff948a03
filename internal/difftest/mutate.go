package difftest

import (
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"tunic/internal/wire"
)

// mutator changes the statements of a script at random: bytes and types of its values, types
// and character sets of its columns, what the session is set to, and how parameters are sent.
type mutator struct{ *rand.Rand }

// mutated is a script with changes that its name and the seed decide, so that a script more in
// the corpus leaves those of the others as they are.
func mutated(script *Script, seed uint64) *Script {
	hash := fnv.New64a()
	hash.Write([]byte(script.Name))
	m := mutator{rand.New(rand.NewPCG(seed, hash.Sum64()))}
	changed := *script
	changed.Steps = nil
	for i := range script.Steps {
		if m.one(8) {
			changed.Steps = append(changed.Steps, m.setting(&script.Steps[i]))
		}
		changed.Steps = append(changed.Steps, m.step(script.Steps[i]))
	}
	return &changed
}

func (m mutator) one(in int) bool { return m.IntN(in) == 0 }

func pick[T any](m mutator, list []T) T { return list[m.IntN(len(list))] }

// setting is a step that changes what the statements behind it mean.
func (m mutator) setting(before *Step) Step {
	text := pick(m, settings)
	text = strings.ReplaceAll(text, "CHARSET", pick(m, charsets))
	text = strings.ReplaceAll(text, "COLLATION", pick(m, collations))
	text = strings.ReplaceAll(text, "MODES", "'"+m.modes()+"'")
	return Step{File: before.File, Line: before.Line, Session: before.Session, SQL: text, Open: true}
}

func (m mutator) modes() string {
	var modes []string
	for range m.IntN(4) {
		modes = append(modes, pick(m, sqlModes))
	}
	return strings.Join(modes, ",")
}

// step changes a step. A definition that tunic refuses when it is changed is done as it was:
// without the table what follows would tell nothing.
func (m mutator) step(step Step) Step {
	original := step
	step.Rules = slices.Concat(step.Rules, []string{"index-use", "origin"})
	step.Open, step.Errors, step.Dies = true, nil, ""
	if step.Kind != StepSQL || m.one(3) {
		return step
	}
	switch {
	case defining.MatchString(step.SQL):
		step.SQL = m.columns(step.SQL)
		original.Rules, original.Open, original.Errors = step.Rules, true, nil
		step.Instead = &original
	case len(step.Executions) > 0:
		step.Executions = slices.Clone(step.Executions)
		for i := range step.Executions {
			step.Executions[i] = m.execution(step.Executions[i].Params)
		}
		if m.one(4) {
			step.LongData = m.longData(len(step.Executions[0].Params))
		}
	default:
		m.statement(&step)
	}
	return step
}

var (
	defining    = regexp.MustCompile(`(?i)^\s*(CREATE|ALTER)\b`)
	writing     = regexp.MustCompile(`(?i)^\s*(SELECT|INSERT|REPLACE|UPDATE|DELETE|WITH)\b`)
	columnTypes = regexp.MustCompile(`\b(VARCHAR\(\d+\)|CHAR\(\d+\)|INT|BIGINT|SMALLINT|TINYINT|TEXT|DOUBLE|FLOAT|DECIMAL\(\d+,\d+\)|DATETIME|DATE|TIME|BLOB|VARBINARY\(\d+\))( |,|\))`)
	// words finds literals, and what must not be taken for some.
	words = regexp.MustCompile("`[^`]*`|\"[^\"]*\"|--[^\n]*|/\\*.*?\\*/|'(?:[^'\\\\]|''|\\\\.)*'|\\b\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?\\b")
)

// columns gives columns other types, as text stands in the corpus: in capitals.
func (m mutator) columns(text string) string {
	return columnTypes.ReplaceAllStringFunc(text, func(found string) string {
		if !m.one(4) {
			return found
		}
		end := found[len(found)-1:]
		if strings.Contains(found, "CHAR(") || strings.HasPrefix(found, "TEXT") {
			if m.one(2) {
				return found[:len(found)-1] + " CHARACTER SET " + pick(m, charsets) + end
			}
			return found[:len(found)-1] + " COLLATE " + pick(m, collations) + end
		}
		return pick(m, someTypes) + end
	})
}

// statement changes literals of a statement, or makes parameters of them.
func (m mutator) statement(step *Step) {
	asParams := writing.MatchString(step.SQL) && !step.Multi && m.one(3)
	var params []Param
	step.SQL = words.ReplaceAllStringFunc(step.SQL, func(literal string) string {
		switch {
		case !strings.HasPrefix(literal, "'") && (literal[0] < '0' || literal[0] > '9'):
			return literal
		case asParams && m.one(2):
			params = append(params, m.param(Param{Type: wire.TypeString, Value: wire.AppendLenencBytes(nil, []byte(strings.Trim(literal, "'")))}))
			return "?"
		case m.one(3):
			return m.literal(literal)
		}
		return literal
	})
	if len(params) == 0 {
		return
	}
	step.Executions = []Execution{{Params: params, Text: showParams(params)}}
	if m.one(3) {
		step.Executions = append(step.Executions, m.execution(params))
	}
	if m.one(4) {
		step.LongData = m.longData(len(params))
	}
}

// literal is another literal in the place of one.
func (m mutator) literal(old string) string {
	text := old
	if text[0] != '\'' || m.one(3) {
		text = pick(m, someLiterals)
	}
	switch m.IntN(8) {
	case 0:
		if text[0] == '\'' {
			return "_" + pick(m, charsets) + text
		}
	case 1:
		return "_" + pick(m, charsets) + " 0x" + pick(m, someHex)
	case 2:
		return "CONVERT(" + text + " USING " + pick(m, charsets) + ")"
	case 3:
		return "CAST(" + text + " AS " + pick(m, castTypes) + ")"
	case 4:
		if text[0] == '\'' {
			at := 1 + m.IntN(len(text)-1)
			return text[:at] + pick(m, someBytes) + text[at:]
		}
	}
	return text
}

// execution sends parameters in another way.
func (m mutator) execution(params []Param) Execution {
	changed := slices.Clone(params)
	for i := range changed {
		if m.one(2) {
			changed[i] = m.param(changed[i])
		}
	}
	return Execution{Params: changed, Text: showParams(changed)}
}

// param is a parameter of another type, with another value, or NULL. Every value is one that its
// type may have: of what does not fit, servers read memory that is not theirs.
func (m mutator) param(old Param) Param {
	switch m.IntN(8) {
	case 0:
		return Param{Type: pick(m, allTypes), Null: true}
	case 1:
		return Param{Type: wire.TypeNull, Null: true}
	case 2:
		if isText(old.Type) {
			old.Type = pick(m, textTypes)
		}
		return old
	case 3:
		return old
	case 4:
		return Param{Type: pick(m, textTypes), Value: wire.AppendLenencBytes(nil, []byte(pick(m, someBytes)))}
	}
	written := pick(m, someParams)
	params, err := parseParams(written)
	if err != nil {
		panic(err) // a mistake in the table
	}
	return params[0]
}

func isText(t wire.Type) bool { return slices.Contains(textTypes, t) }

// longData are parts of parameters, sent ahead.
func (m mutator) longData(params int) (parts []LongData) {
	for range 1 + m.IntN(2) {
		parts = append(parts, LongData{Param: uint16(m.IntN(params)), Bytes: []byte(pick(m, someBytes))})
	}
	return parts
}
