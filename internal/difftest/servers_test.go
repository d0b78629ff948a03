package difftest

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	_ "github.com/go-sql-driver/mysql" // to look into process lists

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
)

var (
	everything  = flag.Bool("all", false, "run every script under every configuration, which takes minutes")
	onlyConfigs = flag.String("configs", "", "comma-separated configurations to run; all if empty")
	logFolder   = flag.String("server-logs", "", "folder for the error logs of the servers; nowhere if empty")
	onlyScripts = flag.String("scripts", "", "comma-separated corpus files to run, without extension; all if empty")
)

// serverArgs give both servers of a pair what the corpus needs: big packets, local
// files, and no reason to wait for the disk.
var serverArgs = map[string][]string{
	"mariadb": {
		"--max-allowed-packet=128M", "--local-infile=1", "--innodb-flush-log-at-trx-commit=0", "--sync-binlog=0",
		"--innodb-stats-auto-recalc=OFF", "--event-scheduler=OFF", "--long-query-time=3600", "--debug-no-sync",
	},
	"mysql": {
		"--max-allowed-packet=128M", "--local-infile=1", "--innodb-flush-log-at-trx-commit=0", "--skip-log-bin",
		"--innodb-stats-auto-recalc=OFF", "--event-scheduler=OFF", "--long-query-time=3600",
	},
}

// components are what the corpus calls and a server does not load by itself.
var components = map[string][]string{
	"mysql": {
		"INSTALL COMPONENT 'file://component_query_attributes'",
		"INSTALL COMPONENT 'file://component_classic_hashing'", // MD5, SHA1
	},
}

// pair is two equal servers, started once for all tests of a flavor.
type pair struct{ servers [2]*sandbox.Server }

var (
	pairsLock sync.Mutex
	pairs     = map[string]*pair{}
)

// sandboxes are the flavors by the names that the corpus has for them.
var sandboxes = map[string]sandbox.Flavor{"mariadb": sandbox.MariaDB, "mysql": sandbox.MySQL}

// startPair returns the pair of a flavor. Where its server is not installed the
// test is skipped with a line that says how to get it.
func startPair(t *testing.T, flavor string) *pair {
	t.Helper()
	pairsLock.Lock()
	defer pairsLock.Unlock()
	if p := pairs[flavor]; p != nil {
		return p
	}
	p := &pair{}
	for i := range p.servers {
		server := sandboxtest.Start(t, sandboxes[flavor], sandboxtest.Copy(i), sandboxtest.TLS,
			sandboxtest.Args(serverArgs[flavor]...), sandboxtest.Log(serverLog(flavor, i)))
		p.servers[i] = server
		if err := server.Exec(t.Context(), components[flavor]...); err != nil {
			t.Fatal(err)
		}
	}
	pairs[flavor] = p
	return p
}

// serverLog is where a server's error log goes: nowhere, unless somebody asks.
func serverLog(flavor string, i int) io.Writer {
	if *logFolder == "" {
		return nil
	}
	f, err := os.Create(filepath.Join(*logFolder, fmt.Sprintf("%s-%d.log", flavor, i)))
	if err != nil {
		panic(err)
	}
	return f
}

// direct is a peer with nothing before its server.
func (p *pair) direct(i int) Peer {
	s := p.servers[i]
	return Peer{Target: Target{Name: fmt.Sprintf("direct-%d", i), Addr: s.Addr}, Server: s}
}

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m)) }

func corpus(t *testing.T) []*Script {
	t.Helper()
	return some(t, filepath.Join("testdata", "corpus"))
}

// some are the scripts of a folder that are to run.
func some(t *testing.T, dir string) []*Script {
	t.Helper()
	scripts, err := LoadCorpus(dir)
	if err != nil {
		t.Fatal(err)
	}
	if *onlyScripts == "" {
		return scripts
	}
	var some []*Script
	for _, s := range scripts {
		if strings.Contains(","+*onlyScripts+",", ","+s.Name+",") {
			some = append(some, s)
		}
	}
	return some
}

// whole are the configurations that run every script even if there is little time:
// each mode, and each way to end a result.
var whole = []string{"text", "prepared-eof", "cursor", "mariadb-prepared"}

// configs returns the configurations of these names, all if there are none. The
// flag comes before them. Unless all is asked for, most are only sampled.
func configs(t *testing.T, names ...string) []*Config {
	t.Helper()
	if *onlyConfigs != "" {
		names = strings.Split(*onlyConfigs, ",")
	}
	all := Configs
	if len(names) > 0 {
		all = named(t, names)
	}
	if *everything || *onlyConfigs != "" {
		return all
	}
	if testing.Short() {
		all = all[:1]
	}
	var some []*Config
	for _, c := range all {
		one := *c
		one.Sample = one.Sample || testing.Short() || !slices.Contains(whole, c.Name)
		some = append(some, &one)
	}
	return some
}

func named(t *testing.T, names []string) []*Config {
	t.Helper()
	var some []*Config
	for _, name := range names {
		c := findConfig(name)
		if c == nil {
			t.Fatalf("no configuration is named %s", name)
		}
		some = append(some, c)
	}
	return some
}

// stale returns the pins that should have matched and did not. Those for certain
// configurations are sure to have had the occasion only if all was run.
func stale(pins *Pins, flavor string) []*Pin {
	if *onlyConfigs != "" || *onlyScripts != "" || testing.Short() {
		return nil
	}
	return slices.DeleteFunc(pins.Stale(flavor), func(p *Pin) bool { return p.Config != "*" && !*everything })
}

// check fails the test with every failure of the report, and logs its summary.
func check(t *testing.T, report *Report) {
	t.Helper()
	for _, f := range report.Failures {
		t.Errorf("%s", f)
	}
	for _, line := range report.NotRun {
		t.Logf("not run: %s", line)
	}
	for _, line := range report.Abandoned {
		t.Logf("abandoned after %d failures: %s", failuresMax, line)
	}
	fmt.Println(report.Summary())
}

func run(t *testing.T, r *Runner, scripts []*Script, configs []*Config) *Report {
	t.Helper()
	report, err := r.Run(context.WithoutCancel(t.Context()), scripts, configs)
	if err != nil {
		t.Fatal(err)
	}
	return report
}
