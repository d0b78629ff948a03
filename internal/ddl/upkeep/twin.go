package upkeep

import (
	"context"
	"slices"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/definition"
	"tunic/internal/ledger"
)

// DropTwin drops a twin, and those of the views over it. One that it fails to drop is swept at the next start.
func (s *Tables) DropTwin(ctx context.Context, name string) {
	s.dropViewTwinsOver(ctx, name)
	crash.Point("ddl.twin.left")
	if _, err := s.DB.ExecContext(context.WithoutCancel(ctx), "DROP TABLE IF EXISTS "+definition.QuotedTwin(name)); err != nil {
		s.Log.Warn("an old twin is left", "twin", name, "error", err)
	}
}

// DropViewTwin drops the twin of a view, and those of the views over it. One that it fails to drop is swept
// at the next start.
func (s *Tables) DropViewTwin(ctx context.Context, name string) {
	s.dropViewTwinsOver(ctx, name)
	if _, err := s.DB.ExecContext(context.WithoutCancel(ctx), "DROP VIEW IF EXISTS "+definition.QuotedTwin(name)); err != nil {
		s.Log.Warn("an old twin is left", "twin", name, "error", err)
	}
}

// dropViewTwinsOver drops the twins of views over a twin that goes. They are made anew when the views are used,
// and until then a server would have views that read nothing: a dump of schema _tunic ends at such a view.
func (s *Tables) dropViewTwinsOver(ctx context.Context, name string) {
	for v := range s.Ledger.Catalog().Views() {
		if slices.ContainsFunc(v.View.Over, func(of catalog.ViewOver) bool { return of.Twin == name }) {
			s.DropViewTwin(ctx, v.Twin)
		}
	}
}

// DropTwins drops the twins of tables that are gone.
func (s *Tables) DropTwins(ctx context.Context, done []ledger.Step) {
	for _, step := range done {
		if step.Old.View != nil {
			s.DropViewTwin(ctx, step.Old.Twin)
			continue
		}
		s.DropTwin(ctx, step.Old.Twin)
	}
}

// DropUnused drops those of a table's or view's twins that the catalog does not have. A change that
// has failed here may have been settled by another process, which has found it done, or has
// taken the table as it was before: so either twin may be in use. Where that cannot be
// known, both are left, and swept by who starts alone.
func (s *Tables) DropUnused(ctx context.Context, t *catalog.Table, twins ...string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settledWithin)
	defer cancel()
	if err := s.Ledger.Refresh(ctx, []*catalog.Table{t}); err != nil {
		return
	}
	used := map[string]bool{}
	for t := range s.Ledger.Catalog().Tables() {
		used[t.Twin] = true
	}
	for v := range s.Ledger.Catalog().Views() {
		used[v.Twin] = true
	}
	drop := s.DropTwin
	if t.View != nil {
		drop = s.DropViewTwin
	}
	for _, name := range twins {
		if !used[name] {
			drop(ctx, name)
		}
	}
}

// settledWithin is how long it is waited for who settles what has become of a change.
const settledWithin = 10 * time.Second
