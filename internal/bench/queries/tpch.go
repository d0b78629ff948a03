package queries

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
)

// tpchRows fills the eight tables of TPC-H (standard specification, 4.2.3) with rows like
// its own, as many lineitems as the size says and of the other tables in proportion.
func tpchRows(size int, emit func(table, values string) error) error {
	g := &tpch{random: rand.New(rand.NewPCG(scanSeed, uint64(size))), emit: emit}
	g.suppliers, g.parts = max(size/600, 10), max(size/30, 40)
	g.customers, g.orders = max(size/40, 30), max(size/4, 60)
	for _, fill := range []func() error{g.places, g.fillSuppliers, g.fillCustomers, g.fillParts, g.fillOrders} {
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
}

// The words of the specification's columns, as far as its questions ask for them.
var (
	regions    = []string{"AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"}
	nations    = []string{"ALGERIA", "BRAZIL", "CANADA", "FRANCE", "GERMANY", "INDIA", "CHINA", "SAUDI ARABIA", "EGYPT"}
	nationAt   = []int{0, 1, 1, 3, 3, 2, 2, 4, 4}
	segments   = []string{"BUILDING", "AUTOMOBILE", "MACHINERY", "FURNITURE", "HOUSEHOLD"}
	colours    = []string{"forest green", "dim grey", "blue sky", "red green rose", "almond", "ivory", "khaki", "peru"}
	sizes      = []string{"PROMO", "MEDIUM", "LARGE", "SMALL", "ECONOMY", "STANDARD"}
	finishes   = []string{"BRUSHED", "POLISHED", "PLATED", "BURNISHED", "ANODIZED"}
	metals     = []string{"BRASS", "COPPER", "STEEL", "NICKEL", "TIN"}
	containers = []string{"MED BOX", "SM CASE", "SM BOX", "MED BAG", "LG JAR", "WRAP PACK", "JUMBO DRUM"}
	priorities = []string{"1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"}
	modes      = []string{"AIR", "MAIL", "TRUCK", "AIR REG", "SHIP", "RAIL", "FOB"}
	notes      = []string{"special packages requests", "special deposits", "nothing", "quick words"}
	opinions   = []string{"quick words", "quick words", "quick words", "quick Customer had Complaints"}
)

func (g *tpch) of(words []string) string { return words[g.random.IntN(len(words))] }

// money is an amount below most, with two digits after the point.
func (g *tpch) money(least, most int) string {
	cents := least*100 + g.random.IntN((most-least)*100)
	return fmt.Sprintf("%d.%02d", cents/100, cents%100)
}

// day is a day so many days after the first one that there is.
func day(n int) string {
	return fmt.Sprintf("%04d-%02d-%02d", 1992+n/336, n%336/28+1, n%28+1)
}

func (g *tpch) places() error {
	for i, name := range regions {
		if err := g.emit("region", fmt.Sprintf("%d, '%s', 'region %d'", i, name, i)); err != nil {
			return err
		}
	}
	for i, name := range nations {
		if err := g.emit("nation", fmt.Sprintf("%d, '%s', %d, 'nation %d'", i, name, nationAt[i], i)); err != nil {
			return err
		}
	}
	return nil
}

func (g *tpch) phone() string {
	return fmt.Sprintf("%d-555-%04d", 10+g.random.IntN(25), g.random.IntN(10_000))
}

func (g *tpch) fillSuppliers() error {
	for i := range g.suppliers {
		values := fmt.Sprintf("%d, 'Supplier#%06d', 'street %d', %d, '%s', %s, '%s'", i+1, i+1, i+1, g.random.IntN(len(nations)), g.phone(), g.money(0, 9999), g.of(opinions))
		if err := g.emit("supplier", values); err != nil {
			return err
		}
	}
	return nil
}

func (g *tpch) fillCustomers() error {
	for i := range g.customers {
		values := fmt.Sprintf("%d, 'Customer#%06d', 'road %d', %d, '%s', %s, '%s', 'customer %d'", i+1, i+1, i+1, g.random.IntN(len(nations)), g.phone(), g.money(0, 9999), g.of(segments), i+1)
		if err := g.emit("customer", values); err != nil {
			return err
		}
	}
	return nil
}

func (g *tpch) fillParts() error {
	for i := range g.parts {
		values := fmt.Sprintf("%d, '%s %d', 'Manufacturer#%d', 'Brand#%d%d', '%s %s %s', %d, '%s', %s, 'p%d'", i+1, g.of(colours), i+1, 1+g.random.IntN(5),
			1+g.random.IntN(5), 1+g.random.IntN(5), g.of(sizes), g.of(finishes), g.of(metals), 1+g.random.IntN(50), g.of(containers), g.money(900, 2000), i+1)
		if err := g.emit("part", values); err != nil {
			return err
		}
	}
	for i := range g.parts {
		first := g.random.IntN(g.suppliers)
		for j := range 4 {
			supplier := (first+j*(g.suppliers/4))%g.suppliers + 1
			if err := g.emit("partsupp", fmt.Sprintf("%d, %d, %d, %s, 'ps'", i+1, supplier, 1+g.random.IntN(9999), g.money(1, 1000))); err != nil {
				return err
			}
		}
	}
	return nil
}

// ordersDays are the days on which there are orders.
const ordersDays = 2200

func (g *tpch) fillOrders() error {
	var lines []string
	for i := range g.orders {
		ordered := g.random.IntN(ordersDays)
		// A third of the customers order nothing (4.2.3).
		customer := 1 + g.random.IntN(g.customers)
		customer = max(customer-customer%3, 1)
		values := fmt.Sprintf("%d, %d, '%s', %s, '%s', '%s', 'Clerk#%d', 0, '%s'", i+1, customer, g.of([]string{"O", "P", "F"}), g.money(1000, 300_000),
			day(ordered), g.of(priorities), g.random.IntN(100), g.of(notes))
		if err := g.emit("orders", values); err != nil {
			return err
		}
		for line := range 1 + g.random.IntN(7) {
			lines = append(lines, g.line(i+1, line+1, ordered))
		}
	}
	for _, values := range lines {
		if err := g.emit("lineitem", values); err != nil {
			return err
		}
	}
	return nil
}

func (g *tpch) line(order, number, ordered int) string {
	shipped := ordered + 1 + g.random.IntN(121)
	return fmt.Sprintf("%d, %d, %d, %d, %d, %s, 0.%02d, 0.%02d, '%s', '%s', '%s', '%s', '%s', '%s', '%s', 'l'", order, 1+g.random.IntN(g.parts), 1+g.random.IntN(g.suppliers), number,
		1+g.random.IntN(50), g.money(900, 100_000), g.random.IntN(11), g.random.IntN(9), g.of([]string{"N", "R", "A"}), g.of([]string{"O", "F"}),
		day(shipped), day(ordered+30+g.random.IntN(61)), day(shipped+1+g.random.IntN(30)), g.of([]string{"NONE", "DELIVER IN PERSON", "COLLECT COD"}), g.of(modes))
}

// TPCH is the set of TPC-H. The definitions of its tables and its questions are in a
// script of the oracle, where they are held against a plain server's answers.
func TPCH(script string) (Set, error) {
	s := Set{Name: "tpch", About: "TPC-H's 22 questions; ROWS are lineitems", rows: tpchRows}
	text, err := os.ReadFile(script)
	if err != nil {
		return s, fmt.Errorf("the questions of TPC-H: %w", err)
	}
	name := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(strings.TrimSpace(line), ";")
		switch {
		case strings.HasPrefix(line, "-- name "):
			name = strings.TrimPrefix(line, "-- name ")
		case strings.HasPrefix(line, "CREATE TABLE "):
			s.Definitions = append(s.Definitions, line)
		case name != "" && line != "" && !strings.HasPrefix(line, "--"):
			s.Questions = append(s.Questions, Question{Name: name, Text: line})
			name = ""
		}
	}
	return s, nil
}
