package crashtest

import (
	"fmt"
	"slices"
	"strconv"
)

// rowsEach is how many rows a counter may have; together they are several chunks of filling.
const rowsEach = 400

// counter is a client with rows of its own, of which it knows all.
type counter struct {
	*client
	number int
	rows   map[int]tick
	step   int
}

// tick is what a row of the counter holds.
type tick struct {
	n    int64
	note string
}

func (x tick) cells() []string { return []string{strconv.FormatInt(x.n, 10), x.note} }

func openCounters(c *client) error {
	_, err := c.exec("CREATE TABLE counter (id INT PRIMARY KEY, n BIGINT NOT NULL, note VARCHAR(30), stamp INT NOT NULL DEFAULT 7)")
	return err
}

func newCounter(c *client, number int) *counter {
	return &counter{client: c, number: number, rows: map[int]tick{}}
}

// fill gives the counter most of its rows.
func (c *counter) fill() error {
	values := ""
	for i := range rowsEach - 20 {
		id := c.number*rowsEach + i
		c.rows[id] = tick{1, c.note(id)}
		values += fmt.Sprintf(", (%d, 1, '%s')", id, c.rows[id].note)
	}
	_, err := c.exec("INSERT INTO counter (id, n, note) VALUES " + values[2:])
	return err
}

func (c *counter) note(id int) string { return fmt.Sprintf("note %d of %d", c.step, id) }

// take takes one step.
func (c *counter) take() error {
	c.step++
	id := c.number*rowsEach + c.rnd.IntN(rowsEach)
	was, there := c.rows[id]
	next := tick{was.n + 1, c.note(id)}
	switch way := c.rnd.IntN(10); {
	case !there:
		return c.write(id, &next, fmt.Sprintf("INSERT INTO counter (id, n, note) VALUES (%d, %d, '%s')", id, next.n, next.note))
	case way == 0:
		return c.write(id, nil, fmt.Sprintf("DELETE FROM counter WHERE id = %d", id))
	case way < 3:
		return c.write(id, &next, "UPDATE counter SET n = n + 1, note = ? WHERE id = ?", next.note, id)
	case way < 5:
		return c.write(id, &next, fmt.Sprintf("UPDATE counter SET n = n + 1, note = '%s' WHERE note = '%s'", next.note, was.note))
	case way < 6:
		query := fmt.Sprintf("SELECT COUNT(*) FROM counter WHERE id >= %d AND id < %d", c.number*rowsEach, (c.number+1)*rowsEach)
		return c.read(query, []string{strconv.Itoa(len(c.rows))})
	case way < 8:
		return c.read(fmt.Sprintf("SELECT n, note FROM counter WHERE note = '%s'", was.note), was.cells())
	}
	return c.read("SELECT n, note FROM counter WHERE id = ?"+[]string{"", " LOCK IN SHARE MODE"}[c.rnd.IntN(2)], was.cells(), id)
}

// write changes one row to what is next, or deletes it, and finds out whether it has.
func (c *counter) write(id int, next *tick, statement string, args ...any) error {
	n, err := c.exec(statement, args...)
	if err == nil && n != 1 {
		return fmt.Errorf("%s: %d rows were changed", statement, n)
	}
	came, err := c.judge(err)
	if err != nil {
		return err
	}
	if came == unknown {
		if came, err = c.find(id, next); err != nil {
			return err
		}
	}
	c.w.count("writes of counters")
	switch {
	case came != done:
	case next == nil:
		delete(c.rows, id)
	default:
		c.rows[id] = *next
	}
	return nil
}

// find finds out whether a row is as it was or as it was to be. There is no third.
func (c *counter) find(id int, next *tick) (outcome, error) {
	rows, err := c.certain("SELECT n, note FROM counter WHERE id = ?", id)
	if err != nil {
		return unknown, err
	}
	was, there := c.rows[id]
	switch {
	case is(rows, next):
		c.w.count("writes of unknown outcome, done 1")
		return done, nil
	case there && is(rows, &was), !there && len(rows) == 0:
		c.w.count("writes of unknown outcome, done 0")
		return undone, nil
	}
	return unknown, fmt.Errorf("row %d is %v, neither %v nor %v", id, rows, was, next)
}

// is reports whether rows are the one of a tick, or none if there is no tick.
func is(rows [][]string, of *tick) bool {
	if of == nil || len(rows) != 1 {
		return of == nil && len(rows) == 0
	}
	return slices.Equal(rows[0], of.cells())
}

// read compares an answer of one row with what it is to be.
func (c *counter) read(query string, want []string, args ...any) error {
	rows, err := c.client.rows(query, args...)
	if err != nil {
		_, err = c.judge(err)
		return err
	}
	c.w.count("reads of counters")
	if len(rows) != 1 || !slices.Equal(rows[0], want) {
		return fmt.Errorf("%s %v: %v, not %v", query, args, rows, want)
	}
	return nil
}

// check compares all rows. Clients are at rest.
func (c *counter) check(by *client) error {
	rows, err := by.certain("SELECT id, n, note FROM counter WHERE id >= ? AND id < ?", c.number*rowsEach, (c.number+1)*rowsEach)
	if err != nil {
		return err
	}
	for _, r := range rows {
		id, _ := strconv.Atoi(r[0])
		if was, ok := c.rows[id]; !ok || !is([][]string{r[1:]}, &was) {
			return fmt.Errorf("%s: row %v, not %v", c.name, r, was)
		}
	}
	if len(rows) != len(c.rows) {
		return fmt.Errorf("%s: %d rows, not %d", c.name, len(rows), len(c.rows))
	}
	return nil
}
