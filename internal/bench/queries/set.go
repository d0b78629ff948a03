package queries

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Set is tables and questions.
type Set struct {
	Name        string
	About       string // one line for people
	Definitions []string
	Questions   []Question
	// rows makes the rows of all tables for a size: emit is called with a table's name
	// and the values of a row as they stand in an INSERT. A table that others refer to
	// comes before them.
	rows func(size int, emit func(table, values string) error) error
}

// Question is one query.
type Question struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Choose leaves the questions whose names match a regular expression.
func (s *Set) Choose(pattern string) error {
	names, err := regexp.Compile(pattern)
	if err != nil {
		return fmt.Errorf("which questions: %w", err)
	}
	s.Questions = slices.DeleteFunc(slices.Clone(s.Questions), func(q Question) bool { return !names.MatchString(q.Name) })
	if len(s.Questions) == 0 {
		return fmt.Errorf("no question of %s has a name that matches %q", s.Name, pattern)
	}
	return nil
}

// statementBytes is how long an INSERT is at most.
const statementBytes = 256 << 10

// Load makes the tables in the connection's database and fills them.
func (s *Set) Load(ctx context.Context, conn *sql.Conn, size int) error {
	for _, definition := range s.Definitions {
		if _, err := conn.ExecContext(ctx, definition); err != nil {
			return fmt.Errorf("make a table: %w", err)
		}
	}
	b := &batch{ctx: ctx, conn: conn}
	if err := s.rows(size, b.add); err != nil {
		return fmt.Errorf("fill the tables: %w", err)
	}
	return b.flush()
}

// batch collects the rows of one INSERT.
type batch struct {
	ctx   context.Context //nolint:containedctx // a batch lives as long as the call that has it
	conn  *sql.Conn
	table string
	text  strings.Builder
}

func (b *batch) add(table, values string) error {
	if table != b.table || b.text.Len() > statementBytes {
		if err := b.flush(); err != nil {
			return err
		}
		b.table = table
		b.text.WriteString("INSERT INTO " + table + " VALUES ")
	} else {
		b.text.WriteString(", ")
	}
	b.text.WriteString("(" + values + ")")
	return nil
}

func (b *batch) flush() error {
	if b.text.Len() == 0 {
		return nil
	}
	_, err := b.conn.ExecContext(b.ctx, b.text.String())
	b.text.Reset()
	b.table = ""
	return err
}

// Answer is what a question was answered with, and how long that took from when it was
// sent to when its last row was read.
type Answer struct {
	Took time.Duration
	rows []string
}

// Alike reports whether all answers have the same rows, in whatever order.
func Alike(answers []*Answer) bool {
	for _, a := range answers {
		slices.Sort(a.rows)
		if !slices.Equal(a.rows, answers[0].rows) {
			return false
		}
	}
	return true
}

// Ask asks a question.
func (q *Question) Ask(ctx context.Context, conn *sql.Conn) (*Answer, error) {
	begin := time.Now()
	rows, err := conn.QueryContext(ctx, q.Text)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // what matters is in rows.Err
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	values := make([]sql.RawBytes, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	a := &Answer{}
	var line strings.Builder
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		line.Reset()
		for _, v := range values {
			fmt.Fprintf(&line, "%t %q,", v == nil, v)
		}
		a.rows = append(a.rows, line.String())
	}
	a.Took = time.Since(begin)
	return a, rows.Err()
}
