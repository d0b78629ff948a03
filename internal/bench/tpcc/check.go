package tpcc

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Conditions is how many Check looks at.
const Conditions = 9

// A condition of clause 3.3.2 is a query that has a row for each place where it holds. How
// many there have to be is known apart from the query, so that answers which lack rows break
// it, and one that is empty most of all.
type condition struct {
	number int
	about  string
	held   string
	places places
}

// places is in how many a condition has to hold: as many as the scale has warehouses or
// districts, or as a query counts.
type places struct {
	of      func(Scale) int
	counted string
}

var (
	eachWarehouse = places{of: func(s Scale) int { return s.Warehouses }}
	eachDistrict  = places{of: func(s Scale) int { return s.Warehouses * s.Districts }}
	eachOrder     = places{counted: `SELECT COUNT(*) FROM orders`}
	eachLine      = places{counted: `SELECT COUNT(*) FROM order_line`}

	// A district may have no new order for a while. One that has new orders holds condition 2.
	eachWithNewOrders = places{counted: `SELECT COUNT(*) FROM (SELECT no_w_id, no_d_id FROM new_order GROUP BY no_w_id, no_d_id) AS d`}
)

// conditions are the first nine of the clause's twelve; the specification asks of a
// benchmark for the first four.
var conditions = [Conditions]condition{
	{1, "W_YTD is the sum of the D_YTD", `SELECT w_id FROM warehouse JOIN district ON d_w_id = w_id
 GROUP BY w_id, w_ytd HAVING w_ytd = SUM(d_ytd)`, eachWarehouse},
	{2, "D_NEXT_O_ID follows the last order", `SELECT d_w_id, d_id FROM district
 WHERE d_next_o_id - 1 = (SELECT MAX(o_id) FROM orders WHERE o_w_id = d_w_id AND o_d_id = d_id)
   AND d_next_o_id - 1 = COALESCE((SELECT MAX(no_o_id) FROM new_order WHERE no_w_id = d_w_id AND no_d_id = d_id), d_next_o_id - 1)`, eachDistrict},
	{3, "new orders have consecutive numbers", `SELECT no_w_id, no_d_id FROM new_order
 GROUP BY no_w_id, no_d_id HAVING MAX(no_o_id) - MIN(no_o_id) + 1 = COUNT(*)`, eachWithNewOrders},
	{4, "orders count all lines", `SELECT o.w, o.d FROM
 (SELECT o_w_id AS w, o_d_id AS d, SUM(o_ol_cnt) AS n FROM orders GROUP BY o_w_id, o_d_id) AS o
 JOIN (SELECT ol_w_id AS w, ol_d_id AS d, COUNT(*) AS n FROM order_line GROUP BY ol_w_id, ol_d_id) AS l ON l.w = o.w AND l.d = o.d
 WHERE o.n = l.n`, eachDistrict},
	{5, "an order without a carrier is a new order", `SELECT o_w_id, o_d_id, o_id FROM orders
 LEFT JOIN new_order ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id
 WHERE (o_carrier_id IS NULL) = (no_o_id IS NOT NULL)`, eachOrder},
	{6, "each order counts its lines", `SELECT o_w_id, o_d_id, o_id FROM orders
 JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
 GROUP BY o_w_id, o_d_id, o_id, o_ol_cnt HAVING COUNT(*) = o_ol_cnt`, eachOrder},
	{7, "a line without a delivery is of an order without a carrier", `SELECT o_w_id, o_d_id, o_id, ol_number FROM orders
 JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
 WHERE (ol_delivery_d IS NULL) = (o_carrier_id IS NULL)`, eachLine},
	{8, "W_YTD is the sum of the payments", `SELECT w_id FROM warehouse JOIN history ON h_w_id = w_id
 GROUP BY w_id, w_ytd HAVING w_ytd = SUM(h_amount)`, eachWarehouse},
	{9, "D_YTD is the sum of the payments", `SELECT d_w_id, d_id FROM district JOIN history ON h_w_id = d_w_id AND h_d_id = d_id
 GROUP BY d_w_id, d_id, d_ytd HAVING d_ytd = SUM(h_amount)`, eachDistrict},
}

// ErrBroken is what an error of Check wraps where a condition does not hold; without it, the
// conditions could not be looked at.
var ErrBroken = errors.New("it does not hold")

// querier is a connection, or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Check returns an error that names the first condition that does not hold, or could not be
// looked at. No transaction may be under way.
func Check(ctx context.Context, db *sql.DB, s Scale) error {
	for _, c := range conditions {
		if err := c.check(ctx, db, s); err != nil {
			return fmt.Errorf("tpcc: condition %d (%s): %w", c.number, c.about, err)
		}
	}
	return nil
}

func (c *condition) check(ctx context.Context, db querier, s Scale) error {
	all, err := c.places.count(ctx, db, s)
	if err != nil {
		return err
	}
	held, err := countRows(ctx, db, c.held)
	if err == nil && held != all {
		err = fmt.Errorf("%w, but in %d of %d places", ErrBroken, held, all)
	}
	return err
}

func (p places) count(ctx context.Context, db querier, s Scale) (n int, err error) {
	if p.of != nil {
		return p.of(s), nil
	}
	return n, db.QueryRowContext(ctx, p.counted).Scan(&n)
}

func countRows(ctx context.Context, db querier, query string) (int, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return 0, err
	}
	defer rows.Close() //nolint:errcheck // read to its end, or failed
	n := 0
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}
