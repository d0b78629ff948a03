package metrics

import (
	"maps"
	"slices"
)

// describe lists every family, in the order of docs/metrics.md: from the
// client inwards.
func (m *Metrics) describe(o Options) []*family {
	return slices.Concat(
		m.clientFamilies(),
		m.memoryFamilies(),
		m.statementFamilies(),
		m.keyFamilies(),
		m.planCacheFamilies(),
		m.rowCacheFamilies(),
		m.backendFamilies(),
		m.jobFamilies(),
		m.configFamilies(),
		buildFamilies(o),
	)
}

func (m *Metrics) clientFamilies() []*family {
	c := &m.Connections
	return []*family{
		newFamily(family{
			name: "tunic_ready", kind: gauge,
			help: "1 if a client would be served now, as /readyz says; 0 otherwise, and while tunic drains.",
			read: one(m.readReady),
		}),
		newFamily(family{
			name: "tunic_connections_accepted_total", kind: counter,
			help: "Client connections accepted, whatever became of them.",
			read: counted(&c.Accepted),
		}),
		newFamily(family{
			name: "tunic_connections_open", kind: gauge,
			help: "Client connections open now, those that are logging in included.",
			read: gauged(&c.Open),
		}),
		newFamily(family{
			name: "tunic_connections_refused_total", kind: counter,
			help:   "Client connections closed before their session began; backend is a server that cannot be reached, or whose greeting is an error, logins are too many logins under way.",
			labels: []label{{"reason", connectionRefusalNames[:]}},
			read:   listed(connectionRefusalNames[:], c.refused[:]),
		}),
		newFamily(family{
			name: "tunic_logins_total", kind: counter,
			help:   "Logins by result: denied is the server's refusal, refused tunic's own, aborted a client that left. An account that tunic does not let in is a refused connection; it counts here where it comes by COM_CHANGE_USER.",
			labels: []label{{"result", loginResultNames[:]}},
			read:   listed(loginResultNames[:], m.logins[:]),
		}),
		newFamily(family{
			name: "tunic_logins_slowed_total", kind: counter,
			help: "Denied logins whose answer waited, as there were many of that address.",
			read: counted(&m.LoginsSlowed),
		}),
		newFamily(family{
			name: "tunic_sessions", kind: gauge,
			help:   "Sessions by what they are doing now; transaction is idle inside one.",
			labels: []label{{"state", sessionStateNames[:]}},
			read:   m.emitSessions,
		}),
		newFamily(family{
			name: "tunic_prepared_statements_open", kind: gauge,
			help: "Prepared statements all sessions hold open.",
			read: gauged(&m.Prepared),
		}),
		newFamily(family{
			name: "tunic_tls_certificate_not_after_seconds", kind: gauge,
			help: "When the certificate that clients see ends, in seconds since 1970; 0 without TLS.",
			read: gauged(&m.CertificateNotAfter),
		}),
		newFamily(family{
			name: "tunic_client_bytes_total", kind: counter,
			help:   "Bytes of commands and files read from clients (in) and of answers written to them (out), before TLS and compression.",
			labels: []label{{"direction", []string{"in", "out"}}},
			read:   m.emitBytes,
		}),
	}
}

func (m *Metrics) memoryFamilies() []*family {
	return []*family{
		newFamily(family{
			name: "tunic_memory_waited_total", kind: counter,
			help: "Large statements that waited for memory of --memory.",
			read: counted(&m.Memory.Waited),
		}),
		newFamily(family{
			name: "tunic_memory_refused_total", kind: counter,
			help: "Large statements refused as there was no memory of --memory.",
			read: counted(&m.Memory.Refused),
		}),
	}
}

func (m *Metrics) statementFamilies() []*family {
	return []*family{
		newFamily(family{
			name: "tunic_commands_total", kind: counter,
			help:   "Commands of clients by the first byte of their packet.",
			labels: []label{{"command", commandLabels()}},
			read:   m.emitCommands,
		}),
		newFamily(family{
			name: "tunic_statements_total", kind: counter,
			help:   "Statements by kind and by what tunic did; series appear with their first statement.",
			labels: []label{{"kind", nil}, {"action", nil}},
			read:   m.emitStatements,
		}),
		newFamily(family{
			name: "tunic_statements_local_total", kind: counter,
			help: "Statements of which tunic has done a part itself, on rows that it has opened: to filter, group, sort or compute.",
			read: counted(&m.Local),
		}),
		newFamily(family{
			name: "tunic_statements_refused_late_total", kind: counter,
			help: "Statements that tunic has refused while it carried them out: their action in tunic_statements_total is another one than refuse.",
			read: counted(&m.RefusedLate),
		}),
		newFamily(family{
			name: "tunic_refusals_total", kind: counter,
			help:   "Errors of tunic's own that clients got, by the code; tunic help CODE explains it.",
			labels: []label{{"code", nil}},
			read:   m.emitRefusals,
		}),
		newFamily(family{
			name: "tunic_replanned_total", kind: counter,
			help: "Statements that the server refused because another tunic had changed a table, and that were planned and sent again.",
			read: counted(&m.Replanned),
		}),
		newFamily(family{
			name: "tunic_advice_total", kind: counter,
			help: "Times that a layer was advised, to add or to drop, in SHOW WARNINGS or the log.",
			read: counted(&m.Advice),
		}),
		newFamily(family{
			name: "tunic_layer_jobs_asked_total", kind: counter,
			help: "Jobs that policy.layers = auto has asked for.",
			read: counted(&m.LayersAsked),
		}),
		newFamily(family{
			name: "tunic_query_duration_seconds", kind: histogram,
			help:      "Time from a command read to its answer written, the server's work included.",
			histogram: m.durations,
		}),
	}
}

// keyFamilies are of keys, and of what is stored under them.
func (m *Metrics) keyFamilies() []*family {
	return []*family{
		newFamily(family{
			name: "tunic_key_epoch", kind: gauge,
			help: "Version of the newest master key that this tunic has: the epoch under which it makes what is new. The same on all tunics before one database.",
			read: gauged(&m.KeyEpoch),
		}),
		newFamily(family{
			name: "tunic_key_seals", kind: gauge,
			help: "About how many values the key has sealed that has sealed most of those in use, by all tunics before the database. At 2^31 its table gets another key; the log says what keeps it from that.",
			read: gauged(&m.KeySeals),
		}),
		newFamily(family{
			name: "tunic_open_failures_total", kind: counter,
			help: "Stored values that did not open: altered, moved, or of another key. Each is an alarm; the log has the table and the column.",
			read: counted(&m.OpenFailures),
		}),
		newFamily(family{
			name: "tunic_moved_tokens_total", kind: counter,
			help: "Rows that the server has found by a token, or that have one in their key, that is not of their value. Each is an alarm; the log has the table and the column.",
			read: counted(&m.MovedTokens),
		}),
	}
}

func (m *Metrics) planCacheFamilies() []*family {
	cache := func(name string, k kind, help string, of func(PlanCache) float64) *family {
		return newFamily(family{
			name: "tunic_plan_cache_" + name, kind: k, help: help,
			read: one(func() float64 { return of(m.readPlanCache()) }),
		})
	}
	return []*family{
		cache("hits_total", counter, "Statements whose plan was in the cache.",
			func(p PlanCache) float64 { return float64(p.Hits) }),
		cache("misses_total", counter, "Statements that had to be parsed.",
			func(p PlanCache) float64 { return float64(p.Misses) }),
		cache("evictions_total", counter, "Plans dropped to make room.",
			func(p PlanCache) float64 { return float64(p.Evictions) }),
		cache("entries", gauge, "Plans in the cache.",
			func(p PlanCache) float64 { return float64(p.Entries) }),
		cache("bytes", gauge, "Memory the cache accounts for, in bytes.",
			func(p PlanCache) float64 { return float64(p.Bytes) }),
	}
}

func (m *Metrics) rowCacheFamilies() []*family {
	of := func(name, help string, c *Counter) *family {
		return newFamily(family{name: "tunic_row_cache_" + name, kind: counter, help: help, read: counted(c)})
	}
	return []*family{
		of("hits_total", "Rows of an UPDATE by their key that were written as the cache had them, and not read before.", &m.RowCache.Hits),
		of("misses_total", "Rows of such an UPDATE that were not in the cache.", &m.RowCache.Misses),
		of("stale_total", "Rows of such an UPDATE that had changed since the cache got them: they were read after all.", &m.RowCache.Stale),
	}
}

func (m *Metrics) backendFamilies() []*family {
	b := &m.Backend
	return []*family{
		newFamily(family{
			name: "tunic_backend_connects_total", kind: counter,
			help: "Connections made to the database server.",
			read: counted(&b.Connects),
		}),
		newFamily(family{
			name: "tunic_backend_errors_total", kind: counter,
			help:   "Connections to the database server that failed, or broke under a command.",
			labels: []label{{"reason", backendErrorNames[:]}},
			read:   listed(backendErrorNames[:], b.errors[:]),
		}),
	}
}

func (m *Metrics) configFamilies() []*family {
	return []*family{
		newFamily(family{
			name: "tunic_config_last_reload_successful", kind: gauge,
			help: "1 if the configuration could be used the last time it was read, at start or at SIGHUP; 0 if tunic goes on with an earlier one.",
			read: gauged(&m.Reloaded),
		}),
		newFamily(family{
			name: "tunic_config_last_reload_success_timestamp_seconds", kind: gauge,
			help: "When the configuration that is in use was read, in seconds since 1970.",
			read: gauged(&m.ReloadedAt),
		}),
	}
}

func buildFamilies(o Options) []*family {
	return []*family{newFamily(family{
		name: "tunic_build_info", kind: gauge,
		help:   "Always 1; its labels say which build runs.",
		labels: []label{{name: "version"}, {name: "commit"}, {name: "go"}},
		read:   func(emit emitter) { emit(1, o.Version, o.Commit, o.Go) },
	})}
}

func (m *Metrics) emitSessions(emit emitter) {
	for state, n := range m.readSessions() {
		emit(float64(n), sessionStateNames[state])
	}
}

func (m *Metrics) emitBytes(emit emitter) {
	b := &m.Bytes
	emit(float64(b.ClientIn.Value()), "in")
	emit(float64(b.ClientOut.Value()), "out")
}

// commandLabels are the labels of commands in order of their bytes.
func commandLabels() []string {
	var names []string
	for _, name := range commandNames {
		if name != "" {
			names = append(names, name)
		}
	}
	return append(names, unknown)
}

func (m *Metrics) emitCommands(emit emitter) {
	var other *Counter
	for b, name := range commandNames {
		if name == "" {
			other = m.commands[b]
			continue
		}
		emit(float64(m.commands[b].Value()), name)
	}
	emit(float64(other.Value()), unknown)
}

// emitStatements leaves out pairs that never happened: most kinds have one
// action, and a page of zeros helps nobody.
func (m *Metrics) emitStatements(emit emitter) {
	g := &m.statements
	for i := range g.cells {
		if n := g.cells[i].Value(); n > 0 {
			columns := g.columns.list
			emit(float64(n), g.rows.list[i/len(columns)], columns[i%len(columns)])
		}
	}
}

func (m *Metrics) emitRefusals(emit emitter) {
	for _, code := range slices.Sorted(maps.Keys(m.refusals)) {
		emit(float64(m.refusals[code].Value()), refusalName(code))
	}
}
