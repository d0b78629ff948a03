package metrics

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

var rewrite = flag.Bool("rewrite", false, "write the generated document instead of comparing it")

// TestDocument keeps docs/metrics.md what is registered.
func TestDocument(t *testing.T) {
	const path = "../../docs/metrics.md"
	want := document(New(Options{}), readAlerts(t))
	if *rewrite {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is not what is registered; run go test ./internal/metrics -rewrite\n%s", path, diff)
	}
}

// TestLint asks Prometheus' own rules for names, units and help.
func TestLint(t *testing.T) {
	problems, err := testutil.GatherAndLint(New(testOptions()).Gatherer())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if strings.HasPrefix(p.Metric, "tunic_") {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	}
}

const documentHead = `<!-- Generated from the families in internal/metrics by go test ./internal/metrics -rewrite. Do not edit. -->

# Metrics

With ` + "`--admin HOST:PORT`" + ` tunic serves these metrics at ` + "`/metrics`" + `, in Prometheus' format. Label values come from lists fixed when tunic
starts; no label ever holds what a client chose, such as a user, a schema or SQL. Beside them are the ` + "`go_*` and `process_*`" + ` metrics of
the Go runtime and of the process.

Some have an alert, in [tunic.rules.yaml](../deploy/prometheus/tunic.rules.yaml); [tunic.json](../deploy/grafana/tunic.json) is a dashboard
([how to use them](install.md#metrics-alerts-and-a-dashboard)).
`

// labelValues says where the values of labels come from that other rooms list.
var labelValues = map[string]string{
	"kind":    "the kinds of [sql-support.md](sql-support.md), and `unknown`",
	"action":  "the actions of [sql-support.md](sql-support.md), and `unknown`",
	"code":    "the codes of [errors.md](errors.md), and `unknown`",
	"version": "the version",
	"commit":  "the commit it was built from",
	"go":      "the Go release it was built with",
}

// document is docs/metrics.md.
func document(m *Metrics, alerts []alert) string {
	var b strings.Builder
	b.WriteString(documentHead)
	for _, f := range m.families {
		fmt.Fprintf(&b, "\n## `%s`\n\n*%s*: %s\n", f.name, f.kind, f.help)
		if len(f.labels) > 0 {
			b.WriteString("\n| label | values |\n|---|---|\n")
		}
		for _, l := range f.labels {
			fmt.Fprintf(&b, "| `%s` | %s |\n", l.name, valuesText(l))
		}
		if f.histogram != nil {
			fmt.Fprintf(&b, "\nBuckets end at %s.\n", bucketsText())
		}
		if names := alertsOn(f.name, alerts); len(names) > 0 {
			fmt.Fprintf(&b, "\nAlerts: `%s`.\n", strings.Join(names, "`, `"))
		}
	}
	return b.String()
}

func valuesText(l label) string {
	if l.values == nil {
		return labelValues[l.name]
	}
	return "`" + strings.Join(l.values, "`, `") + "`"
}

func bucketsText() string {
	var list []string
	for _, bound := range bucketBounds {
		list = append(list, bound.String())
	}
	return strings.Join(list, ", ")
}

// TestLabelsDocumented: no label is without a word on its values.
func TestLabelsDocumented(t *testing.T) {
	for _, f := range New(Options{}).families {
		for _, l := range f.labels {
			if valuesText(l) == "" {
				t.Errorf("%s: what are the values of %s?", f.name, l.name)
			}
		}
	}
}
