package queries

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// tpchRows fills the eight tables as the specification says (4.2.3), with as many lineitems as
// the size is. What differs: at a small scale suppliers, parts and customers are a few more
// than their share, and nations are dealt to them, so that joins find some; of the complaints
// about suppliers there is one at least; how frequent a word of a comment is.
func tpchRows(size int, emit func(table, values string) error) error {
	g := newTPCH(size, emit)
	for _, fill := range []func() error{g.fillPlaces, g.fillParts, g.fillSuppliers, g.fillOffers, g.fillCustomers, g.fillOrders} {
		if err := fill(); err != nil {
			return err
		}
	}
	return nil
}

// tpch makes rows.
type tpch struct {
	random                              *rand.Rand
	emit                                func(table, values string) error
	suppliers, parts, customers, orders int
	clerks                              int
	dealt                               []int // nations that are still to be given
}

// newTPCH knows how many rows the tables have: 6,000,000 lineitems are a scale of 1.
func newTPCH(size int, emit func(table, values string) error) *tpch {
	return &tpch{
		random: rand.New(rand.NewPCG(scanSeed, uint64(size))), emit: emit,
		suppliers: max(size/600, len(nations)), parts: max(size/30, 200), customers: max(size/40, 3*len(nations)),
		orders: max(size/4, 60), clerks: max(size/6000, 10),
	}
}

func (g *tpch) of(all []string) string { return all[g.random.IntN(len(all))] }

// between is a number of least to most.
func (g *tpch) between(least, most int) int { return least + g.random.IntN(most-least+1) }

// money is an amount of cents with a point.
func money(cents int) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

// comment is a text of so many letters.
func (g *tpch) comment(least, most int) string { return text(g.random, least, most) }

// address is letters without a meaning.
func (g *tpch) address() string {
	const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	b := make([]byte, g.between(10, 40))
	for i := range b {
		b[i] = letters[g.random.IntN(len(letters))]
	}
	return string(b)
}

// nation is one of them, each as often as the others.
func (g *tpch) nation() int {
	if len(g.dealt) == 0 {
		g.dealt = g.random.Perm(len(nations))
	}
	n := g.dealt[0]
	g.dealt = g.dealt[1:]
	return n
}

// phone is a number in a nation.
func (g *tpch) phone(nation int) string {
	return fmt.Sprintf("%d-%d-%d-%d", nation+10, g.between(100, 999), g.between(100, 999), g.between(1000, 9999))
}

func (g *tpch) fillPlaces() error {
	for i, name := range regions {
		if err := g.emit("region", fmt.Sprintf("%d, '%s', '%s'", i, name, g.comment(31, 115))); err != nil {
			return err
		}
	}
	for i, n := range nations {
		if err := g.emit("nation", fmt.Sprintf("%d, '%s', %d, '%s'", i, n.name, n.region, g.comment(31, 114))); err != nil {
			return err
		}
	}
	return nil
}

// retail is the price of a part, in cents.
func retail(part int) int { return 90000 + part/10%20001 + 100*(part%1000) }

func (g *tpch) fillParts() error {
	for part := 1; part <= g.parts; part++ {
		name := ""
		for _, i := range g.random.Perm(len(colours))[:5] {
			name += " " + colours[i]
		}
		maker := g.between(1, 5)
		values := fmt.Sprintf("%d, '%s', 'Manufacturer#%d', 'Brand#%d%d', '%s %s %s', %d, '%s %s', %s, '%s'", part, name[1:], maker, maker, g.between(1, 5),
			g.of(sizes), g.of(finishes), g.of(metals), g.between(1, 50), g.of(containerSizes), g.of(containers), money(retail(part)), g.comment(5, 22))
		if err := g.emit("part", values); err != nil {
			return err
		}
	}
	return nil
}

// toldPer is how many suppliers there are for five of whom customers complain, and five
// whom they recommend.
const toldPer = 10_000

func (g *tpch) fillSuppliers() error {
	told := max(5*g.suppliers/toldPer, 1)
	places := g.random.Perm(g.suppliers)
	for i := range g.suppliers {
		comment := g.comment(25, 100)
		switch {
		case places[i] < told:
			comment = g.opinion("Complaints")
		case places[i] < 2*told:
			comment = g.opinion("Recommends")
		}
		nation := g.nation()
		values := fmt.Sprintf("%d, 'Supplier#%09d', '%s', %d, '%s', %s, '%s'", i+1, i+1, g.address(), nation, g.phone(nation), money(g.between(-99999, 999999)), comment)
		if err := g.emit("supplier", values); err != nil {
			return err
		}
	}
	return nil
}

// opinion is a comment that says something of customers.
func (g *tpch) opinion(what string) string {
	return g.comment(5, 35) + " Customer " + g.comment(0, 10) + what + " " + g.comment(5, 25)
}

// supplier is the one of the four who have a part. The specification's way from one to the
// next is kept below a third of all, so that no two of the four are the same where there are few.
func (g *tpch) supplier(part, which int) int {
	step := g.suppliers/4 + (part-1)/g.suppliers%(g.suppliers/12)
	return (part+which*step)%g.suppliers + 1
}

func (g *tpch) fillOffers() error {
	for part := 1; part <= g.parts; part++ {
		for which := range 4 {
			values := fmt.Sprintf("%d, %d, %d, %s, '%s'", part, g.supplier(part, which), g.between(1, 9999), money(g.between(100, 100_000)), g.comment(49, 198))
			if err := g.emit("partsupp", values); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *tpch) fillCustomers() error {
	for i := range g.customers {
		nation := g.nation()
		values := fmt.Sprintf("%d, 'Customer#%09d', '%s', %d, '%s', %s, '%s', '%s'", i+1, i+1, g.address(), nation, g.phone(nation),
			money(g.between(-99999, 999999)), g.of(segments), g.comment(29, 116))
		if err := g.emit("customer", values); err != nil {
			return err
		}
	}
	return nil
}

// The days of the specification: of the first order, how many there are for orders, and
// which one is today.
var (
	firstDay = time.Date(1992, time.January, 1, 0, 0, 0, 0, time.UTC)
	today    = daysUntil(time.Date(1995, time.June, 17, 0, 0, 0, 0, time.UTC))
	// The last line is received 151 days after its order, on the last day of 1998.
	orderDays = daysUntil(time.Date(1998, time.December, 31, 0, 0, 0, 0, time.UTC)) - 151 + 1
)

func daysUntil(t time.Time) int { return int(t.Sub(firstDay) / (24 * time.Hour)) }

// day is a day so many after the first.
func day(n int) string { return firstDay.AddDate(0, 0, n).Format(time.DateOnly) }

// ordersAtOnce are how many orders are written before their lines are.
const ordersAtOnce = 1000

func (g *tpch) fillOrders() error {
	var lines []string
	for i := range g.orders {
		o := g.order(i)
		if err := g.emit("orders", o.values); err != nil {
			return err
		}
		lines = append(lines, o.lines...)
		if (i+1)%ordersAtOnce != 0 && i+1 < g.orders {
			continue
		}
		for _, values := range lines {
			if err := g.emit("lineitem", values); err != nil {
				return err
			}
		}
		lines = lines[:0]
	}
	return nil
}

// order is an order with its lines.
type order struct {
	values string
	lines  []string
}

// order draws the order with a number: of 32 keys in a row 8 are used. A third of the
// customers order nothing.
func (g *tpch) order(number int) (o order) {
	key := number/8*32 + number%8 + 1
	customer := g.between(1, g.customers)
	for customer%3 == 0 {
		customer = g.between(1, g.customers)
	}
	ordered, total, shipped := g.random.IntN(orderDays), 0, 0
	count := g.between(1, 7)
	for n := range count {
		line, price, status := g.line(key, n+1, ordered)
		o.lines = append(o.lines, line)
		total += price
		if status == statusShipped {
			shipped++
		}
	}
	status := "P"
	switch shipped {
	case count:
		status = statusShipped
	case 0:
		status = statusOpen
	}
	o.values = fmt.Sprintf("%d, %d, '%s', %s, '%s', '%s', 'Clerk#%09d', 0, '%s'", key, customer, status, money(total), day(ordered),
		g.of(priorities), g.between(1, g.clerks), g.comment(19, 78))
	return o
}

// The states of a line.
const (
	statusOpen    = "O"
	statusShipped = "F"
)

// line draws a line of an order: its values, what is paid for it in cents, and its state.
func (g *tpch) line(key, number, ordered int) (values string, paid int, status string) {
	part, quantity := g.between(1, g.parts), g.between(1, 50)
	price, discount, tax := quantity*retail(part), g.between(0, 10), g.between(0, 8)
	shipped := ordered + g.between(1, 121)
	committed, received := ordered+g.between(30, 90), shipped+g.between(1, 30)
	returned := "N"
	if received <= today {
		returned = g.of([]string{"R", "A"})
	}
	status = statusShipped
	if shipped > today {
		status = statusOpen
	}
	values = fmt.Sprintf("%d, %d, %d, %d, %d, %s, 0.%02d, 0.%02d, '%s', '%s', '%s', '%s', '%s', '%s', '%s', '%s'",
		key, part, g.supplier(part, g.random.IntN(4)), number, quantity, money(price), discount, tax, returned, status,
		day(shipped), day(committed), day(received), g.of(instructions), g.of(modes), g.comment(10, 43))
	return values, price * (100 + tax) * (100 - discount) / 10_000, status
}
