package tpcc

import (
	"fmt"
	"strconv"
)

// newOrder is the New-Order transaction (clause 2.4).
type newOrder struct {
	warehouse, district, customer int
	entered                       string
	lines                         []newLine
}

type newLine struct {
	item, supply, quantity int
}

func (t *Terminal) drawNewOrder() input {
	r, s := t.random, t.scale
	o := &newOrder{
		warehouse: t.warehouse, district: r.between(1, s.Districts), customer: r.customer(s),
		entered: r.tick(), lines: make([]newLine, r.between(5, 15)),
	}
	for i := range o.lines {
		o.lines[i] = newLine{r.item(s), t.warehouse, r.between(1, 10)}
		if r.percent(1) {
			o.lines[i].supply = t.otherWarehouse()
		}
	}
	if r.percent(1) {
		o.lines[len(o.lines)-1].item = s.Items + 1 // is not there: the client rolls back
	}
	return o
}

// otherWarehouse is a remote one, or the home where there is no other.
func (t *Terminal) otherWarehouse() int {
	if t.scale.Warehouses == 1 {
		return t.warehouse
	}
	other := t.random.between(1, t.scale.Warehouses-1)
	if other >= t.warehouse {
		other++
	}
	return other
}

// local tells whether all lines are supplied from home.
func (o *newOrder) local() int {
	for _, l := range o.lines {
		if l.supply != o.warehouse {
			return 0
		}
	}
	return 1
}

func (o *newOrder) run(c *call) {
	c.one(`SELECT c_discount, c_last, c_credit, w_tax FROM customer JOIN warehouse ON w_id = c_w_id
 WHERE w_id = ? AND c_d_id = ? AND c_id = ?`, o.warehouse, o.district, o.customer)
	district := c.one(`SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ? FOR UPDATE`, o.warehouse, o.district)
	id := c.number(district[0])
	c.exec(1, `UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = ? AND d_id = ?`, o.warehouse, o.district)
	c.exec(1, `INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		id, o.district, o.warehouse, o.customer, o.entered, len(o.lines), o.local())
	c.exec(1, `INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)`, id, o.district, o.warehouse)
	for i, line := range o.lines {
		o.addLine(c, id, i+1, line)
	}
}

func (o *newOrder) addLine(c *call, id, number int, line newLine) {
	items := c.query(`SELECT i_price, i_name, i_data FROM item WHERE i_id = ?`, line.item)
	if c.err == nil && len(items) == 0 {
		c.err = errUnknownItem
	}
	if c.err != nil {
		return
	}
	stock := c.one(fmt.Sprintf(`SELECT s_quantity, s_data, s_dist_%02d FROM stock WHERE s_i_id = ? AND s_w_id = ? FOR UPDATE`, o.district),
		line.item, line.supply)
	left := c.number(stock[0]) - line.quantity
	if left < 10 {
		left += 91
	}
	remote := 0
	if line.supply != o.warehouse {
		remote = 1
	}
	c.exec(1, `UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1, s_remote_cnt = s_remote_cnt + ?
 WHERE s_i_id = ? AND s_w_id = ?`, left, line.quantity, remote, line.item, line.supply)
	c.exec(1, `INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_dist_info)
 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, id, o.district, o.warehouse, number, line.item, line.supply, line.quantity,
		decimal(c.hundredths(items[0][0])*line.quantity, 2), stock[2])
}

// number reads a whole number that the database has answered.
func (c *call) number(text string) int {
	if c.err != nil {
		return 0
	}
	n, err := strconv.Atoi(text)
	c.err = err
	return n
}

// hundredths reads a DECIMAL with two digits behind the point.
func (c *call) hundredths(text string) int {
	if len(text) < 4 || text[len(text)-3] != '.' {
		c.err = fmt.Errorf("%q is no amount", text)
		return 0
	}
	return c.number(text[:len(text)-3] + text[len(text)-2:])
}
