package report

import (
	"context"
	"database/sql"
	"net"
	"strings"

	"tunic/internal/config"
)

// settingsQuery are the server's settings that say what it keeps of statements.
const settingsQuery = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'version_comment'," +
	" 'general_log', 'general_log_file', 'slow_query_log', 'slow_query_log_file', 'log_output', 'datadir'," +
	" 'log_bin', 'log_bin_basename', 'binlog_format', 'binlog_annotate_row_events', 'binlog_rows_query_log_events'," +
	" 'innodb_print_all_deadlocks', 'log_error', 'performance_schema'," +
	" 'server_audit_logging', 'server_audit_events', 'server_audit_output_type', 'server_audit_file_path'," +
	" 'audit_log_policy', 'audit_log_file')"

// server is what the server is, what it logs, and how it is reached.
func (g *gathering) server(ctx context.Context) error {
	settings, err := pairs(ctx, g.DB, settingsQuery)
	if err != nil {
		return err
	}
	g.report.Server = Server{Product: "MySQL", Version: settings["version"], Address: g.Config.Backend.Address}
	if strings.Contains(settings["version"], "MariaDB") {
		g.report.Server.Product = "MariaDB"
	}
	g.report.Logs = logsOf(settings)
	now, err := pairs(ctx, g.DB, "SHOW SESSION STATUS WHERE Variable_name IN ('Ssl_version', 'Ssl_cipher')")
	if err != nil {
		return err
	}
	g.report.Links = []Link{clientLink(g.Config), serverLink(g.Config, now["ssl_version"], now["ssl_cipher"])}
	g.report.Access = access(g.Config)
	return nil
}

// pairs are the rows of a SHOW of names, in lower case, and values.
func pairs(ctx context.Context, db *sql.DB, query string) (map[string]string, error) {
	all := map[string]string{}
	return all, each(ctx, db, func(rows *sql.Rows) error {
		var name string
		var value sql.NullString
		err := rows.Scan(&name, &value)
		all[strings.ToLower(name)] = value.String
		return err
	}, query)
}

// on reports whether a setting is on.
func on(value string) bool {
	return value != "" && !strings.EqualFold(value, "OFF") && value != "0" && !strings.EqualFold(value, "NONE")
}

// logsOf are what the server keeps statements or rows in.
func logsOf(s map[string]string) []Log {
	where := func(file, table string) string {
		var all []string
		for _, to := range strings.Split(strings.ToUpper(s["log_output"]), ",") {
			switch to {
			case "FILE":
				all = append(all, file)
			case "TABLE":
				all = append(all, table)
			}
		}
		return strings.Join(all, " and ")
	}
	log := func(name string, on bool, where, says string, literals bool) Log {
		if !on {
			return Log{Name: name, Says: "off"}
		}
		return Log{Name: name, On: true, Where: where, Says: says, Literals: literals}
	}
	const text = "keeps statements as they are sent: forms in the place of protected values, the literals of plain columns, and all that goes around tunic"
	all := []Log{
		log("general_log", on(s["general_log"]), where(s["general_log_file"], "mysql.general_log"), text, true),
		log("slow_query_log", on(s["slow_query_log"]), where(s["slow_query_log_file"], "mysql.slow_log"), "of slow statements: "+text, true),
		log("log_bin", on(s["log_bin"]), s["log_bin_basename"], binlogSays(s), false),
		log("innodb_print_all_deadlocks", on(s["innodb_print_all_deadlocks"]), s["log_error"], "the error log has the statements of each deadlock, as they are sent", true),
		log("performance_schema", on(s["performance_schema"]), "memory", "keeps the last statements of each session in memory, as they are sent, for who may read it", false),
	}
	if _, there := s["server_audit_logging"]; there {
		queries := s["server_audit_events"] == "" || strings.Contains(strings.ToUpper(s["server_audit_events"]), "QUERY")
		all = append(all, log("server_audit_logging", on(s["server_audit_logging"]) && queries, s["server_audit_file_path"], text, true))
	}
	if _, there := s["audit_log_policy"]; there {
		policy := strings.ToUpper(s["audit_log_policy"])
		all = append(all, log("audit_log_policy", policy == "ALL" || policy == "QUERIES", s["audit_log_file"], text, true))
	}
	return all
}

// binlogSays is what a binary log has.
func binlogSays(s map[string]string) string {
	says := "has every row that is written: forms of protected columns, values of plain ones; and what tables had before they were protected, until it is purged"
	switch {
	case !strings.EqualFold(s["binlog_format"], "ROW"):
		says += "; binlog_format " + s["binlog_format"] + ": statements as well, as they are sent"
	case on(s["binlog_annotate_row_events"]), on(s["binlog_rows_query_log_events"]):
		says += "; statements as well, as they are sent, beside their rows"
	}
	return says
}

// localAddress reports whether an address is on the machine itself.
func localAddress(address string) bool {
	network, at := config.Network(address)
	if network == "unix" {
		return true
	}
	host, _, err := net.SplitHostPort(at)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// clientLink is the side of clients, by the settings.
func clientLink(c *config.Config) Link {
	l := Link{Of: "clients", Address: c.Listen, TLS: string(c.TLS.Mode), Local: localAddress(c.Listen)}
	switch c.TLS.Mode {
	case config.ClientTLSRequired:
		l.Says, l.Safe = "every client has to use TLS", true
	case config.ClientTLSEnabled:
		l.Says = "TLS is offered, and a client need not use it"
	default:
		l.Says = "no client can use TLS"
	}
	if c.TLS.Mode != config.ClientTLSDisabled {
		switch {
		case c.TLS.Cert == "":
			l.Says += "; the certificate is one that tunic has made, which a client has to be given to check it"
		default:
			l.Says += "; the certificate is the operator's"
		}
		if c.TLS.ClientCA != "" {
			l.Says += "; clients need certificates"
		}
	}
	return l
}

// serverLinkSays is what each mode of TLS to the server is worth.
var serverLinkSays = map[config.TLSMode]string{
	config.TLSDisabled:   "no TLS is used",
	config.TLSPreferred:  "TLS is used if the server offers it, and its certificate is not checked: somebody in between can turn it off, or answer in the server's place",
	config.TLSRequired:   "TLS is used, and the certificate is not checked: somebody in between can answer in the server's place",
	config.TLSVerifyCA:   "TLS is used, and the certificate has to be signed by an authority that is trusted",
	config.TLSVerifyFull: "TLS is used, and the certificate has to be signed by an authority that is trusted, for the server's name",
}

// serverLink is the side of the server.
func serverLink(c *config.Config, version, cipher string) Link {
	l := Link{Of: "server", Address: c.Backend.Address, TLS: string(c.Backend.TLS), Local: localAddress(c.Backend.Address), Says: serverLinkSays[c.Backend.TLS], Now: "no TLS"}
	if version != "" {
		l.Now = version + ", " + cipher
	}
	l.Safe = c.Backend.TLS == config.TLSVerifyCA || c.Backend.TLS == config.TLSVerifyFull
	return l
}

// access is who may read and decide, by the settings.
func access(c *config.Config) []Fact {
	accounts := "every account of the server that logs in through tunic reads what its grants allow: who may make accounts at the server, or set passwords, can read everything"
	if len(c.Clients.Accounts) > 0 {
		accounts = "listed accounts alone reach protected tables; others are refused"
		if c.Clients.Others == config.OthersPlain {
			accounts = "listed accounts alone reach protected tables; others reach plain ones"
		}
	}
	annotators := "every account that may define tables may say in a COMMENT what a column is to be, within the rules"
	if len(c.Policy.Annotators) > 0 {
		annotators = "listed accounts alone may say in a COMMENT what a column is to be"
	}
	keyLayers := map[config.PolicyKeys]string{
		config.KeysAllow: "keys and annotations bring layers, and nobody is told", config.KeysWarn: "keys and annotations bring layers, with a note",
		config.KeysRefuse: "a key that needs a layer which no rule or annotation names is refused",
	}
	auto := map[config.PolicyLayers]string{
		config.LayersOff: "use of a table adds no layer", config.LayersAdvise: "use of a table adds no layer; layers that would pay are advised",
		config.LayersAuto: "use of a table adds layers, within the ceiling, where the values are not known to speak against them",
	}
	state := "none: a tunic that starts takes an older ledger for the newest"
	if c.Project.StateFile != "" {
		state = "a tunic that starts knows an older ledger, and refuses it"
	}
	return []Fact{
		{"clients.accounts", accounts},
		{"policy.annotators", annotators},
		{"policy.default", defaultSays(c)},
		{"policy.keys", keyLayers[c.Policy.Keys]},
		{"policy.layers", auto[c.Policy.Layers]},
		{"project.state_file", state},
	}
}

func defaultSays(c *config.Config) string {
	if c.Policy.Default == config.PolicyPlain {
		return "a column of a new table that nobody speaks of is plain"
	}
	return "a column of a new table that nobody speaks of is protected, and may have: " + string(c.Policy.Ceiling)
}
