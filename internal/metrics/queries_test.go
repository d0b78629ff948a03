package metrics

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The queries that operators are given.
const (
	rulesPath     = "../../deploy/prometheus/tunic.rules.yaml"
	ruleTestsGlob = "../../deploy/prometheus/*.test.yaml"
	dashboardPath = "../../deploy/grafana/tunic.json"
	errorsPath    = "../../docs/errors.md"
)

// alert is a rule of deploy/prometheus.
type alert struct{ name, query string }

var (
	alertPattern = regexp.MustCompile(`(?m)^ *- alert: (\w+)$`)
	// exprPattern is the query of a rule, on its line or on those below, up to the next key.
	exprPattern = regexp.MustCompile(`(?ms)^ {8}expr: (.*?)^ {8}\w+:`)
	// selectorPattern is a name in a query, perhaps with matchers behind it.
	selectorPattern = regexp.MustCompile(`\b(tunic_\w+|process_\w+|go_\w+|up)\b(?:\{([^}]*)\})?`)
	matcherPattern  = regexp.MustCompile(`(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"`)
	groupPattern    = regexp.MustCompile(`\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)`)
	plainPattern    = regexp.MustCompile(`^[\w|-]+$`)
	// whole is a family's name as histograms have it, without what their series add.
	seriesSuffix = regexp.MustCompile(`_(?:bucket|sum|count)$`)
)

// ofScrapes are the labels that Prometheus adds.
var ofScrapes = []string{"job", "instance"}

// readAlerts reads the rules.
func readAlerts(t *testing.T) []alert {
	t.Helper()
	text, err := os.ReadFile(rulesPath)
	if err != nil {
		t.Fatal(err)
	}
	starts := alertPattern.FindAllSubmatchIndex(text, -1)
	var found []alert
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		query := exprPattern.FindSubmatch(text[at[0]:end])
		if query == nil {
			t.Fatalf("%s: no expr is found in %s", rulesPath, text[at[2]:at[3]])
		}
		found = append(found, alert{string(text[at[2]:at[3]]), string(query[1])})
	}
	if len(found) == 0 {
		t.Fatalf("%s has no alerts", rulesPath)
	}
	return found
}

// alertsOn are the alerts whose query names a family.
func alertsOn(family string, alerts []alert) []string {
	var names []string
	for _, a := range alerts {
		for _, m := range selectorPattern.FindAllStringSubmatch(a.query, -1) {
			if m[1] == family && !slices.Contains(names, a.name) {
				names = append(names, a.name)
			}
		}
	}
	return names
}

// queries collects the strings of the keys in a document of JSON, with the titles of the panels
// that have them.
func queries(value any, title string, found map[string]string) {
	switch value := value.(type) {
	case map[string]any:
		if own, ok := value["title"].(string); ok {
			title = own
		}
		for key, inner := range value {
			text, isText := inner.(string)
			if isText && text != "" && (key == "expr" || key == "definition") {
				found[text] = title
			}
			queries(inner, title, found)
		}
	case []any:
		for _, inner := range value {
			queries(inner, title, found)
		}
	}
}

// judge is what is wrong with a query: names and labels that no family has, and values of labels
// that are not on their list.
func judge(query string, families map[string]*family, others []string, codes string) []string {
	var found []string
	named := 0
	for _, m := range selectorPattern.FindAllStringSubmatch(query, -1) {
		f, ok := families[m[1]]
		if whole := seriesSuffix.ReplaceAllString(m[1], ""); !ok && families[whole] != nil && families[whole].histogram != nil {
			f, ok = families[whole], true
		}
		if !ok && !slices.Contains(others, m[1]) {
			found = append(found, "there is no metric "+m[1])
			continue
		}
		named++
		for _, matcher := range matcherPattern.FindAllStringSubmatch(m[2], -1) {
			found = append(found, judgeMatcher(m[1], matcher, f, codes)...)
		}
	}
	if named == 0 {
		found = append(found, "no metric is named")
	}
	for _, m := range groupPattern.FindAllStringSubmatch(query, -1) {
		for _, name := range strings.FieldsFunc(m[1], func(c rune) bool { return c == ',' || c == ' ' }) {
			if !slices.Contains(ofScrapes, name) && name != "le" && !someLabel(families, name) {
				found = append(found, "no metric has the label "+name)
			}
		}
	}
	return found
}

// judgeMatcher judges one matcher of a selector, whose family is nil for metrics of Go's.
func judgeMatcher(metric string, matcher []string, f *family, codes string) []string {
	name, value := matcher[1], matcher[3]
	if slices.Contains(ofScrapes, name) {
		return nil
	}
	var l *label
	if f != nil {
		if i := slices.IndexFunc(f.labels, func(l label) bool { return l.name == name }); i >= 0 {
			l = &f.labels[i]
		}
	}
	if l == nil {
		return []string{metric + " has no label " + name}
	}
	if !plainPattern.MatchString(value) {
		return nil
	}
	var found []string
	for word := range strings.SplitSeq(value, "|") {
		known := slices.Contains(l.values, word) || name == "code" && strings.Contains(codes, "### "+word+"\n")
		if !known && (l.values != nil || name == "code") {
			found = append(found, fmt.Sprintf("%s has no %s %s", metric, name, word))
		}
	}
	return found
}

func someLabel(families map[string]*family, name string) bool {
	for _, f := range families {
		if slices.ContainsFunc(f.labels, func(l label) bool { return l.name == name }) {
			return true
		}
	}
	return false
}

// known are the families by their names, the metrics of Go and the process, and docs/errors.md.
func known(t *testing.T) (families map[string]*family, others []string, codes string) {
	t.Helper()
	m := New(Options{})
	families = map[string]*family{}
	for _, f := range m.families {
		families[f.name] = f
	}
	gathered, err := m.Gatherer().Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range gathered {
		others = append(others, f.GetName())
	}
	text, err := os.ReadFile(errorsPath)
	if err != nil {
		t.Fatal(err)
	}
	return families, append(others, "up"), string(text)
}

// ruleTests are the files of tests for promtool.
func ruleTests(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(ruleTestsGlob)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %v, %v", ruleTestsGlob, paths, err)
	}
	return paths
}

// TestQueries: alerts and the dashboard ask only for what is there, and every alert has a test.
func TestQueries(t *testing.T) {
	families, others, codes := known(t)
	tests := ""
	for _, path := range ruleTests(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		tests += string(text)
	}
	for _, a := range readAlerts(t) {
		for _, problem := range judge(a.query, families, others, codes) {
			t.Errorf("%s: alert %s: %s", rulesPath, a.name, problem)
		}
		if !strings.Contains(tests, `alertname="`+a.name+`"`) {
			t.Errorf("%s have no test of %s", ruleTestsGlob, a.name)
		}
	}
	text, err := os.ReadFile(dashboardPath)
	if err != nil {
		t.Fatal(err)
	}
	var board any
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatalf("%s: %v", dashboardPath, err)
	}
	panels := map[string]string{}
	queries(board, "", panels)
	for query, title := range panels {
		for _, problem := range judge(query, families, others, codes) {
			t.Errorf("%s: %q: %s", dashboardPath, title, problem)
		}
	}
	if len(panels) < 2 {
		t.Errorf("%s has %d queries", dashboardPath, len(panels))
	}
}

// TestAlerts: each alert fires for what it is for, and not for what looks alike.
func TestAlerts(t *testing.T) {
	promtool, err := filepath.Abs("../../.tunic/bin/promtool")
	if _, missing := os.Stat(promtool); err != nil || missing != nil {
		if promtool, err = exec.LookPath("promtool"); err != nil {
			t.Skip("promtool is not here; scripts/install-deps.sh promtool")
		}
	}
	for _, arguments := range [][]string{{"check", "rules", rulesPath}, append([]string{"test", "rules"}, ruleTests(t)...)} {
		if out, err := exec.CommandContext(t.Context(), promtool, arguments...).CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", arguments, err, out)
		}
	}
}

// TestJudge: queries that ask for what is not there are found.
func TestJudge(t *testing.T) {
	families, others, codes := known(t)
	for query, want := range map[string]string{
		`tunic_readi == 0`: "there is no metric tunic_readi",
		`sum(rate(tunic_refusals_total{code="TUNIC-9999"}[5m]))`:         "tunic_refusals_total has no code TUNIC-9999",
		`sum(rate(tunic_refusals_total{code="TUNIC-5007"}[5m]))`:         "",
		`tunic_sessions{state=~"idle|bussy"}`:                            "tunic_sessions has no state bussy",
		`tunic_sessions{user="x"}`:                                       "tunic_sessions has no label user",
		`sum by (instance, reson) (tunic_backend_errors_total{job="x"})`: "no metric has the label reson",
		`rate(tunic_query_duration_seconds_bucket[5m])`:                  "",
		`rate(tunic_ready_bucket[5m])`:                                   "there is no metric tunic_ready_bucket",
		`rate(process_cpu_seconds_total{job="tunic"}[5m])`:               "",
		`rate(process_cpu_secnds_total{job="tunic"}[5m])`:                "there is no metric process_cpu_secnds_total",
		`vector(1)`: "no metric is named",
	} {
		if got := strings.Join(judge(query, families, others, codes), "; "); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}
