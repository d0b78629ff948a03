package tpcc

// orderStatus is the Order-Status transaction (clause 2.6).
type orderStatus struct{ by buyer }

func (t *Terminal) drawOrderStatus() input {
	return &orderStatus{t.drawBuyer(t.warehouse, t.random.between(1, t.scale.Districts))}
}

func (o *orderStatus) run(c *call) {
	customer := o.by.resolve(c)
	c.one(`SELECT c_balance, c_first, c_middle, c_last FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?`,
		o.by.warehouse, o.by.district, customer)
	last := c.one(`SELECT o_id, o_entry_d, o_carrier_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ?
 ORDER BY o_id DESC LIMIT 1`, o.by.warehouse, o.by.district, customer)
	c.query(`SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line
 WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ? ORDER BY ol_number`, o.by.warehouse, o.by.district, c.number(last[0]))
}

// delivery is the Delivery transaction (clause 2.7), carried out at once.
type delivery struct {
	warehouse, districts, carrier int
	when                          string
}

func (t *Terminal) drawDelivery() input {
	return &delivery{t.warehouse, t.scale.Districts, t.random.between(1, 10), t.random.tick()}
}

func (d *delivery) run(c *call) {
	for district := 1; district <= d.districts; district++ {
		d.deliver(c, district)
	}
}

// deliver delivers the oldest new order of a district, if there is one. The order may have
// come after the view that the transaction has of its rows, under REPEATABLE READ: what it
// updates it sees, and so it reads after that.
func (d *delivery) deliver(c *call, district int) {
	oldest := c.query(`SELECT no_o_id FROM new_order WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id LIMIT 1 FOR UPDATE`, d.warehouse, district)
	if c.err != nil || len(oldest) == 0 {
		return
	}
	id := c.number(oldest[0][0])
	c.exec(1, `DELETE FROM new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?`, d.warehouse, district, id)
	c.exec(1, `UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?`, d.carrier, d.warehouse, district, id)
	customer := c.number(c.one(`SELECT o_c_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?`, d.warehouse, district, id)[0])
	c.exec(anyNumber, `UPDATE order_line SET ol_delivery_d = ? WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?`, d.when, d.warehouse, district, id)
	sum := c.one(`SELECT SUM(ol_amount) FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?`, d.warehouse, district, id)
	c.exec(1, `UPDATE customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?`,
		sum[0], d.warehouse, district, customer)
}

// stockLevel is the Stock-Level transaction (clause 2.8).
type stockLevel struct{ warehouse, district, threshold int }

func (t *Terminal) drawStockLevel() input {
	return &stockLevel{t.warehouse, t.district, t.random.between(10, 20)}
}

// recentOrders is how many of the last orders of a district are looked at.
const recentOrders = 20

func (s *stockLevel) run(c *call) {
	next := c.number(c.one(`SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?`, s.warehouse, s.district)[0])
	c.one(`SELECT COUNT(DISTINCT s_i_id) FROM order_line JOIN stock ON s_w_id = ol_w_id AND s_i_id = ol_i_id
 WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id < ? AND ol_o_id >= ? AND s_quantity < ?`,
		s.warehouse, s.district, next, next-recentOrders, s.threshold)
}
