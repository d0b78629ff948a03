package crashtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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
	s := newSiege(t)
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
	s.atRest(s.allOfTheNewest)
	s.end()
	s.lastly()
	s.report()
}

// rotated is what `tunic rotate --json` tells.
type rotated struct {
	Epoch  int
	New    bool `json:"new_master_key"`
	Tables []struct {
		Table string
		Epoch int
		Old   int `json:"of_older_epochs"`
	}
}

// rotate runs `tunic rotate`, to be killed at a point if there is one, and reports whether it
// was.
func (s *siege) rotate(point string) bool {
	s.t.Helper()
	out, err := s.rotating(point)
	if ended, failed := errors.AsType[*exec.ExitError](err); failed && point != "" && killed(ended) {
		return true
	}
	var is rotated
	if err != nil || json.Unmarshal(out, &is) != nil || len(is.Tables) == 0 {
		s.t.Errorf("tunic rotate: %v\n%s", err, out)
		return false
	}
	for _, t := range is.Tables {
		if t.Old > 0 {
			s.t.Errorf("%d rows of %s are of older epochs", t.Old, t.Table)
		}
	}
	s.count("rotations")
	s.t.Logf("epoch %d, new %v, %d tables", is.Epoch, is.New, len(is.Tables))
	return false
}

// rotating runs `tunic rotate`, whatever comes of it.
func (s *siege) rotating(point string) (out []byte, err error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), 4*stuck)
	defer cancel()
	c := exec.CommandContext(ctx, s.binary, "rotate", "--layers", "--json", "--quiet", "--backend", s.server.Addr,
		"--service-user", sandbox.ServiceUser, "--key", filepath.Join(s.nodes[0].dir, "key"))
	c.Env = append(sandbox.WithoutSettings(os.Environ()), "TUNIC_SERVICE_PASSWORD="+sandbox.ServicePassword)
	if point != "" {
		c.Env = append(c.Env, crash.PointVariable+"="+point)
	}
	var said strings.Builder
	c.Stderr = &said
	out, err = c.Output()
	ended, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case failed && ended.ExitCode() == 10 && strings.Contains(said.String(), "layers keep older epochs"):
		return out, nil // those that a primary key is over
	case failed:
		return out, fmt.Errorf("%w: %s", err, said.String())
	}
	return out, err
}

// allOfTheNewest counts, at the server and by its own means, the sealed forms that are not of
// the newest epoch.
func (s *siege) allOfTheNewest() {
	s.t.Helper()
	var epoch, forms int
	err := s.root.QueryRow("SELECT MAX(version) FROM _tunic.master").Scan(&epoch)
	if err != nil {
		s.t.Fatal(err)
	}
	found, err := s.root.Query("SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND DATA_TYPE IN ('varbinary', 'blob', 'mediumblob', 'longblob') AND COLUMN_NAME NOT LIKE '%$%'", database)
	if err != nil {
		s.t.Fatal(err)
	}
	var columns [][2]string
	for found.Next() {
		var c [2]string
		if err := found.Scan(&c[0], &c[1]); err != nil {
			s.t.Fatal(err)
		}
		columns = append(columns, c)
	}
	if err := errors.Join(found.Err(), found.Close()); err != nil {
		s.t.Fatal(err)
	}
	for _, c := range columns {
		var all, old int
		query := fmt.Sprintf("SELECT COUNT(`%[1]s`), COALESCE(SUM(HEX(SUBSTR(`%[1]s`, 2, 2)) <> '%04[3]X'), 0) FROM %[4]s.`%[2]s`", c[1], c[0], epoch, database)
		if err := s.root.QueryRow(query).Scan(&all, &old); err != nil || old > 0 {
			s.t.Errorf("%s.%s: %d of %d forms are not of epoch %d: %v", c[0], c[1], old, all, epoch, err)
		}
		forms += all
	}
	s.t.Logf("%d forms in %d columns, all of epoch %d", forms, len(columns), epoch)
	if forms == 0 {
		s.t.Error("nothing was counted")
	}
}
