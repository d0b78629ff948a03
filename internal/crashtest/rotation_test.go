package crashtest

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tunic/internal/crash"
	"tunic/internal/sandbox"
)

// besides are points of others that `tunic rotate` passes, too: the definition by which
// a table comes to be written under the new epoch.
var besides = []string{"ledger.announced", "ledger.known", "ddl.online.altering", "ddl.online.altered", "ddl.online.settled"}

// TestRotation: the master key is changed under load, that of layers too, and `tunic rotate` is killed at each of
// its points. Clients of both tunics see no error and no wrong answer; what was cut off goes on
// when it is begun again; at the end the server counts no form of an older epoch.
func TestRotation(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short; it takes minutes")
	}
	if os.Getenv("TUNIC_LONG") == "" {
		t.Skip("takes minutes; set TUNIC_LONG=1 or run `make rotation`")
	}
	s := newSiege(t, heapKind) // a table without a fence keeps its epoch
	defer s.end()
	s.check("at first")
	s.rotate("")
	s.check("a rotation")
	var all []string
	for _, p := range points(t) {
		if p.kind == rotationKind {
			all = append(all, p.name)
		}
	}
	for _, name := range append(all, besides...) {
		if *only != "" && !strings.HasPrefix(name, *only) {
			continue
		}
		passed := s.rotate(name)
		if !passed { // no key may have been over a layer at first
			passed = s.rotate(name)
		}
		if !passed {
			t.Errorf("tunic rotate has not passed %s", name)
		}
		s.count("kills of tunic rotate at " + name)
		s.check("a kill of tunic rotate at " + name)
		s.rotate("")
		s.check("a rotation begun again")
	}
	s.amid("tunic rotate", func() ([]byte, error) { return s.rotating("") }, func() bool { return false })
	s.rotate("") // what was made while the last one was under way may be older than that
	s.atRest(func() {
		s.allOfTheNewest()
		s.needs()
	})
	s.end()
	s.destroyOlder()
	s.lastly()
	s.report()
}

// rotated is what `tunic rotate --json` tells.
type rotated struct {
	Epoch  int
	New    bool `json:"new_master_key"`
	Tables []struct {
		Table  string
		Epoch  int
		Sealed int `json:"sealed_anew"`
		Old    int `json:"of_older_epochs"`
		Layers int `json:"layers_to_renew"`
	}
}

// tunicRotate runs `tunic rotate` with more flags, to be killed at a point if there is one.
func (s *siege) tunicRotate(point string, flags ...string) (out []byte, said string, err error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), 4*stuck)
	defer cancel()
	flags = append([]string{
		"rotate", "--json", "--quiet", "--backend", s.server.Addr,
		"--service-user", sandbox.ServiceUser, "--key", filepath.Join(s.nodes[0].dir, "key"),
	}, flags...)
	c := exec.CommandContext(ctx, s.binary, flags...)
	c.Env = append(sandbox.WithoutSettings(os.Environ()), "TUNIC_SERVICE_PASSWORD="+sandbox.ServicePassword)
	if point != "" {
		c.Env = append(c.Env, crash.PointVariable+"="+point)
	}
	var b strings.Builder
	c.Stderr = &b
	out, err = c.Output()
	return out, b.String(), err
}

// rotate runs `tunic rotate`, to be killed at a point if there is one, and reports whether it
// was.
func (s *siege) rotate(point string) bool {
	s.t.Helper()
	began := time.Now()
	out, err := s.rotating(point)
	if ended, failed := errors.AsType[*exec.ExitError](err); failed && point != "" && killed(ended) {
		s.t.Logf("killed at %s in %v", point, time.Since(began).Round(time.Millisecond))
		return true
	}
	var is rotated
	if err != nil || json.Unmarshal(out, &is) != nil || len(is.Tables) == 0 {
		s.t.Errorf("tunic rotate: %v\n%s", err, out)
		return false
	}
	sealed := 0
	for _, t := range is.Tables {
		sealed += t.Sealed
		if t.Old > 0 || t.Layers > 0 {
			s.t.Errorf("%d rows and %d layers of %s are of older epochs", t.Old, t.Layers, t.Table)
		}
	}
	s.count("rotations")
	s.t.Logf("epoch %d, new %v, %d tables, %d rows sealed anew, in %v", is.Epoch, is.New, len(is.Tables), sealed, time.Since(began).Round(time.Millisecond))
	return false
}

// rotating runs `tunic rotate`, whatever comes of it.
func (s *siege) rotating(point string) (out []byte, err error) {
	out, said, err := s.tunicRotate(point, "--layers")
	ended, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case failed && ended.ExitCode() == 10 && strings.Contains(said, "layers keep older epochs"):
		return out, nil // those that a primary key is over
	case failed:
		return out, fmt.Errorf("%w: %s", err, said)
	}
	return out, err
}

// allOfTheNewest counts, at the server and by its own means, sealed forms by their epochs: all
// have to be of the newest.
func (s *siege) allOfTheNewest() {
	s.t.Helper()
	var newest int
	if err := s.root.QueryRow("SELECT MAX(version) FROM _tunic.master").Scan(&newest); err != nil {
		s.t.Fatal(err)
	}
	columns, err := pairs(s.root.Query("SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND DATA_TYPE IN ('binary', 'varbinary', 'blob', 'mediumblob', 'longblob') AND COLUMN_NAME NOT LIKE '%$%'", database))
	if err != nil {
		s.t.Fatal(err)
	}
	forms, tables := map[string]int{}, map[string]map[string]bool{}
	for _, c := range columns {
		query := fmt.Sprintf("SELECT CONV(HEX(SUBSTR(`%[1]s`, 2, 2)), 16, 10) AS epoch, COUNT(*) FROM %[3]s.`%[2]s` WHERE `%[1]s` IS NOT NULL GROUP BY epoch", c[1], c[0], database)
		counted, err := pairs(s.root.Query(query))
		if err != nil {
			s.t.Fatalf("%s: %v", query, err)
		}
		for _, by := range counted {
			n, _ := strconv.Atoi(by[1])
			forms[by[0]] += n
			if tables[by[0]] == nil {
				tables[by[0]] = map[string]bool{}
			}
			tables[by[0]][c[0]] = true
			if by[0] != strconv.Itoa(newest) {
				s.t.Errorf("%s.%s: %d forms are of epoch %s and not %d", c[0], c[1], n, by[0], newest)
			}
		}
	}
	for epoch := range newest + 1 {
		is := strconv.Itoa(epoch)
		s.t.Logf("epoch %d: %d sealed values in %d tables", epoch, forms[is], len(tables[is]))
	}
	if forms[strconv.Itoa(newest)] == 0 {
		s.t.Error("nothing was counted")
	}
}

// pairs are the rows of a query of two columns.
func pairs(found *sql.Rows, err error) (all [][2]string, _ error) {
	if err != nil {
		return nil, err
	}
	for found.Next() {
		var one [2]string
		if err := found.Scan(&one[0], &one[1]); err != nil {
			return nil, errors.Join(err, found.Close())
		}
		all = append(all, one)
	}
	return all, errors.Join(found.Err(), found.Close())
}

// masterKey is what `tunic rotate --destroy --json` tells of a master key.
type masterKey struct {
	Version int
	Fate    string
	Needed  []string `json:"needed_by"`
}

// keys are what `tunic rotate --destroy` tells.
func (s *siege) keys(flags ...string) []masterKey {
	s.t.Helper()
	out, said, err := s.tunicRotate("", append(flags, "--destroy")...)
	var told struct {
		Keys []masterKey `json:"master_keys"`
	}
	if err != nil || json.Unmarshal(out, &told) != nil || len(told.Keys) < 2 {
		s.t.Fatalf("tunic rotate --destroy: %v: %s\n%s", err, said, out)
	}
	for _, k := range told.Keys {
		s.t.Logf("master key %d: %s %q", k.Version, k.Fate, k.Needed)
	}
	return told.Keys
}

// ofLayers is how it begins what needs a master key for layers.
const ofLayers = "layers of "

// needs looks what still needs an older master key by tunic's own count: layers, and nothing else.
// It returns their tables.
func (s *siege) needs() (tables []string) {
	s.t.Helper()
	for _, k := range s.keys("--dry-run") {
		for _, by := range k.Needed {
			table, isLayer := strings.CutPrefix(by, ofLayers)
			if k.Fate != "newest" && !isLayer {
				s.t.Errorf("master key %d is needed by %s", k.Version, by)
			}
			tables = append(tables, table)
		}
	}
	return tables
}

// destroyOlder destroys all master keys but the newest, once no primary key is over a layer any
// more, which would keep its master key.
func (s *siege) destroyOlder() {
	s.t.Helper()
	c := s.newClient("definer of the end", s.nodes[0], 0)
	s.over.Store(false) // it connects
	defer c.close()
	for _, table := range s.needs() {
		if _, err := c.exec("ALTER TABLE " + table + " DROP PRIMARY KEY, ADD COLUMN number BIGINT AUTO_INCREMENT PRIMARY KEY, ADD UNIQUE KEY instead (id)"); err != nil {
			s.t.Fatalf("%s: %v", table, err)
		}
	}
	s.rotate("")
	for _, k := range s.keys() {
		if k.Fate != "newest" && k.Fate != "destroyed" {
			s.t.Errorf("master key %d: %s", k.Version, k.Fate)
		}
	}
}
