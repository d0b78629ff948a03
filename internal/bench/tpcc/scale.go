package tpcc

import "fmt"

// Scale is how many rows there are at first.
type Scale struct {
	Warehouses int
	Districts  int // of a warehouse
	Customers  int // of a district, and as many orders; at least 10
	Items      int // and as many rows of stock in each warehouse; at least 20

	// Ordered says that a protected table keeps the order of the numbers of orders.
	Ordered bool
}

// Full is the specification's scale (clause 1.2.1): about half a million rows and
// 100 MB for each warehouse.
func Full(warehouses int) Scale {
	return Scale{Warehouses: warehouses, Districts: 10, Customers: 3000, Items: 100_000}
}

// Reduced keeps the shape of Full with a share of its customers, orders and items,
// which is 1 for all of them.
func Reduced(warehouses int, share float64) Scale {
	s := Full(warehouses)
	s.Customers = max(10, int(float64(s.Customers)*share))
	s.Items = max(20, int(float64(s.Items)*share))
	return s
}

func (s Scale) check() error {
	for _, n := range []struct {
		name                    string
		value, minimum, maximum int
	}{
		{"warehouses", s.Warehouses, 1, 1000},
		{"districts", s.Districts, 1, 10},
		{"customers", s.Customers, 10, 3000},
		{"items", s.Items, 20, 100_000},
	} {
		if n.value < n.minimum || n.value > n.maximum {
			return fmt.Errorf("tpcc: %d %s; there can be %d to %d", n.value, n.name, n.minimum, n.maximum)
		}
	}
	return nil
}

// delivered is the number of the last order of a district that is delivered at first:
// 2,100 of 3,000 (clause 4.3.3.1).
func (s Scale) delivered() int { return s.Customers * 7 / 10 }
