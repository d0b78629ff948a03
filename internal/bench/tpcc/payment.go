package tpcc

import "fmt"

// buyer is a customer by number or, in 60 of 100 transactions, by last name.
type buyer struct {
	warehouse, district int
	customer            int
	name                string // "" for one by number
}

func (t *Terminal) drawBuyer(warehouse, district int) buyer {
	b := buyer{warehouse: warehouse, district: district}
	if t.random.percent(60) {
		b.name = t.random.lastName(t.scale, nurandRunName)
	} else {
		b.customer = t.random.customer(t.scale)
	}
	return b
}

// resolve turns a name into the number of the customer in the middle of those who
// have it, in the order of their first names (clause 2.5.2.2).
func (b buyer) resolve(c *call) int {
	if b.name == "" {
		return b.customer
	}
	found := c.query(`SELECT c_id, c_first FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first`,
		b.warehouse, b.district, b.name)
	if c.err == nil && len(found) == 0 {
		c.err = fmt.Errorf("no customer is called %s", b.name)
	}
	if c.err != nil {
		return 0
	}
	return c.number(found[(len(found)-1)/2][0])
}

// payment is the Payment transaction (clause 2.5).
type payment struct {
	warehouse, district int // where it is paid
	by                  buyer
	amount              string
	when                string
}

func (t *Terminal) drawPayment() input {
	r := t.random
	p := &payment{
		warehouse: t.warehouse, district: r.between(1, t.scale.Districts),
		amount: decimal(r.between(100, 500_000), 2), when: r.tick(),
	}
	warehouse, district := p.warehouse, p.district
	if r.percent(15) {
		warehouse, district = t.otherWarehouse(), r.between(1, t.scale.Districts)
	}
	p.by = t.drawBuyer(warehouse, district)
	return p
}

// customerData is how many characters C_DATA has at most.
const customerData = 500

func (p *payment) run(c *call) {
	c.exec(1, `UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?`, p.amount, p.warehouse)
	warehouse := c.one(`SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip FROM warehouse WHERE w_id = ?`, p.warehouse)
	c.exec(1, `UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?`, p.amount, p.warehouse, p.district)
	district := c.one(`SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip FROM district WHERE d_w_id = ? AND d_id = ?`,
		p.warehouse, p.district)
	customer := p.by.resolve(c)
	who := c.one(`SELECT c_first, c_middle, c_last, c_street_1, c_city, c_state, c_zip, c_phone, c_since, c_credit, c_credit_lim,
 c_discount, c_balance FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ? FOR UPDATE`, p.by.warehouse, p.by.district, customer)
	if who[9] == "BC" {
		p.payBadly(c, customer)
	} else {
		c.exec(1, `UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?, c_payment_cnt = c_payment_cnt + 1
 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?`, p.amount, p.amount, p.by.warehouse, p.by.district, customer)
	}
	c.exec(1, `INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		customer, p.by.district, p.by.warehouse, p.district, p.warehouse, p.when, p.amount, warehouse[0]+"    "+district[0])
}

// payBadly writes the payment into the data of a customer with bad credit.
func (p *payment) payBadly(c *call, customer int) {
	data := c.one(`SELECT c_data FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?`, p.by.warehouse, p.by.district, customer)
	text := fmt.Sprintf("%d %d %d %d %d %s|", customer, p.by.district, p.by.warehouse, p.district, p.warehouse, p.amount) + data[0]
	c.exec(1, `UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?, c_payment_cnt = c_payment_cnt + 1, c_data = ?
 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?`, p.amount, p.amount, text[:min(len(text), customerData)],
		p.by.warehouse, p.by.district, customer)
}
