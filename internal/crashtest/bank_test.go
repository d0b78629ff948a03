package crashtest

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
)

const (
	accounts = 60
	opening  = 1000 // of each account
	closing  = 3000 // transfers after which the books are closed
)

// bank is accounts, and transfers between them.
type bank struct {
	w *world
	// account and transfer are its tables.
	account, transfer string
	next              atomic.Int64

	mu    sync.Mutex
	base  []int64            // balances when the books were closed last, of each account
	acked map[int64]transfer // since then
}

type transfer struct{ from, to, amount int64 }

func newBank(w *world, account, transfers string, accounts int) *bank {
	b := &bank{w: w, account: account, transfer: transfers, base: make([]int64, accounts), acked: map[int64]transfer{}}
	for i := range b.base {
		b.base[i] = opening
	}
	return b
}

// open makes the tables.
func (b *bank) open(c *client) error {
	for _, s := range []string{"CREATE TABLE " + b.account + accountColumns, b.opening()} {
		if _, err := c.exec(s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return b.openTransfers(c)
}

// openTransfers makes the table of transfers.
func (b *bank) openTransfers(c *client) error {
	_, err := c.exec("CREATE TABLE " + b.transfer + " (id BIGINT PRIMARY KEY COMMENT 'tunic: plain', source INT NOT NULL COMMENT 'tunic: family row', target INT NOT NULL COMMENT 'tunic: family row', amount INT NOT NULL COMMENT 'tunic: family row')")
	return err
}

const accountColumns = " (id INT PRIMARY KEY, owner VARCHAR(20) NOT NULL, balance BIGINT NOT NULL, touched INT NOT NULL)"

// opening is the statement that opens the accounts.
func (b *bank) opening() string {
	values := ""
	for i := range b.base {
		values += fmt.Sprintf(", (%d, 'owner %d', %d, 0)", i, i%7, opening)
	}
	return "INSERT INTO " + b.account + " VALUES " + values[2:]
}

// teller makes one transfer. It is done or not as a whole, and afterwards it is known which.
func (b *bank) teller(c *client) error {
	id := b.next.Add(1)
	n := int64(len(b.base))
	x := transfer{from: c.rnd.Int64N(n), amount: 1 + c.rnd.Int64N(9)}
	x.to = (x.from + 1 + c.rnd.Int64N(n-1)) % n
	came, err := c.judge(b.transact(c, id, x))
	if err != nil {
		return err
	}
	if came == unknown {
		there, err := c.certain("SELECT COUNT(*) FROM "+b.transfer+" WHERE id = ?", id)
		if err != nil {
			return err
		}
		b.w.count("transfers of unknown outcome, done " + there[0][0])
		came = undone
		if there[0][0] == "1" {
			came = done
		}
	}
	if came != done {
		return nil
	}
	b.w.count("transfers")
	b.mu.Lock()
	defer b.mu.Unlock()
	b.acked[id] = x
	return nil
}

// transact runs the statements of a transfer: computed by the database, or read and written
// back.
func (b *bank) transact(c *client, id int64, x transfer) error {
	if _, err := c.exec("START TRANSACTION"); err != nil {
		return err
	}
	if _, err := c.exec(fmt.Sprintf("INSERT INTO %s (id, source, target, amount) VALUES (%d, %d, %d, %d)", b.transfer, id, x.from, x.to, x.amount)); err != nil {
		return err
	}
	move := b.computed
	if c.rnd.IntN(3) == 0 {
		move = b.readAndWritten
	}
	if err := move(c, x.from, -x.amount); err != nil {
		return err
	}
	if err := move(c, x.to, x.amount); err != nil {
		return err
	}
	_, err := c.exec("COMMIT")
	return err
}

func (b *bank) computed(c *client, account, by int64) error {
	n, err := c.exec("UPDATE "+b.account+" SET balance = balance + ?, touched = touched + 1 WHERE id = ?", by, account)
	if err == nil && n != 1 {
		b.w.t.Errorf("%s: %d rows of account %d were changed", c.name, n, account)
	}
	return err
}

func (b *bank) readAndWritten(c *client, account, by int64) error {
	rows, err := c.rows(fmt.Sprintf("SELECT balance FROM %s WHERE id = %d FOR UPDATE", b.account, account))
	if err != nil {
		return err
	}
	if len(rows) != 1 {
		b.w.t.Errorf("%s: %d rows are account %d", c.name, len(rows), account)
		return nil
	}
	was, err := strconv.ParseInt(rows[0][0], 10, 64)
	if err != nil {
		return err
	}
	_, err = c.exec(fmt.Sprintf("UPDATE %s SET balance = %d WHERE id = %d", b.account, was+by, account))
	return err
}

// audit reads what no transfer changes, while they are made.
func (b *bank) audit(c *client) error {
	n := len(b.base)
	questions := [...]struct{ query, want string }{
		{"SELECT SUM(balance) FROM %[1]s", strconv.Itoa(n * opening)},
		{"SELECT COUNT(*) FROM %[1]s WHERE owner = 'OWNER 3'", strconv.Itoa((n + 7 - 4) / 7)},
		{"SELECT COUNT(*) FROM %[1]s a JOIN %[1]s b ON a.id = b.id AND a.balance = b.balance", strconv.Itoa(n)},
		{"SELECT COUNT(DISTINCT owner) FROM %[1]s", "7"},
	}
	q := questions[c.rnd.IntN(len(questions))]
	rows, err := c.rows(fmt.Sprintf(q.query, b.account))
	if err != nil {
		_, err = c.judge(err)
		return err
	}
	b.w.count("sums")
	if len(rows) != 1 || rows[0][0] != q.want {
		return fmt.Errorf("%s: %v, not %s", q.query, rows, q.want)
	}
	return nil
}

// check compares accounts and transfers with what was acknowledged. Clients are at rest.
func (b *bank) check(c *client) error {
	want := slices.Clone(b.base)
	transfers, err := c.certain("SELECT id, source, target, amount FROM " + b.transfer)
	if err != nil {
		return err
	}
	for _, r := range transfers {
		id, _ := strconv.ParseInt(r[0], 10, 64)
		x, ok := b.acked[id]
		if !ok {
			return fmt.Errorf("transfer %d was never acknowledged", id)
		}
		if got := fmt.Sprint(r[1:]); got != fmt.Sprint([]int64{x.from, x.to, x.amount}) {
			return fmt.Errorf("transfer %d is %s, not %v", id, got, x)
		}
		want[x.from] -= x.amount
		want[x.to] += x.amount
	}
	if len(transfers) != len(b.acked) {
		return fmt.Errorf("%d transfers were acknowledged, and %d are there", len(b.acked), len(transfers))
	}
	balances, err := c.certain("SELECT id, balance FROM " + b.account + " ORDER BY id")
	if err != nil {
		return err
	}
	if len(balances) != len(want) {
		return fmt.Errorf("%d accounts", len(balances))
	}
	for i, r := range balances {
		if r[0] != strconv.Itoa(i) || r[1] != strconv.FormatInt(want[i], 10) {
			return fmt.Errorf("account %d has %v, not %d", i, r, want[i])
		}
	}
	if len(b.acked) < closing {
		return nil
	}
	n, err := c.exec("DELETE FROM " + b.transfer)
	if err != nil || int(n) != len(b.acked) {
		return fmt.Errorf("close the books: %d transfers went: %w", n, err)
	}
	b.base, b.acked = want, map[int64]transfer{}
	return nil
}
