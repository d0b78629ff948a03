package difftest

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
)

// Protected is what a run over protected tables adds to a comparison. Statements go
// through tunic first, and to the plain server only if tunic has not refused them:
// so both sides always have the same rows.
type Protected struct {
	Policy   *Policy
	Refusals Allowance // counted
	Refused  []string  // each of them, for who wants to read them
	Accounts bool      // scripts make accounts, and use those of the corpus

	// diverged says that a statement of the present script that writes was refused:
	// what the corpus promises of the plain server may not hold behind it.
	diverged bool
	// silent says that the last step of a session was refused, so that the server
	// knows nothing of it.
	silent map[string]bool
}

// begin starts a script: the promises of the corpus hold again.
func (p *Protected) begin() { p.diverged, p.silent = false, map[string]bool{} }

// refreshed makes the database of a target empty, by its own account of it: tunic
// has to know what goes.
func refreshed(ctx context.Context, t Target) error {
	db, err := sql.Open("mysql", "root:root@tcp("+t.Addr+")/")
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // what matters was answered
	for _, statement := range []string{
		"DROP DATABASE IF EXISTS " + Database + "_second",
		"DROP DATABASE IF EXISTS " + Database,
		"CREATE DATABASE " + Database + " CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci",
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %s: %w", t.Name, statement, err)
		}
	}
	return nil
}

// throughFirst runs a step through tunic, and then directly what tunic has not
// refused of it. ok is false if nothing is left to compare.
func (r *Runner) throughFirst(ctx context.Context, step *Step, config *Config, pair [2]*side) (replies [2][]Reply, ok bool) {
	p := r.Protected
	if step.Follows && p.silent[step.Session.Name] {
		return replies, false
	}
	if opened := logins(ctx, pair, step); opened[0] != nil || opened[1] != nil {
		differences, count := Compare(r.mask(step, opened[0]), r.mask(step, opened[1]), true)
		r.report.Comparisons += count
		r.note("login", config, step, differences)
	}
	replies[1] = pair[1].step(ctx, step)
	refused := refusedStatement(replies[1])
	p.silent[step.Session.Name] = refused != nil
	if refused == nil {
		replies[0] = pair[0].step(ctx, step)
		return replies, true
	}
	r.refuse(step, config, refused)
	if refused.executions == nil {
		forgetPrepared(ctx, pair[0], step)
		return replies, false
	}
	some := *step
	some.Skip = refused.executions
	replies[0] = pair[0].step(ctx, &some)
	replies[1] = withoutExecutions(replies[1], refused.executions)
	return replies, true
}

// preparing finds a PREPARE and the name that it gives.
var preparing = regexp.MustCompile("(?i)^\\s*PREPARE\\s+(`[^`]+`|\\w+)\\s+FROM\\b")

// forgetPrepared has the plain server forget the statement whose place that of a refused PREPARE was to take: a PREPARE that fails
// leaves none of its name.
func forgetPrepared(ctx context.Context, plain *side, step *Step) {
	if name := preparing.FindStringSubmatch(step.SQL); name != nil {
		plain.step(ctx, &Step{Kind: StepSQL, Session: step.Session, SQL: "DEALLOCATE PREPARE " + name[1], TextOnly: "it may fail"})
	}
}

// logins logs the step's session in on both sides where it is not.
func logins(ctx context.Context, pair [2]*side, step *Step) (replies [2][]Reply) {
	for i, s := range pair {
		_, replies[i] = s.session(ctx, step.Session)
	}
	return replies
}

// refuse counts a refusal.
func (r *Runner) refuse(step *Step, config *Config, what *refusal) {
	p := r.Protected
	r.report.Refusals++
	p.Refusals[Refused{r.Flavor, p.Policy.Name, config.Name, what.code, statementKind(step)}]++
	p.Refused = append(p.Refused, fmt.Sprintf("%s %s %s %s %s: %s", r.Flavor, p.Policy.Name, config.Name, what.code, step.Where(), step.Text()))
	p.diverged = p.diverged || !onlyReads(step)
}

// promised is unexpected for a run in which statements may have been refused. After
// that an answer that the corpus does not promise says only that the step tells
// nothing, which is counted.
func (r *Runner) promised(config *Config, step *Step, replies []Reply) string {
	problem := r.unexpected(config, step, replies)
	p := r.Protected
	if problem == "" || p == nil {
		return problem
	}
	if p.silent[step.Session.Name] { // part of it was refused, perhaps all executions
		return ""
	}
	if p.diverged {
		p.Refusals[Refused{r.Flavor, p.Policy.Name, config.Name, hollow, statementKind(step)}]++
		return ""
	}
	return problem
}

// tolerateLeftOut makes messages of the plain server equal to those of tunic that
// differ from them only by a value that is left out: what the server says of a
// protected value it does not know, and tunic's messages hold none.
func (r *Runner) tolerateLeftOut(direct, proxied []Reply) {
	for i := range min(len(direct), len(proxied)) {
		for j := range min(len(direct[i].Results), len(proxied[i].Results)) {
			if d, p := &direct[i].Results[j], &proxied[i].Results[j]; d.leaveOut(p) {
				r.report.LeftOut++
			}
		}
	}
}

// leaveOut does so for one result: its error message, or the rows of SHOW WARNINGS.
func (r *Result) leaveOut(proxied *Result) (changed bool) {
	for i, f := range r.Fields {
		other := proxied.field(f.Name)
		if f.Name == "error.message" && f.Value != other && withoutValue(f.Value) == other {
			r.Fields[i].Value, r.Raw, changed = other, nil, true
		}
	}
	if !r.areConditions() || !proxied.areConditions() || len(r.Rows) != len(proxied.Rows) {
		return changed
	}
	for i := range r.Rows {
		mine, other := &r.Rows[i].Cells[conditionText], &proxied.Rows[i].Cells[conditionText]
		if !bytes.Equal(mine.Bytes, other.Bytes) && withoutValue(string(mine.Bytes)) == string(other.Bytes) {
			mine.Bytes, r.Rows[i].Masked, proxied.Rows[i].Masked, changed = other.Bytes, true, true, true
		}
	}
	return changed
}

// leftOut are the words around a value in the servers' messages, and what stands
// there without it.
var leftOut = []struct{ before, after, without string }{
	{"Duplicate entry '", "' for key", "Duplicate entry for key"},
	{" value: '", "' for ", " value for "},
	{" value is out of range in '", "'", " value is out of range"},
}

// withoutValue is a message without the value in it.
func withoutValue(message string) string {
	for _, l := range leftOut {
		from := strings.Index(message, l.before)
		to := strings.LastIndex(message, l.after)
		if from >= 0 && to >= from {
			return message[:from] + l.without + message[to+len(l.after):]
		}
	}
	return message
}
