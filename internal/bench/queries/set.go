package queries

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
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
	// at fills in what a question's text has that depends on the size; nil if nothing does.
	at func(size int, text string) string
}

// At are the questions as they are asked of tables of a size.
func (s *Set) At(size int) []Question {
	all := slices.Clone(s.Questions)
	for i := range all {
		if s.at != nil {
			all[i].Text = s.at(size, all[i].Text)
		}
	}
	return all
}

// Question is one query.
type Question struct {
	Name string
	Text string
	// Order are the columns that an answer's rows are sorted by, from 1: their values
	// have to come in the same order each time. Rows that are alike in all of them may
	// change places.
	Order []int
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
