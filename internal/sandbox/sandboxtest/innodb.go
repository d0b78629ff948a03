package sandboxtest

import (
	"context"
	"database/sql"
	"regexp"
	"strconv"
	"strings"
)

// What InnoDB does is not read from information_schema.INNODB_TRX: it is a copy that a server makes anew
// only when nobody has looked at it for 100 ms, and tunic looks at it too.

// RowWaits is how many transactions wait for a row of another one, as SHOW GLOBAL STATUS has it
// (Innodb_row_lock_current_waits).
func RowWaits(ctx context.Context, db *sql.DB) (waits int, err error) {
	var name string
	err = db.QueryRowContext(ctx, "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'").Scan(&name, &waits)
	return waits, err
}

// Transactions are the connections that have a transaction of InnoDB open, as SHOW ENGINE INNODB STATUS
// has them. It takes PROCESS.
func Transactions(ctx context.Context, db *sql.DB) (connections []uint64, err error) {
	var engine, name, status string
	if err := db.QueryRowContext(ctx, "SHOW ENGINE INNODB STATUS").Scan(&engine, &name, &status); err != nil {
		return nil, err
	}
	return activeIn(status)
}

// Lines of a monitor's output: storage/innobase/lock/lock0lock.cc and trx/trx0trx.cc. Before the list come
// the transactions of the latest deadlock.
const (
	listOfTransactions = "LIST OF TRANSACTIONS FOR EACH SESSION:"
	oneTransaction     = "\n---TRANSACTION "
)

var (
	isActive     = regexp.MustCompile(`^\d+, ACTIVE`)
	ofConnection = regexp.MustCompile(`\n(?:MySQL|MariaDB) thread id (\d+),`)
)

// activeIn reads them from a monitor's output.
func activeIn(status string) (connections []uint64, err error) {
	_, list, _ := strings.Cut(status, listOfTransactions)
	for _, one := range strings.Split(list, oneTransaction)[1:] {
		of := ofConnection.FindStringSubmatch(one)
		if !isActive.MatchString(one) || of == nil {
			continue
		}
		connection, err := strconv.ParseUint(of[1], 10, 64)
		if err != nil {
			return nil, err
		}
		connections = append(connections, connection)
	}
	return connections, nil
}
