package difftest

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tunic/internal/sandbox"
	"tunic/internal/wire"
)

// Rule masks what legitimately differs between two equal servers. A step names
// the rules it needs; only those with Always hold for every step.
type Rule struct {
	Name    string
	Reason  string
	Columns []string                 // result columns whose values are masked
	Text    func(text string) string // masks in messages, texts and values; nil: nothing
	Row     func([]wire.Cell) bool   // the rows that count; nil: all
	Always  string                   // the flavor on which the rule holds for every step
	Stored  bool                     // holds for every step where tables are protected
	Of      func(*Step) bool         // of a rule with Stored: the steps it holds for; nil: all
	Reply   func(*Reply)             // masks what the fields above cannot say
	Replies func([]Reply) []Reply    // masks what is said in more than one reply
}

// Rules are all rules there are.
var Rules = []*Rule{
	{
		Name:    "statistics",
		Reason:  "InnoDB samples pages at random times, and counters count what the harness does, too",
		Columns: []string{"cardinality", "rows", "filtered", "avg_row_length", "data_length", "index_length", "data_free"},
		Text:    maskDigits,
	},
	{
		Name:   "created-time",
		Reason: "the server notes when an object was created; the two sides are some milliseconds apart",
		Columns: []string{
			"created", "modified", "create_time", "update_time", "check_time", "last_altered",
		},
	},
	{
		Name:    "process-list",
		Reason:  "each side has connections of its own, with numbers and ports of their own, and tunic one of its service account",
		Columns: []string{"id", "host", "time", "progress", "state", "info", "command", "user", "db"},
		Row:     func(cells []wire.Cell) bool { return string(cells[userColumn].Bytes) != sandbox.ServiceUser },
	},
	{
		Name:   "index-use",
		Reason: "plans depend on what ages by itself: statistics of MySQL's dictionary tables, and indexes that are being purged; and so does the time they take",
		Stored: true,
		Reply:  maskIndexUse,
	},
	{
		Name:   "grouped-flags",
		Reason: "whether a column came out of a temporary table shows in its flags, and depends on the rows the server has",
		Stored: true,
		Of:     func(s *Step) bool { return grouping.MatchString(s.SQL) },
		Reply:  maskGroupedFlags,
	},
	{
		Name:   "origin",
		Reason: "a server that sorts or joins puts rows into a table of its own if it likes: columns then have no keys, lose their origin or have one, may be NULL, and have other lengths",
		Reply:  maskOrigin,
	},
	{
		Name:   "no-row-matched",
		Reason: "MariaDB is silent after an UPDATE of which it knows beforehand that no row matches, which keys and statistics tell",
		Stored: true,
		Reply:  maskNoRowMatched,
	},
	{
		Name:   "replaced-same",
		Reason: "REPLACE counts a row that is there with the same values as replaced where it is protected (docs/writing.md), and not on a plain server",
		Stored: true,
		Of:     func(s *Step) bool { return replacing.MatchString(s.SQL) && (s.Open || selecting.MatchString(s.SQL)) },
		Reply:  maskReplaced,
	},
	{
		Name:   "unknown-error",
		Reason: "MariaDB sometimes adds a condition without a meaning of its own (1105 Unknown error) to an error",
		Stored: true,
		Reply:  maskUnknownError,
	},
	{
		Name:   "rows-before-error",
		Reason: "how many rows come before one that fails depends on the order in which a server reads them",
		Stored: true,
		Of:     func(s *Step) bool { return !s.Ordered },
		Reply:  dropRowsBeforeError,
	},
	{
		Name:    "plan-warnings",
		Reason:  "some warnings hang on the plan a server makes: docs/local.md, Warnings of a server's plan",
		Replies: dropPlanWarnings,
	},
	{
		Name:   "decoy",
		Reason: "MySQL hides that an account does not exist behind a plugin drawn by each server",
		Reply:  maskAuthentication,
	},
	{
		Name:   "remembered-login",
		Reason: "which logins MySQL remembers, and so how many packets one takes, hangs on what accounts were changed since",
		Stored: true,
		Reply:  maskAuthentication,
	},
	{
		Name:   "statement-count",
		Reason: "MySQL numbers statements over all connections, and tracks the number as the variable statement_id",
		Always: "mysql",
		Reply:  maskStatementCount,
	},
	{
		Name:   "numbers",
		Reason: "the message tells a connection number or a size that is each server's own",
		Text:   maskDigits,
	},
	{
		Name:   "statement-number",
		Reason: "MariaDB numbers prepared statements over all connections; clients only hand the number back",
		Always: "mariadb",
		Stored: true, // MySQL numbers over a connection, of which the two sides see different statements
		Reply:  maskStatementNumber,
	},
	{
		Name:   "tracked-order",
		Reason: "MariaDB reports changed variables in the order of a hash of addresses, new in every process",
		Always: "mariadb",
		Reply:  sortTracked,
	},
}

func findRule(name string) *Rule {
	for _, r := range Rules {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// holds reports whether the rule holds for a step on a server.
func (r *Rule) holds(step *Step, flavor string, protected bool) bool {
	if r.Always == flavor || slices.Contains(step.Rules, r.Name) {
		return true
	}
	return r.Stored && protected && (r.Of == nil || r.Of(step))
}

var digits = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

func maskDigits(text string) string { return digits.ReplaceAllString(text, "#") }

// apply masks replies, in place where it can. What is masked is not compared as raw
// bytes either.
func (r *Rule) apply(replies []Reply) []Reply {
	if r.Replies != nil {
		return r.Replies(replies)
	}
	for i := range replies {
		if r.Reply != nil {
			r.Reply(&replies[i])
			continue
		}
		for j := range replies[i].Results {
			r.mask(&replies[i].Results[j])
		}
	}
	return replies
}

// userColumn is where a process list has the account.
const userColumn = 1

func (r *Rule) mask(result *Result) {
	result.Raw = nil
	if r.Row != nil {
		r.dropRows(result)
	}
	if r.Text != nil {
		for i, f := range result.Fields {
			if f.Name == "text" || f.Name == "error.message" {
				result.Fields[i].Value = r.Text(f.Value)
			}
		}
	}
	for i := range result.Rows {
		row := &result.Rows[i]
		row.Masked = true
		for j := range row.Cells {
			r.maskCell(&row.Cells[j], result.Columns, j)
		}
	}
}

// dropRows drops the rows that do not count, and counts the rest anew.
func (r *Rule) dropRows(result *Result) {
	result.Rows = slices.DeleteFunc(result.Rows, func(row Row) bool { return !r.Row(row.Cells) })
	for i, f := range result.Fields {
		if f.Name == "rows" {
			result.Fields[i].Value = itoa(len(result.Rows))
		}
	}
}

func (r *Rule) maskCell(cell *wire.Cell, columns []wire.ColumnDefinition, i int) {
	if cell.Null || i >= len(columns) {
		return
	}
	name := strings.ToLower(string(columns[i].Name))
	for _, masked := range r.Columns {
		if name == masked {
			cell.Bytes = []byte("masked")
			return
		}
	}
	if r.Text != nil && (name == "explain" || name == "message") {
		cell.Bytes = []byte(r.Text(string(cell.Bytes)))
	}
}

// maskStatementNumber masks the number in the answer to COM_STMT_PREPARE, and
// nothing else of it: its packet is one byte, the number, and the rest.
func maskStatementNumber(reply *Reply) {
	const numberAt, numberEnd = 1, 5
	if reply.Label != "prepare" || len(reply.Results) == 0 || reply.failed() != 0 {
		return
	}
	result := &reply.Results[0]
	result.Fields = slices.DeleteFunc(result.Fields, func(f Field) bool { return f.Name == "statement" })
	if len(result.Raw) > 0 && len(result.Raw[0]) >= numberEnd {
		clear(result.Raw[0][numberAt:numberEnd])
	}
}

// maskIndexUse masks the flags that say a query found no index, or no good one, or
// took long.
func maskIndexUse(reply *Reply) {
	for i := range reply.Results {
		result := &reply.Results[i]
		for j, f := range result.Fields {
			if !strings.HasSuffix(f.Name, "status") {
				continue
			}
			flags := slices.DeleteFunc(strings.Fields(f.Value), func(flag string) bool {
				return flag == "no-index" || flag == "no-good-index" || flag == "slow"
			})
			if without := strings.Join(flags, " "); without != f.Value {
				result.Fields[j].Value, result.Raw = without, nil
			}
		}
	}
}

// grouping finds statements whose rows a server may put into a temporary table.
var grouping = regexp.MustCompile(`(?i)\b(GROUP BY|DISTINCT|UNION|OVER)\b`)

// Flags of a column that a column of a temporary table has not, or has instead.
const (
	flagsOfKeys = 0x0002 | 0x0004 | 0x0008 | 0x4000 | 0x0200 // PRI_KEY_FLAG, UNIQUE_KEY_FLAG, MULTIPLE_KEY_FLAG, PART_KEY_FLAG, AUTO_INCREMENT_FLAG
	flagGroup   = 0x8000
	flagBinary  = 0x0080 // of what is no text
	flagZero    = 0x0040 // ZEROFILL_FLAG
	flagDefault = 0x1000 // NO_DEFAULT_VALUE_FLAG
)

// decimalsOfExpression is what MariaDB says of an expression that is no number
// (NOT_FIXED_DEC is 31 or 39), unless it comes out of a temporary table.
const decimalsOfExpression = 31

// binaryCharset is the number of the character set of what is no text.
const binaryCharset = 63

// dropRowsBeforeError leaves out the rows of an answer that ends in an error.
func dropRowsBeforeError(reply *Reply) {
	for i := range reply.Results {
		if result := &reply.Results[i]; result.ErrNumber != 0 && len(result.Rows) > 0 {
			result.Rows, result.Raw = nil, nil
			result.replace("rows", "0")
		}
	}
}

// maskGroupedFlags masks the flags of columns that say where the server took them
// from.
func maskGroupedFlags(reply *Reply) {
	for i := range reply.Results {
		result := &reply.Results[i]
		for j, c := range result.Columns {
			flags := c.Flags &^ (flagGroup | flagsOfKeys | flagZero | flagDefault)
			if c.Charset == binaryCharset {
				flags &^= flagBinary
			}
			result.replace(fmt.Sprintf("column.%d.flags", j), fmt.Sprintf("0x%04x", flags))
			if c.Decimals >= decimalsOfExpression {
				result.replace(fmt.Sprintf("column.%d.decimals", j), "0")
			}
		}
		if len(result.Columns) > 0 {
			result.Raw = nil
		}
	}
}

// Flags of a column that depend on the table its rows are in.
const (
	flagNotNull  = 0x0001          // NOT_NULL_FLAG
	flagBlob     = 0x0010          // BLOB_FLAG
	flagUnsigned = 0x0020          // UNSIGNED_FLAG
	flagLabels   = 0x0100 | 0x0800 // ENUM_FLAG, SET_FLAG
)

// maskOrigin masks what is said of where columns come from.
func maskOrigin(reply *Reply) {
	maskGroupedFlags(reply)
	for i := range reply.Results {
		result := &reply.Results[i]
		inBinary := strings.HasPrefix(reply.Label, "execute") || strings.HasPrefix(reply.Label, "fetch")
		for j, c := range result.Columns {
			prefix := fmt.Sprintf("column.%d.", j)
			flags := c.Flags &^ (flagGroup | flagsOfKeys | flagZero | flagDefault | flagNotNull | flagBinary | flagBlob | flagLabels)
			result.replace(prefix+"flags", fmt.Sprintf("0x%04x", flags))
			for _, field := range []string{"schema", "table", "org-table", "org-name", "length"} {
				result.replace(prefix+field, "masked")
			}
			switch {
			case c.Type >= wire.TypeTinyBlob && c.Type <= wire.TypeBlob:
				result.replace(prefix+"type", "text")
			case isInteger(c.Type):
				result.replace(prefix+"type", "integer")
				if inBinary {
					result.widen(j, c.Flags&flagUnsigned != 0)
				}
			case c.Type >= wire.TypeVarString || c.Type == wire.TypeEnum || c.Type == wire.TypeSet:
				result.replace(prefix+"type", "string")
			}
		}
	}
}

func isInteger(t wire.Type) bool {
	switch t {
	case wire.TypeTiny, wire.TypeShort, wire.TypeLong, wire.TypeLongLong, wire.TypeInt24, wire.TypeYear:
		return true
	default:
		return false
	}
}

// widen makes integers in the rows of the binary protocol ones of 64 bits.
func (r *Result) widen(column int, unsigned bool) {
	for i := range r.Rows {
		row := &r.Rows[i]
		row.Masked = true
		cell := &row.Cells[column]
		if n := len(cell.Bytes); n == 0 || n >= 8 {
			continue
		}
		fill := byte(0)
		if !unsigned && cell.Bytes[len(cell.Bytes)-1] >= 0x80 {
			fill = 0xff
		}
		cell.Bytes = bytes.Clone(cell.Bytes)
		for len(cell.Bytes) < 8 {
			cell.Bytes = append(cell.Bytes, fill)
		}
	}
}

// maskNoRowMatched leaves out what an UPDATE says that has found nothing.
func maskNoRowMatched(reply *Reply) {
	for i := range reply.Results {
		result := &reply.Results[i]
		if info := result.field("info"); info == `"Rows matched: 0  Changed: 0  Warnings: 0"` || info == "none" {
			result.replace("info", "none")
			result.Raw = nil
		}
	}
}

// replacing are the statements that replace rows. Those of a query may be the same, and those of a statement that was drawn.
var (
	replacing = regexp.MustCompile(`(?i)^\s*REPLACE\b`)
	selecting = regexp.MustCompile(`(?i)\bSELECT\b`)
)

// maskReplaced masks how many rows were replaced.
func maskReplaced(reply *Reply) {
	for i := range reply.Results {
		result := &reply.Results[i]
		if records, _, ok := strings.Cut(result.field("info"), "  Duplicates: "); ok {
			result.replace("info", records)
			result.replace("affected", "of the rows and those replaced")
			result.Raw = nil
		}
	}
}

// replace gives a field another value.
func (r *Result) replace(name, value string) {
	for i := range r.Fields {
		if r.Fields[i].Name == name {
			r.Fields[i].Value = value
		}
	}
}

// maskAuthentication masks what a login says before it fails or succeeds.
func maskAuthentication(reply *Reply) {
	if reply.Label != "login" {
		return
	}
	for i := range reply.Results {
		reply.Results[i].Fields = slices.DeleteFunc(reply.Results[i].Fields, func(f Field) bool {
			return strings.HasPrefix(f.Name, "auth.")
		})
	}
}

// maskStatementCount masks the value of statement_id among the variables that a
// client has asked the server to track.
func maskStatementCount(reply *Reply) {
	for i := range reply.Results {
		result := &reply.Results[i]
		for j, f := range result.Fields {
			if strings.HasPrefix(f.Name, "track.") && strings.Contains(f.Value, `"statement_id"`) {
				result.Fields[j].Value, result.Raw = "statement_id", nil
			}
		}
	}
}

// sortTracked puts session state changes in one order, in the fields and in the
// packet at whose end they stand.
func sortTracked(reply *Reply) {
	for i := range reply.Results {
		result := &reply.Results[i]
		var at []int
		var values []string
		for j, f := range result.Fields {
			if strings.HasPrefix(f.Name, "track.") {
				at, values = append(at, j), append(values, f.Value)
			}
		}
		if len(at) < 2 {
			continue
		}
		slices.Sort(values)
		for k, j := range at {
			result.Fields[j].Value = values[k]
		}
		if n := len(result.Raw); n > 0 {
			slices.Sort(result.Raw[n-1]) // the packet is an OK, decoded to its last byte
		}
	}
}
