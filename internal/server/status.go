package server

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/pace"
	"tunic/internal/jobs"
	"tunic/internal/ledger"
	"tunic/internal/plan/functions"
	"tunic/internal/scheme"
	"tunic/internal/status"
	"tunic/internal/usage"
)

// Status makes what tells of this server: see [status.Gatherer].
func (s *Server) Status(version, commit string, draining func() bool) *status.Gatherer {
	return status.New(status.Options{
		Version: version, Commit: commit, Metrics: s.metrics, Source: statusSource{s}, Ready: s.Ready, Draining: draining,
		Usage: s.usage, Refused: s.refused, Names: usage.Names{BuiltIn: functions.IsBuiltIn, Protected: s.protectedNames},
	})
}

// protectedNames are the names of protected tables that are named by one of the words, and of
// their schemas and columns, in lower case.
func (s *Server) protectedNames(words map[string]bool) map[string]bool {
	names := map[string]bool{}
	if s.protection == nil {
		return names
	}
	for t := range s.protection.ledger.Catalog().Tables() {
		if !words[strings.ToLower(t.Name)] {
			continue
		}
		names[strings.ToLower(t.Schema)], names[strings.ToLower(t.Name)] = true, true
		for i := range t.Columns {
			names[strings.ToLower(t.Columns[i].Name)] = true
		}
	}
	return names
}

// statusSource is what a server says of itself.
type statusSource struct{ *Server }

// Limit implements status.Source.
func (s statusSource) Limit() int { return s.live.Load().Limits.Connections }

// Working implements status.Source.
func (s statusSource) Working() bool {
	if s.protection == nil {
		return false
	}
	c := s.protection.ledger.Catalog()
	for _, j := range c.Jobs() {
		if j.Works() {
			return true
		}
	}
	for t := range c.Tables() {
		if t.Converting() {
			return true
		}
	}
	return false
}

// Protection implements status.Source.
func (s statusSource) Protection(ctx context.Context) *status.Protection {
	if s.protection == nil {
		return nil
	}
	held := s.protection.ledger
	c, tree := held.Catalog(), held.Tree()
	p := &status.Protection{
		Ledger: status.Ledger{
			Project: tree.Project().String(), Usable: true, Version: held.Version(),
			Members: held.Members(), Leased: held.Leased(), Barred: held.Barred(),
		},
		Keys: status.Keys{Epoch: tree.Newest(), Versions: tree.Versions(), Seals: s.metrics.KeySeals.Value(), SealsMax: scheme.SealsMax},
		Jobs: []status.Job{}, Encryptions: []status.Encryption{},
	}
	if err := held.Usable(); err != nil {
		p.Ledger.Usable, p.Ledger.Reason = false, err.Error()
	}
	tables := slices.SortedFunc(c.Tables(), func(a, b *catalog.Table) int {
		return strings.Compare(a.Schema+"."+a.Name, b.Schema+"."+b.Name)
	})
	for _, t := range tables {
		p.Tables = append(p.Tables, statusTable(t))
	}
	far, err := held.AllProgress(ctx)
	if err != nil {
		p.Error = "the database server does not say how far jobs and encryptions are"
	}
	p.Jobs = append(p.Jobs, statusJobs(c.Jobs(), far, held.Self())...)
	for _, t := range tables {
		if t.Encrypting() || t.Baring() {
			p.Encryptions = append(p.Encryptions, statusEncryption(t, far))
		}
	}
	return p
}

func statusTable(t *catalog.Table) status.Table {
	one := status.Table{Schema: t.Schema, Name: t.Name, View: t.View != nil, State: status.TableProtected, EpochOldest: math.MaxUint16}
	switch {
	case t.Encrypting():
		one.State = status.TableEncrypting
	case t.Baring():
		one.State = status.TableDecrypting
	case t.Moving():
		one.State = status.TableMoving
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Backfilling {
			continue
		}
		one.Columns++
		if !c.Protected() {
			continue
		}
		one.ProtectedColumns++
		one.EpochOldest, one.EpochNewest = min(one.EpochOldest, c.Epoch), max(one.EpochNewest, c.Epoch)
		for k := range c.Layers {
			if l := &c.Layers[k]; !l.Bare() {
				one.Layers++
			}
		}
	}
	one.EpochOldest = min(one.EpochOldest, one.EpochNewest)
	return one
}

// jobsEnded is how many jobs are told of that have ended.
const jobsEnded = 10

func statusJobs(all []*catalog.Job, far map[uint64]ledger.Progress, self [16]byte) (shown []status.Job) {
	ended := 0
	for _, j := range slices.Backward(all) {
		if !j.Live() {
			if ended++; ended > jobsEnded {
				continue
			}
		}
		p, known := far[j.ID]
		one := status.Job{
			ID: j.ID, Kind: j.Kind, Table: j.Schema + "." + j.Name, Column: j.ColumnName, State: j.State.String(), Stage: j.Stage,
			Asked: j.Asked, Cause: j.Cause, Here: known && j.Works() && p.Owner == self,
			Progress: status.Progress{Done: p.Done, Expected: p.Expected},
		}
		if j.Cause != "" {
			one.Fix = jobs.Cause(j.Cause).Fix()
		}
		shown = append(shown, one)
	}
	slices.SortStableFunc(shown, func(a, b status.Job) int { return ranked(a.State) - ranked(b.State) })
	return shown
}

// ranked orders jobs: what needs somebody, what goes on, what is over.
func ranked(state string) int {
	return slices.Index([]string{
		catalog.JobFailed.String(), catalog.JobCancelling.String(), catalog.JobRunning.String(), catalog.JobPaused.String(),
		catalog.JobDone.String(), catalog.JobCancelled.String(),
	}, state)
}

func statusEncryption(t *catalog.Table, far map[uint64]ledger.Progress) status.Encryption {
	p := far[pace.PlaceNumber(t.ID)]
	one := status.Encryption{Table: t.Schema + "." + t.Name, Direction: "encrypt", Progress: status.Progress{Done: p.Done, Expected: p.Expected}}
	if t.Baring() {
		one.Direction = "decrypt"
	}
	return one
}

// Warnings implements status.Source.
func (s statusSource) Warnings() (all []status.Warning) {
	all = s.certificateWarning(all)
	if n, limit := s.connected(), s.Limit(); n*10 >= limit*9 {
		all = append(all, status.Warning{
			Name: "connections", Level: status.Caution, Text: fmt.Sprintf("%d of %d connections of --max-connections are taken", n, limit),
			Fix: "look for clients that do not close theirs, or raise --max-connections",
		})
	}
	for _, alarm := range []struct {
		n    uint64
		text string
	}{
		{s.metrics.OpenFailures.Value(), "stored values did not open, since start: altered, moved, or of another key"},
		{s.metrics.MovedTokens.Value(), "rows had a token that is not of their value, since start"},
	} {
		if alarm.n > 0 {
			all = append(all, status.Warning{
				Name: "not_authentic", Level: status.Alarm, Text: fmt.Sprintf("%d %s", alarm.n, alarm.text),
				Fix: "see the log for the tables and columns, and run tunic verify",
			})
		}
	}
	if n := s.metrics.Memory.Refused.Value(); n > 0 {
		all = append(all, status.Warning{
			Name: "memory", Level: status.Notice, Text: fmt.Sprintf("%d large statements were refused for lack of memory, since start", n), Fix: "raise --memory",
		})
	}
	if s.protection == nil {
		return all
	}
	return s.keyWarnings(s.ledgerWarnings(all))
}

func (s statusSource) certificateWarning(all []status.Warning) []status.Warning {
	leaf, now := s.tls.leaf(), time.Now()
	if leaf == nil {
		return all
	}
	w := status.Warning{Name: "certificate", Level: status.Caution, Fix: "renew it and send SIGHUP"}
	switch left := leaf.NotAfter.Sub(now); {
	case left < 0:
		w.Level, w.Text = status.Alarm, "the certificate for clients has expired"
	case now.Before(leaf.NotBefore):
		w.Text = "the certificate for clients is not valid yet"
	case left < expiryNotice:
		w.Text = fmt.Sprintf("the certificate for clients expires in %d days", int(left.Hours()/24))
	default:
		return all
	}
	return append(all, w)
}

func (s statusSource) ledgerWarnings(all []status.Warning) []status.Warning {
	held := s.protection.ledger
	switch err := held.Usable(); {
	case err != nil:
		all = append(all, status.Warning{
			Name: "ledger", Level: status.Alarm, Text: err.Error(), Fix: "see the log; statements on protected tables are refused until it is back",
		})
	case held.Barred():
		all = append(all, status.Warning{
			Name: "read_only", Level: status.Caution, Text: "the database server takes no writes, or somebody has locked all tables: definitions wait",
			Fix: "have the server take writes again",
		})
	case !held.Leased():
		all = append(all, status.Warning{
			Name: "lease", Level: status.Caution, Text: "this tunic is late with reading the ledger: statements that name tables wait",
			Fix: "look whether the database server is slow, or this machine",
		})
	}
	for _, r := range s.live.Load().Policy.Rules {
		if r.Waits {
			all = append(all, status.Warning{
				Name: "rule_waits", Level: status.Notice, Text: "a rule of the policy lets plain tables be used in the clear: waits = true",
				Fix: "run tunic encrypt on them, then drop waits from the rule",
			})
			break
		}
	}
	return all
}

// Of what there is, a warning comes at three quarters.
const (
	sealsNear  = scheme.SealsMax / 4 * 3
	epochsNear = math.MaxUint16 / 4 * 3
)

func (s statusSource) keyWarnings(all []status.Warning) []status.Warning {
	if n := s.metrics.KeySeals.Value(); n >= sealsNear {
		all = append(all, status.Warning{
			Name: "key_seals", Level: status.Caution, Text: fmt.Sprintf("a key has sealed %d values; at %d its table gets another one", n, int64(scheme.SealsMax)),
			Fix: "run tunic rotate at a quiet hour if the table is large",
		})
	}
	if epoch := s.protection.ledger.Tree().Newest(); epoch >= epochsNear {
		all = append(all, status.Warning{
			Name: "epochs", Level: status.Caution, Text: fmt.Sprintf("%d of %d key epochs are used", epoch, math.MaxUint16),
			Fix: "rotate less often: the number of epochs is part of the stored form",
		})
	}
	return all
}
