package session

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"tunic/internal/metrics"
	"tunic/internal/wire"
)

// TestEachCommand: each command that servers get has a case in Session.command, which says what may be in
// it, and nothing else has; and each command with a name is counted by itself.
func TestEachCommand(t *testing.T) {
	cases, m := casesOfCommand(t), metrics.New(metrics.Options{})
	for b := range 256 {
		command := wire.Command(b)
		name := strings.ReplaceAll(strings.TrimPrefix(command.String(), "COM_"), "_", "")
		if command.Known() != (cases[name] > 0) || cases[name] > 1 {
			t.Errorf("%s (%#x): known to package wire: %t, cases of Session.command: %d", command, b, command.Known(), cases[name])
		}
		delete(cases, name)
		if own := m.Command(byte(b)) != m.Command(0xff); own != (command.String() != "unknown") {
			t.Errorf("%s (%#x): counted by itself: %t (commandNames of package metrics)", command, b, own)
		}
	}
	for name := range cases {
		t.Errorf("a case of Session.command is of %s, which is no command's name", name)
	}
}

// casesOfCommand are the commands of the cases of Session.command, as wire.Command's String has them without
// COM_ and underscores, and how many cases each has.
func casesOfCommand(t *testing.T) map[string]int {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "command.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]int{}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); !ok || fn.Name.Name != "command" {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			clause, ok := n.(*ast.CaseClause)
			if !ok {
				return true
			}
			for _, e := range clause.List {
				if of, ok := e.(*ast.SelectorExpr); ok {
					cases[protocolName(of.Sel.Name)]++
				}
			}
			return true
		})
	}
	return cases
}

// protocolName is the name of a constant of package wire as the protocol has it, without COM_ and underscores.
func protocolName(constant string) string {
	name := strings.ToUpper(strings.TrimPrefix(constant, "Com"))
	if name == "STMTLONGDATA" {
		return "STMTSENDLONGDATA"
	}
	return name
}
