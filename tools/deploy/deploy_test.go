// Package deploy holds deploy/ to the types of those who read it: manifests to Kubernetes' and the
// Prometheus operator's, rules and the dashboard to Prometheus' own parser. It is a module of
// its own, so that tunic's has none of theirs.
package deploy

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/prometheus/prometheus/promql/parser"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

const folder = "../../deploy"

// objects are all that a kustomization makes, each decoded by its kind; an unknown field is an
// error.
type objects struct {
	deployments []*apps.Deployment
	services    []*core.Service
	configs     []*core.ConfigMap
	secrets     []*core.Secret
	budgets     []*policy.PodDisruptionBudget
	networks    []*networking.NetworkPolicy
	monitors    []*monitoring.ServiceMonitor
}

// strictly decodes a document into a value and adds it to a list.
func strictly[T any](t *testing.T, document []byte, into *[]*T) {
	t.Helper()
	value := new(T)
	if err := yaml.UnmarshalStrict(document, value); err != nil {
		t.Errorf("%v, in\n%s", err, document)
	}
	*into = append(*into, value)
}

// decode decodes the documents of a file or an answer.
func decode(t *testing.T, text []byte) *objects {
	t.Helper()
	o := &objects{}
	for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
		var kind meta.TypeMeta
		if err := yaml.Unmarshal(document, &kind); err != nil {
			t.Fatalf("%v, in\n%s", err, document)
		}
		switch kind.APIVersion + " " + kind.Kind {
		case "apps/v1 Deployment":
			strictly(t, document, &o.deployments)
		case "v1 Service":
			strictly(t, document, &o.services)
		case "v1 ConfigMap":
			strictly(t, document, &o.configs)
		case "v1 Secret":
			strictly(t, document, &o.secrets)
		case "policy/v1 PodDisruptionBudget":
			strictly(t, document, &o.budgets)
		case "networking.k8s.io/v1 NetworkPolicy":
			strictly(t, document, &o.networks)
		case "monitoring.coreos.com/v1 ServiceMonitor":
			strictly(t, document, &o.monitors)
		default:
			t.Errorf("a kind that nobody checks: %s %s", kind.APIVersion, kind.Kind)
		}
	}
	return o
}

// build is what kubectl apply --kustomize would send.
func build(t *testing.T, of string) *objects {
	t.Helper()
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Join(folder, of))
	if err != nil {
		t.Fatal(err)
	}
	text, err := made.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, text)
}

// TestFiles: each file is used, and strict before kustomize has seen it.
func TestFiles(t *testing.T) {
	files, err := filepath.Glob(folder + "/kubernetes/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	list, err := os.ReadFile(folder + "/kubernetes/kustomization.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if name == "kustomization.yaml" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		decode(t, text)
		used := strings.Contains(string(list), "- "+name+"\n")
		if example := name == "secret.example.yaml"; used == example {
			t.Errorf("kustomization.yaml has %s: %t", name, used)
		}
	}
}

// TestDeployment: what the parts say of each other is so.
func TestDeployment(t *testing.T) {
	o := build(t, "kubernetes")
	if len(o.deployments) != 1 || len(o.services) != 2 || len(o.configs) != 1 || len(o.budgets) != 1 || len(o.networks) != 1 || len(o.secrets) != 0 {
		t.Fatalf("not what there should be: %+v", o)
	}
	d := o.deployments[0]
	pod := d.Spec.Template
	for name, selector := range map[string]*meta.LabelSelector{
		"deployment": d.Spec.Selector, "budget": o.budgets[0].Spec.Selector, "network policy": &o.networks[0].Spec.PodSelector,
		"spread": pod.Spec.TopologySpreadConstraints[0].LabelSelector,
	} {
		checkSelector(t, name, selector, pod.Labels)
	}
	ports := map[string]int32{}
	for _, p := range pod.Spec.Containers[0].Ports {
		ports[p.Name] = p.ContainerPort
	}
	for _, s := range o.services {
		if !labels.SelectorFromSet(s.Spec.Selector).Matches(labels.Set(pod.Labels)) {
			t.Errorf("service %s selects %v, pods have %v", s.Name, s.Spec.Selector, pod.Labels)
		}
		for _, p := range s.Spec.Ports {
			if ports[p.TargetPort.StrVal] == 0 {
				t.Errorf("service %s: no port %v", s.Name, p.TargetPort)
			}
		}
	}
	for _, rule := range o.networks[0].Spec.Ingress {
		if name := rule.Ports[0].Port.StrVal; ports[name] == 0 {
			t.Errorf("network policy: no port %s", name)
		}
	}
	checkContainer(t, pod.Spec, ports)
	checkVolumes(t, pod.Spec, o.configs[0])
}

func checkSelector(t *testing.T, name string, selector *meta.LabelSelector, pod map[string]string) {
	t.Helper()
	s, err := meta.LabelSelectorAsSelector(selector)
	if err != nil || s.Empty() || !s.Matches(labels.Set(pod)) {
		t.Errorf("%s selects %v, pods have %v (%v)", name, selector, pod, err)
	}
}

// checkContainer: probes ask the pages that there are, at the port that tunic listens on, nothing
// runs as root, and a drain ends before the pod is killed.
func checkContainer(t *testing.T, spec core.PodSpec, ports map[string]int32) {
	t.Helper()
	c := spec.Containers[0]
	for page, probe := range map[string]*core.Probe{"/readyz": c.ReadinessProbe, "/healthz": c.LivenessProbe} {
		if probe == nil || probe.HTTPGet.Path != page || ports[probe.HTTPGet.Port.StrVal] == 0 {
			t.Errorf("no probe asks %s: %+v", page, probe)
		}
	}
	for variable, port := range map[string]string{"TUNIC_LISTEN": "0.0.0.0:3307", "TUNIC_ADMIN": "0.0.0.0:9307"} {
		if !slices.ContainsFunc(c.Env, func(e core.EnvVar) bool { return e.Name == variable && e.Value == port }) {
			t.Errorf("%s is not %s", variable, port)
		}
	}
	if ports["mysql"] != 3307 || ports["admin"] != 9307 {
		t.Errorf("ports are %v", ports)
	}
	s := c.SecurityContext
	if !*spec.SecurityContext.RunAsNonRoot || *s.AllowPrivilegeEscalation || !*s.ReadOnlyRootFilesystem || s.Capabilities.Drop[0] != "ALL" || *spec.AutomountServiceAccountToken {
		t.Errorf("the container may more than it needs: %+v", s)
	}
	if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Memory().IsZero() {
		t.Error("memory has no limit or no request, which --memory follows")
	}
}

// checkVolumes: the files that the settings name are mounted, and drains fit.
func checkVolumes(t *testing.T, spec core.PodSpec, config *core.ConfigMap) {
	t.Helper()
	mounts := map[string]string{}
	for _, m := range spec.Containers[0].VolumeMounts {
		mounts[m.Name] = m.MountPath
	}
	settings := config.Data["tunic.toml"]
	drain := ""
	for line := range strings.Lines(settings) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
		switch value = strings.Trim(value, `"`); key {
		case "key", "password_file":
			if filepath.Dir(value) != mounts["secret"] {
				t.Errorf("%s is %s, the Secret is mounted at %s", key, value, mounts["secret"])
			}
		case "drain":
			drain = value
		}
	}
	limit, err := time.ParseDuration(drain)
	if grace := time.Duration(*spec.TerminationGracePeriodSeconds) * time.Second; err != nil || grace <= limit+5*time.Second {
		t.Errorf("a pod is killed after %v, a drain may take %v (%v)", grace, drain, err)
	}
	for _, v := range spec.Volumes {
		if mounts[v.Name] == "" {
			t.Errorf("volume %s is not mounted", v.Name)
		}
		if v.ConfigMap != nil && (v.ConfigMap.Name != config.Name || config.Name == "tunic") {
			t.Errorf("the pod has settings %s, there are %s", v.ConfigMap.Name, config.Name)
		}
		if v.Secret != nil && *v.Secret.DefaultMode != 0o400 {
			t.Errorf("secrets have mode %o", *v.Secret.DefaultMode)
		}
	}
}

// TestSecret: the example has the keys that the settings name, and no value.
func TestSecret(t *testing.T) {
	text, err := os.ReadFile(folder + "/kubernetes/secret.example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s := decode(t, text).secrets[0]
	settings := build(t, "kubernetes").configs[0].Data["tunic.toml"]
	if len(s.StringData) != 2 || len(s.Data) != 0 {
		t.Errorf("the Secret has %v", s.StringData)
	}
	for name, value := range s.StringData {
		if value != "" || !strings.Contains(settings, "/"+name+`"`) {
			t.Errorf("%s has a value, or the settings do not name it", name)
		}
	}
}

// TestMonitor: the operator finds the pages, and gives the job that the alerts name.
func TestMonitor(t *testing.T) {
	m := build(t, "kubernetes/monitoring").monitors[0]
	found := 0
	for _, s := range build(t, "kubernetes").services {
		selector, err := meta.LabelSelectorAsSelector(&m.Spec.Selector)
		if err != nil {
			t.Fatal(err)
		}
		if !selector.Matches(labels.Set(s.Labels)) {
			continue
		}
		found++
		if s.Spec.Ports[0].Name != m.Spec.Endpoints[0].Port || s.Labels[m.Spec.JobLabel] != "tunic" {
			t.Errorf("port %s and job %s", s.Spec.Ports[0].Name, s.Labels[m.Spec.JobLabel])
		}
	}
	if found != 1 {
		t.Errorf("%d services are scraped", found)
	}
}

// rules is what is parsed of a file of rules.
type rules struct {
	Groups []struct {
		Name  string `json:"name"`
		Rules []struct {
			Alert       string            `json:"alert"`
			Expr        string            `json:"expr"`
			For         string            `json:"for"`
			Labels      map[string]string `json:"labels"`
			Annotations map[string]string `json:"annotations"`
		} `json:"rules"`
	} `json:"groups"`
}

// TestRules: Prometheus reads each query, and each alert says how urgent it is and what to do.
func TestRules(t *testing.T) {
	text, err := os.ReadFile(folder + "/prometheus/tunic.rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file rules
	if err := yaml.UnmarshalStrict(text, &file); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range file.Groups[0].Rules {
		if err := parse(r.Expr); err != nil {
			t.Errorf("%s: %v", r.Alert, err)
		}
		if seen[r.Alert] || r.Labels["severity"] != "critical" && r.Labels["severity"] != "warning" || r.Annotations["summary"] == "" || r.Annotations["description"] == "" {
			t.Errorf("%s is there twice, or has no severity or text", r.Alert)
		}
		seen[r.Alert] = true
	}
	if len(seen) == 0 {
		t.Error("there are no alerts")
	}
}

func parse(query string) error {
	_, err := parser.NewParser(parser.Options{}).ParseExpr(query)
	return err
}

// variables are those of Grafana in queries.
var variables = strings.NewReplacer("$__rate_interval", "5m", "$__range", "1h")

// TestDashboard: Prometheus reads each query.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile(folder + "/grafana/tunic.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			ID      int    `json:"id"`
			Title   string `json:"title"`
			Targets []struct {
				Expr string `json:"expr"`
			} `json:"targets"`
		} `json:"panels"`
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	parsed, ids := 0, map[int]bool{}
	for _, p := range board.Panels {
		if ids[p.ID] {
			t.Errorf("%q has the id of another panel", p.Title)
		}
		ids[p.ID] = true
		for _, target := range p.Targets {
			if err := parse(variables.Replace(target.Expr)); err != nil {
				t.Errorf("%q: %v", p.Title, err)
			}
			parsed++
		}
	}
	if parsed < len(board.Panels) {
		t.Errorf("%d queries in %d panels", parsed, len(board.Panels))
	}
}
