package sqlerr

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// clientErrors is one error of every constructor, with arguments as long as
// they get. TestEveryConstructor fails when one is missing.
var clientErrors = map[string]*Error{
	"StatementRefused":      StatementRefused("HANDLER"),
	"StatementUnkeyed":      StatementUnkeyed("HANDLER"),
	"StatementUnread":       StatementUnread(),
	"StatementUnreadFrom":   StatementUnreadFrom(1 << 20),
	"OutcomeUnknown":        OutcomeUnknown(),
	"FlowRefused":           FlowRefused(strings.Repeat("c", 64)),
	"ExpressionRefused":     ExpressionRefused("SOUNDEX", "text"),
	"ValueRefused":          ValueRefused("LIKE"),
	"ZoneUnknown":           ZoneUnknown(strings.Repeat("z", 300)),
	"LocalRows":             LocalRows(1<<62, strings.Repeat("z", 300)),
	"LocalBytes":            LocalBytes(1<<62, strings.Repeat("z", 300)),
	"LocalTotal":            LocalTotal(1<<62, strings.Repeat("z", 300)),
	"LocalCombinations":     LocalCombinations(1<<62, strings.Repeat("z", 300)),
	"LayerValues":           LayerValues(strings.Repeat("c", 300), strings.Repeat("l", 300), ValuesDense),
	"CheckOff":              CheckOff(strings.Repeat("c", 64)),
	"LayerAdvised":          LayerAdvised(strings.Repeat("c", 300), strings.Repeat("l", 300)),
	"AnnotationLost":        AnnotationLost(strings.Repeat("c", 300), "equality, order/prefix 16"),
	"LayerBrought":          LayerBrought(strings.Repeat("c", 300), "order/prefix 16", TellsOrder, VerdictTypeDense),
	"KeyLayer":              KeyLayer(strings.Repeat("k", 64), strings.Repeat("c", 64), "equality"),
	"AnnotationAccount":     AnnotationAccount(strings.Repeat("c", 64)),
	"RowSize":               RowSize(),
	"NotAuthentic":          NotAuthentic(strings.Repeat("z", 300)),
	"TokenMoved":            TokenMoved(strings.Repeat("z", 300)),
	"NotDescribed":          NotDescribed(),
	"NoKey":                 NoKey(),
	"OrdersOtherwise":       OrdersOtherwise(),
	"ReservedColumn":        ReservedColumn(strings.Repeat("c", 64)),
	"Annotation":            Annotation(strings.Repeat("c", 64), "the server makes the values of an AUTO_INCREMENT column, so it stays plain"),
	"FamilyColumn":          FamilyColumn(strings.Repeat("c", 64), "a foreign key changes it, by ON DELETE SET NULL, ON UPDATE CASCADE or ON UPDATE SET NULL"),
	"GeneratedColumn":       GeneratedColumn(strings.Repeat("c", 64), "it is computed from plain columns alone, so the server knows it"),
	"CheckOver":             CheckOver(strings.Repeat("c", 64), "tunic does not compute its expression as the server does"),
	"CheckRows":             CheckRows(strings.Repeat("t", 64)),
	"DefaultExpression":     DefaultExpression(strings.Repeat("c", 64), "tunic does not compute its expression as the server does"),
	"KeyKind":               KeyKind(strings.Repeat("c", 64)),
	"KeyExpression":         KeyExpression(strings.Repeat("t", 64)),
	"UniquePrefix":          UniquePrefix(strings.Repeat("c", 64)),
	"PartitionedBy":         PartitionedBy(strings.Repeat("c", 64)),
	"OrderGrain":            OrderGrain(strings.Repeat("c", 64)),
	"NoLayer":               NoLayer(strings.Repeat("c", 64), "equality", "its collation is not known exactly"),
	"KeyCeiling":            KeyCeiling(strings.Repeat("k", 64), strings.Repeat("c", 64)),
	"ForeignKeyPlain":       ForeignKeyPlain(strings.Repeat("c", 64)),
	"ForeignKeyProtected":   ForeignKeyProtected(strings.Repeat("c", 64)),
	"ForeignKeyAction":      ForeignKeyAction(strings.Repeat("c", 64), "why"),
	"CreateSelect":          CreateSelect(strings.Repeat("t", 64), "why"),
	"ColumnType":            ColumnType(strings.Repeat("c", 64), "its type or collation is not known to this version"),
	"NeedsRewrite":          NeedsRewrite(strings.Repeat("t", 64), strings.Repeat("c", 64)),
	"AccountBlind":          AccountBlind(strings.Repeat("s", 64)),
	"AccountTableBlind":     AccountTableBlind(strings.Repeat("s", 64)),
	"AccountViewBlind":      AccountViewBlind(strings.Repeat("s", 64)),
	"Departed":              Departed(),
	"ProgramShows":          ProgramShows(),
	"AccountRefused":        AccountRefused(),
	"AccountPlain":          AccountPlain(),
	"AccountChanged":        AccountChanged(),
	"NoProxyHeader":         NoProxyHeader(),
	"StatementPlain":        StatementPlain("patient"),
	"ColumnPlain":           ColumnPlain("patient", "age"),
	"ColumnUnnamed":         ColumnUnnamed(),
	"ViewColumn":            ViewColumn("c", "it has a type or collation that tunic does not know"),
	"ViewWritten":           ViewWritten(),
	"ViewUnderneath":        ViewUnderneath("t", "v"),
	"ProgramUnderneath":     ProgramUnderneath("t", "procedure", "p"),
	"NoProcedure":           NoProcedure(strings.Repeat("p", 64)),
	"ProcedureArguments":    ProcedureArguments("add_layer"),
	"OwnTable":              OwnTable("layers"),
	"NoJob":                 NoJob(1 << 60),
	"JobEnded":              JobEnded(1 << 60),
	"JobFinal":              JobFinal(1 << 60),
	"JobBusy":               JobBusy(1<<60, strings.Repeat("c", 64), "equality"),
	"JobUnknown":            JobUnknown(1 << 60),
	"LayerThere":            LayerThere(strings.Repeat("c", 64), "equality"),
	"LayerAbsent":           LayerAbsent(strings.Repeat("c", 64), "equality"),
	"LayerKey":              LayerKey(strings.Repeat("t", 64)),
	"LayerStands":           LayerStands(strings.Repeat("c", 64), "equality"),
	"LayerCeiling":          LayerCeiling(strings.Repeat("c", 64), "equality"),
	"LayerPlain":            LayerPlain(strings.Repeat("c", 64)),
	"ChangedAround":         ChangedAround(strings.Repeat("t", 64), "it has a column that tunic has not made"),
	"CannotBackfill":        CannotBackfill(strings.Repeat("t", 64), "it has rows that tunic has not written"),
	"ProtectionChanges":     ProtectionChanges(strings.Repeat("c", 64)),
	"DefinitionForm":        DefinitionForm(strings.Repeat("t", 64), "a part of this definition"),
	"RenameReferenced":      RenameReferenced(strings.Repeat("t", 64)),
	"OwnSchema":             OwnSchema(),
	"DefinitionCharset":     DefinitionCharset(strings.Repeat("t", 64)),
	"NoLedger":              NoLedger(),
	"UnknownCommand":        UnknownCommand(0xff),
	"PacketTooLarge":        PacketTooLarge(1 << 30),
	"Malformed":             Malformed("COM_STMT_EXECUTE"),
	"OutOfOrder":            OutOfOrder(),
	"NoStatement":           NoStatement(1<<32-1, "COM_STMT_SEND_LONG_DATA"),
	"CommandRefused":        CommandRefused("COM_BINLOG_DUMP"),
	"BadHandshake":          BadHandshake("login packet"),
	"TooManyConnections":    TooManyConnections(1_000_000),
	"MemoryTaken":           MemoryTaken(1 << 40),
	"TooManyLogins":         TooManyLogins(),
	"HandshakeTimeout":      HandshakeTimeout(10 * time.Second),
	"IdleTimeout":           IdleTimeout(8 * time.Hour),
	"TooManyPrepared":       TooManyPrepared(16382),
	"ShuttingDown":          ShuttingDown(),
	"ServerLost":            ServerLost(),
	"ServerUnreachable":     ServerUnreachable("tcp"),
	"ServerUnreachable/tcp": ServerUnreachable("unix"),
	"ServerMalformed":       ServerMalformed("result set header"),
	"ServerTLS":             ServerTLS(),
	"BesideNotReadable":     BesideNotReadable(),
	"VariableSecret":        VariableSecret(),
	"KeySent":               KeySent(),
	"VariablesTooLarge":     VariablesTooLarge(1 << 24),
	"LedgerLost":            LedgerLost(),
	"TableUnlisted":         TableUnlisted("patient"),
	"PluginNotRelayed":      PluginNotRelayed(strings.Repeat("é", 300)),
	"PluginNeedsTLS":        PluginNeedsTLS(strings.Repeat("p", 64)),
	"SocketAccount":         SocketAccount(),
	"TLSRequired":           TLSRequired(),
}

// TestClientErrors checks that each says code, fact, fix and the command that explains it, within what
// a client keeps, and that nothing is left unfilled.
func TestClientErrors(t *testing.T) {
	codes := map[Code]bool{}
	for name, e := range clientErrors {
		codes[e.Code] = true
		entry, ok := Lookup(e.Code)
		if !ok || e.Number != entry.Number || e.State != entry.State {
			t.Errorf("%s: %d (%s) is not what the table says", name, e.Number, e.State)
		}
		if !strings.HasPrefix(e.Message, e.Code.String()+": ") || !strings.HasSuffix(e.Message, "; see "+e.Code.Help()) {
			t.Errorf("%s: no code or link: %s", name, e.Message)
		}
		if placeholderPattern.MatchString(e.Message) {
			t.Errorf("%s: a placeholder is left: %s", name, e.Message)
		}
		if len(e.Message) > messageBytesMax || !utf8.ValidString(e.Message) {
			t.Errorf("%s: %d bytes, or not UTF-8: %s", name, len(e.Message), e.Message)
		}
		if !strings.Contains(e.Message, entry.Fix) && len(e.Message) < messageBytesMax-8 {
			t.Errorf("%s: no fix: %s", name, e.Message)
		}
	}
	for _, e := range Entries() {
		if e.Code.Class() != Startup && !codes[e.Code] {
			t.Errorf("no constructor makes %s", e.Code)
		}
	}
}

// TestEveryConstructor reads the package for functions that make an error for clients, and which
// the tests above do not know.
func TestEveryConstructor(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || name == "server.go" { // which has what servers say
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !fn.Name.IsExported() || !makesError(fn) {
				continue
			}
			if found++; clientErrors[fn.Name.Name] == nil {
				t.Errorf("%s: %s is not in clientErrors", name, fn.Name.Name)
			}
		}
	}
	if found == 0 {
		t.Error("no function is found that makes an error")
	}
}

// makesError reports whether a function returns an *Error and nothing else.
func makesError(fn *ast.FuncDecl) bool {
	if fn.Type.Results == nil || len(fn.Type.Results.List) != 1 {
		return false
	}
	star, ok := fn.Type.Results.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	name, ok := star.X.(*ast.Ident)
	return ok && name.Name == "Error"
}

func TestErrorText(t *testing.T) {
	const want = "ERROR 1047 (08S01): TUNIC-3001: command byte 0x2a is unknown; " +
		"use a client of the MySQL protocol 4.1 or later; see tunic help TUNIC-3001"
	if got := UnknownCommand(0x2a).Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestIdentifiers: an identifier cannot forge a line, flood a log or break the
// encoding.
func TestIdentifiers(t *testing.T) {
	for id, want := range map[string]string{
		"caching_sha2_password":  "caching_sha2_password",
		"a\nb\tc\x00d\x1b[31m":   "a?b?c?d?[31m",
		"\xff\xfe":               "??",
		"\u202eevil":             "?evil",
		strings.Repeat("x", 500): strings.Repeat("x", identRunesMax) + "…",
	} {
		if got := ident("", id).text; got != want {
			t.Errorf("ident(%q) = %q, want %q", id, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                             "0s",
		250 * time.Millisecond:        "250ms",
		10 * time.Second:              "10s",
		time.Minute:                   "1m",
		90 * time.Second:              "1m30s",
		8 * time.Hour:                 "8h",
		8*time.Hour + time.Minute:     "8h1m",
		8*time.Hour + 10*time.Second:  "8h0m10s",
		10*time.Hour + 10*time.Minute: "10h10m",
	} {
		if got := span("", d).text; got != want {
			t.Errorf("span(%d) = %s, want %s", d, got, want)
		}
	}
}

func TestIs(t *testing.T) {
	wrapped := fmt.Errorf("session: %w", NoStatement(7, "COM_STMT_RESET"))
	if !errors.Is(wrapped, NoStatement(8, "COM_STMT_EXECUTE")) {
		t.Error("errors of one code are not the same")
	}
	if errors.Is(wrapped, UnknownCommand(7)) {
		t.Error("errors of two codes are the same")
	}
	relayed := &Error{Number: 1146, State: "42S02", Message: "Table 'a.b' doesn't exist"}
	if errors.Is(relayed, &Error{Number: 1064}) {
		t.Error("relayed errors, which have no code, are the same")
	}
}

func TestCode(t *testing.T) {
	for code, want := range map[Code][3]string{
		1001: {"TUNIC-1001", "startup", "tunic help TUNIC-1001"},
		2001: {"TUNIC-2001", "statement", "tunic help TUNIC-2001"},
		3001: {"TUNIC-3001", "protocol", "tunic help TUNIC-3001"},
		4001: {"TUNIC-4001", "limit", "tunic help TUNIC-4001"},
		5001: {"TUNIC-5001", "backend", "tunic help TUNIC-5001"},
		6001: {"TUNIC-6001", "login", "tunic help TUNIC-6001"},
		7:    {"TUNIC-0007", "unknown", "tunic help TUNIC-0007"},
	} {
		if got := [3]string{code.String(), code.Class().String(), code.Help()}; got != want {
			t.Errorf("%d: got %v, want %v", code, got, want)
		}
	}
}
