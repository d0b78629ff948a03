package difftest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"tunic/internal/wire"
)

// Difference is one thing the two sides do not agree on.
type Difference struct {
	Field           string // "execute-0.1.affected": of the second result of a reply
	Direct, Proxied string
}

// comparison collects differences and counts what has been compared.
type comparison struct {
	prefix      string
	differences []Difference
	count       int
}

// Compare returns the differences between the replies of the two sides to one
// step, and how many things were compared. Unless the order counts, rows are
// compared as a bag.
func Compare(direct, proxied []Reply, ordered bool) ([]Difference, int) {
	c := &comparison{}
	if a, b := labels(direct), labels(proxied); a != b {
		c.differ("replies", describeReplies(direct), describeReplies(proxied))
		return c.differences, 1
	}
	for i := range direct {
		c.reply(&direct[i], &proxied[i], ordered)
	}
	return c.differences, c.count
}

func labels(replies []Reply) string {
	names := make([]string, len(replies))
	for i, r := range replies {
		names[i] = r.Label
	}
	return strings.Join(names, " ")
}

// describeReplies tells how each reply ended, for sides that took different ways.
func describeReplies(replies []Reply) string {
	var b strings.Builder
	for _, r := range replies {
		fmt.Fprintf(&b, "%s", r.Label)
		if r.Broken != "" {
			fmt.Fprintf(&b, " (%s)", r.Broken)
		}
		for _, result := range r.Results {
			if result.ErrNumber != 0 {
				fmt.Fprintf(&b, " (error %d %s)", result.ErrNumber, result.field("error.message"))
			}
		}
		b.WriteString("; ")
	}
	return b.String()
}

func (r *Result) field(name string) string {
	for _, f := range r.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return "absent"
}

func (c *comparison) differ(field, direct, proxied string) {
	c.differences = append(c.differences, Difference{Field: c.prefix + field, Direct: direct, Proxied: proxied})
}

func (c *comparison) equal(field, direct, proxied string) {
	c.count++
	if direct != proxied {
		c.differ(field, direct, proxied)
	}
}

func (c *comparison) reply(direct, proxied *Reply, ordered bool) {
	c.prefix = direct.Label + "."
	c.equal("connection", direct.Broken, proxied.Broken)
	c.equal("results", itoa(len(direct.Results)), itoa(len(proxied.Results)))
	for i := range min(len(direct.Results), len(proxied.Results)) {
		c.prefix = fmt.Sprintf("%s.%d.", direct.Label, i)
		c.result(&direct.Results[i], &proxied.Results[i], ordered)
	}
}

func (c *comparison) result(direct, proxied *Result, ordered bool) {
	before := len(c.differences)
	c.fields(direct.Fields, proxied.Fields)
	if ordered {
		c.rows(direct.Rows, proxied.Rows)
	} else {
		c.bag(direct.Rows, proxied.Rows)
	}
	if len(c.differences) == before && direct.Raw != nil && proxied.Raw != nil {
		c.raw(direct.Raw, proxied.Raw)
	}
}

// fields compares by name; a field that one side lacks is absent there.
func (c *comparison) fields(direct, proxied []Field) {
	values := make(map[string]string, len(proxied))
	for _, f := range proxied {
		values[f.Name] = f.Value
	}
	for _, f := range direct {
		value, ok := values[f.Name]
		if !ok {
			value = "absent"
		}
		delete(values, f.Name)
		c.equal(f.Name, f.Value, value)
	}
	for _, f := range proxied {
		if _, left := values[f.Name]; left {
			c.differ(f.Name, "absent", f.Value)
		}
	}
}

// rows compares in order. Their number is a field of the result.
func (c *comparison) rows(direct, proxied []Row) {
	for i := range min(len(direct), len(proxied)) {
		c.count++
		d, p := direct[i], proxied[i]
		if d.comparesRaw(p) && bytes.Equal(d.Raw, p.Raw) {
			continue
		}
		before := len(c.differences)
		c.equal(fmt.Sprintf("row.%d.cells", i), itoa(len(d.Cells)), itoa(len(p.Cells)))
		for j := range min(len(d.Cells), len(p.Cells)) {
			c.cell(fmt.Sprintf("row.%d.cell.%d", i, j), d.Cells[j], p.Cells[j])
		}
		if len(c.differences) == before && d.comparesRaw(p) {
			c.equal(fmt.Sprintf("row.%d.raw", i), quote(d.Raw), quote(p.Raw))
		}
	}
}

func (r Row) comparesRaw(other Row) bool { return !r.Masked && !other.Masked }

func (c *comparison) cell(field string, direct, proxied wire.Cell) {
	c.count++
	if direct.Null != proxied.Null || !bytes.Equal(direct.Bytes, proxied.Bytes) {
		c.differ(field, showCell(direct), showCell(proxied))
	}
}

// bag compares without regard to order: the rows that only one side has are the
// difference.
func (c *comparison) bag(direct, proxied []Row) {
	c.count += len(direct)
	left := map[string][]Row{}
	for _, r := range proxied {
		left[r.key()] = append(left[r.key()], r)
	}
	var onlyDirect, onlyProxied []string
	for _, r := range direct {
		if same := left[r.key()]; len(same) > 0 {
			left[r.key()] = same[1:]
			continue
		}
		onlyDirect = append(onlyDirect, showRow(r))
	}
	for _, rows := range left {
		for _, r := range rows {
			onlyProxied = append(onlyProxied, showRow(r))
		}
	}
	if len(onlyDirect)+len(onlyProxied) > 0 {
		slices.Sort(onlyProxied)
		c.differ("rows-only-here", someRows(onlyDirect), someRows(onlyProxied))
	}
}

// key is what makes two rows the same: all their bytes, or what masking has left.
func (r Row) key() string {
	if r.Masked {
		return showRow(r)
	}
	return string(r.Raw)
}

func someRows(rows []string) string {
	const shown = 10
	if len(rows) > shown {
		return strings.Join(rows[:shown], "\n") + fmt.Sprintf("\n… and %d rows more", len(rows)-shown)
	}
	return strings.Join(rows, "\n")
}

// raw compares the packets themselves, for what decoding may not show.
func (c *comparison) raw(direct, proxied [][]byte) {
	c.equal("packets", itoa(len(direct)), itoa(len(proxied)))
	for i := range min(len(direct), len(proxied)) {
		c.count++
		if !bytes.Equal(direct[i], proxied[i]) {
			c.differ(fmt.Sprintf("packet.%d", i), quote(direct[i]), quote(proxied[i]))
		}
	}
}
