package bench

import (
	"context"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // as ShardingSphere forms its keys
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"tunic/internal/bench/matrix"
	"tunic/internal/sandbox"
)

// sharding is ShardingSphere-Proxy as a target. It knows the tables that are there when it
// starts, so it starts when all have been made; and those whose columns it encrypts
// have to be made for that: types that hold ciphertext are not its business.
type sharding struct {
	*bed
	key    string // "" for a proxy without a rule
	server *sandbox.Server
	tables map[string][]string  // with encrypted columns, of each database
	first  map[string]sealedRow // of each database's first table, if it has one: as it was before
}

// sealedRow is what a client is to read.
type sealedRow struct {
	id        int
	k, c, pad string
}

// sealedColumns are those of sysbench's tables that are encrypted: the ones that are
// protected under targetProtected. Their types hold the ciphertext of the longest value,
// in base64.
var sealedColumns = []struct{ name, stored string }{{"k", "VARCHAR(24)"}, {"c", "VARCHAR(172)"}, {"pad", "VARCHAR(88)"}}

func openShardingSphere(ctx context.Context, b *bed) (*hop, error) {
	return openSharding(ctx, &sharding{bed: b, server: b.server})
}

func openShardingSphereEncrypt(ctx context.Context, b *bed) (*hop, error) {
	if _, _, err := sandbox.FindShardingSphere(); err != nil {
		return nil, err // before a server is started for it
	}
	server, err := b.startOther(ctx, false)
	if err != nil {
		return nil, err
	}
	s := &sharding{bed: b, server: server, key: rand.Text(), tables: map[string][]string{}, first: map[string]sealedRow{}}
	return openSharding(ctx, s)
}

func openSharding(_ context.Context, s *sharding) (*hop, error) {
	if _, _, err := sandbox.FindShardingSphere(); err != nil {
		return nil, err
	}
	h := &hop{addr: s.server.Addr, server: s.server, begin: s.begin}
	if s.key != "" {
		h.seal = s.seal
	}
	return h, nil
}

// begin starts the proxy before databases whose tables have been made, and sees that it
// reads what its rule says is encrypted.
func (s *sharding) begin(ctx context.Context, databases []string) (*sandbox.Proc, error) {
	o := sandbox.ShardingSphereOptions{Backend: s.server.Addr, Key: s.key, Clients: threadsMax, Log: s.log}
	for _, database := range databases {
		schema := sandbox.ShardingSphereSchema{Database: database, Tables: s.tables[database]}
		for _, column := range sealedColumns {
			schema.Columns = append(schema.Columns, column.name)
		}
		o.Schemas = append(o.Schemas, schema)
	}
	p, err := sandbox.StartShardingSphere(ctx, o)
	if err != nil {
		return nil, err
	}
	for _, database := range databases {
		if err := s.check(ctx, p.Addr, database); err != nil {
			return nil, errors.Join(err, p.Stop())
		}
	}
	return p, nil
}

// seal puts ciphertext in the place of the values of sysbench's tables, at the server, as
// the proxy would have stored it: AES in ECB mode, in base64. MariaDB's function is the same.
func (s *sharding) seal(ctx context.Context, database string, tables []string) error {
	if err := s.remember(ctx, database, tables[0]); err != nil {
		return err
	}
	var statements []string
	for i, table := range tables {
		statements = append(statements, s.sealing(i+1, table)...)
	}
	if err := executeAll(ctx, s.server.Addr, database, statements); err != nil {
		return fmt.Errorf("encrypt the tables: %w", err)
	}
	s.tables[database] = tables
	return nil
}

// sealing are the statements for one table.
func (s *sharding) sealing(number int, table string) []string {
	sum := sha1.Sum([]byte(s.key)) //nolint:gosec // as above
	var columns, values strings.Builder
	for _, column := range sealedColumns {
		fmt.Fprintf(&columns, ", %s%s %s NOT NULL", column.name, sandbox.CipherSuffix, column.stored)
		fmt.Fprintf(&values, ", REPLACE(TO_BASE64(AES_ENCRYPT(%s, x'%x')), '\n', '') AS %[1]s%[3]s", column.name, sum[:16], sandbox.CipherSuffix)
	}
	return []string{
		fmt.Sprintf("CREATE TABLE sealed (id INTEGER NOT NULL AUTO_INCREMENT PRIMARY KEY%s, KEY k_%d (k%s)) SELECT id%s FROM %s",
			columns.String(), number, sandbox.CipherSuffix, values.String(), table),
		"DROP TABLE " + table,
		"RENAME TABLE sealed TO " + table,
	}
}

// remember keeps a row, if there is one, for check.
func (s *sharding) remember(ctx context.Context, database, table string) error {
	row, err := firstRow(ctx, s.server.Addr, database, "SELECT id, k, c, pad FROM "+table+" ORDER BY id LIMIT 1")
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	s.first[database] = row
	return err
}

// check reads that row through the proxy.
func (s *sharding) check(ctx context.Context, addr, database string) error {
	want, kept := s.first[database]
	if !kept {
		return nil
	}
	got, err := firstRow(ctx, addr, database, fmt.Sprintf("SELECT id, k, c, pad FROM %s WHERE id = %d", s.tables[database][0], want.id))
	if err != nil {
		return fmt.Errorf("read an encrypted row: %w", err)
	}
	if got != want {
		return fmt.Errorf("an encrypted row of %s is read as another", database)
	}
	return nil
}

func firstRow(ctx context.Context, addr, database, query string) (row sealedRow, err error) {
	db, err := sql.Open("mysql", dsn(addr, database))
	if err != nil {
		return row, err
	}
	defer db.Close() //nolint:errcheck // what matters was answered
	err = db.QueryRowContext(ctx, query).Scan(&row.id, &row.k, &row.c, &row.pad)
	return row, err
}

// shardingBulkThreads is of how many clients ShardingSphere is known to answer the bulk
// statements within the time that a run has beyond its seconds; of 24 it does not.
const shardingBulkThreads = 8

// withoutTime says why a workload cannot be had through ShardingSphere, whatever its rule.
func withoutTime(w matrix.Workload, threads int) string {
	if w.Bulk && threads > shardingBulkThreads {
		return fmt.Sprintf("with more than %d threads their first statements of half a megabyte may not be answered within a minute", shardingBulkThreads)
	}
	return ""
}

// withoutRule says why a workload cannot be had where ShardingSphere encrypts columns, ""
// if it can. Where the proxy has no rule for what is done with an encrypted column, it
// passes the statement on: the server does not know the column then, but it does know
// what to sort by, and sorts ciphertext.
func withoutRule(w matrix.Workload, _ int) string {
	switch w.Name {
	case "oltp_point_select", "oltp_update_non_index", "oltp_insert", "oltp_delete":
		return ""
	case "oltp_read_only", "oltp_read_write":
		return "of an encrypted column it answers SUM with error 1054, and ORDER BY in the order of ciphertext"
	case "oltp_write_only", "oltp_update_index":
		return "k = k + 1 of an encrypted column is answered with error 1054"
	}
	return "no rule is written for its tables"
}

// shardingSphereVersion is that of the jar that is installed, "" if it is none.
func shardingSphereVersion() string {
	const name = "shardingsphere-proxy-bootstrap-"
	_, jars, err := sandbox.FindShardingSphere()
	if err != nil {
		return ""
	}
	found, _ := filepath.Glob(filepath.Join(jars, name+"*.jar"))
	if len(found) == 0 {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(filepath.Base(found[0]), name), ".jar")
}
