package ddl

import (
	"context"
	"errors"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/layers"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// What a plain server says of values that a change of a type converts: an error in strict mode, and
// warnings else, each with the number of the row.

// warningsMost is how many of them a server keeps by default (max_error_count).
func warningsMost(f value.Flavor) int {
	if f == value.MariaDB {
		return 64
	}
	return 1024
}

// misfit is the error that a change has failed with because of a value; nil if there is no such
// value any more, or the server would have said nothing that is known.
func (p *plainServer) misfit(ctx context.Context, t *catalog.Table, job *layers.Job, called map[catalog.ID]string) (failed error) {
	err := job.Misfits(ctx, func(m layers.Misfit) bool {
		if m.Level != value.Error || m.Code == value.Unanswerable {
			return true
		}
		failed = &sqlerr.Error{Number: uint16(m.Code), State: p.stateOf(m.Code), Message: p.said(t, &m, called)}
		return false
	})
	return errors.Join(err, failed)
}

// misfits are the warnings of a change that has been made.
func (p *plainServer) misfits(ctx context.Context, t *catalog.Table, job *layers.Job, called map[catalog.ID]string) (all []service.Warning, err error) {
	err = job.Misfits(ctx, func(m layers.Misfit) bool {
		all = append(all, service.Warning{Level: m.Level, Number: uint16(m.Code), Message: p.said(t, &m, called)})
		return len(all) < warningsMost(p.flavor)
	})
	return all, err
}

// said is the message, which names the column as it is to be called.
func (p *plainServer) said(t *catalog.Table, m *layers.Misfit, called map[catalog.ID]string) string {
	column := value.Column{Schema: t.Schema, Table: t.Name, Name: called[m.Column.ID]}
	return string(m.AppendMessage(nil, p.env, column, m.Row))
}

// stateOf is the SQLSTATE of what a server says of a value.
func (p *plainServer) stateOf(code value.Code) string {
	switch {
	case code == value.OutOfRange:
		return "22003"
	case code == value.Truncated:
		return "01000"
	case code == value.TooLong:
		return "22001"
	case code == value.WrongValue, code == value.Unparsable && p.flavor == value.MariaDB:
		return "22007"
	}
	return "HY000"
}

// dataTruncated is WARN_DATA_TRUNCATED, which MariaDB says of a NULL as well.
const dataTruncated = 1265

// namingNull has an error about NULL in a column name that column: MariaDB counts wrong where
// virtual columns stand in front, as the fence does, and names another one.
func (p *plainServer) namingNull(ctx context.Context, c *alteration.Change, tight []string, err error) error {
	said, ok := errors.AsType[*sqlerr.Error](err)
	if !ok || said.Code != 0 || said.Number != dataTruncated {
		return err
	}
	head, rest, _ := strings.Cut(said.Message, " column '")
	_, tail, ok := strings.Cut(rest, "' at row ")
	if !ok {
		return err
	}
	name := tight[0]
	for _, one := range tight[1:] {
		if shown := c.ShowsNull(name); shown != "" {
			rows, err := p.client.Query(ctx, "SELECT 1 FROM "+c.Old.QuotedName()+" WHERE "+identifier.Quoted(shown)+" IS NULL LIMIT 1")
			if err != nil || len(rows) > 0 {
				break
			}
		}
		name = one
	}
	named := *said
	named.Message = head + " column '" + name + "' at row " + tail
	return &named
}

// strictly runs a statement that has columns take no NULL any more in strict mode: in another one
// the server gives rows that have it bytes that are no sealed form. It goes by what the server
// says right before, and not by what is known of the session: a value would be lost for good.
func (p *plainServer) strictly(ctx context.Context, do func() error) error {
	rows, err := p.client.Query(ctx, "SELECT @@SESSION.sql_mode")
	if err != nil || len(rows) != 1 || rows[0][0] == nil {
		return errors.Join(err, service.NoRow(len(rows)))
	}
	mode := *rows[0][0]
	if strings.Contains(mode, "STRICT_TRANS_TABLES") || strings.Contains(mode, "STRICT_ALL_TABLES") {
		return do()
	}
	if err := p.client.Exec(ctx, "SET SESSION sql_mode = "+showcreate.QuoteString(mode+",STRICT_ALL_TABLES")); err != nil {
		return err
	}
	err = do()
	return errors.Join(err, p.client.Exec(context.WithoutCancel(ctx), "SET SESSION sql_mode = "+showcreate.QuoteString(mode)))
}
