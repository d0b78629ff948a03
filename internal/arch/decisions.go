package arch

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// decisionsDir holds the decisions, one document each, and an index.
const decisionsDir = "docs/decisions"

// decisionName is how a decision's file is called.
var decisionName = regexp.MustCompile(`^(\d{4})-[a-z0-9-]+\.md$`)

// findDecisions checks numbering and form of the decisions.
func findDecisions(r *repo) []finding {
	var found []finding
	next := 1
	for _, d := range r.docs {
		base := path.Base(d.path)
		if path.Dir(d.path) != decisionsDir || base == "README.md" {
			continue
		}
		if m := decisionName.FindStringSubmatch(base); m == nil || m[1] != fmt.Sprintf("%04d", next) {
			found = append(found, finding{d.path, 0, "out of order", fmt.Sprintf("call it %04d-what-was-decided.md", next)})
		}
		next++
		if !d.anchors()["why-not"] {
			found = append(found, finding{d.path, 0, "a decision without its alternatives", `say in a section "Why not" what else was weighed`})
		}
		if !strings.Contains(r.text(decisionsDir+"/README.md"), "("+base+")") {
			found = append(found, finding{d.path, 0, "not in the index", "add its line to " + decisionsDir + "/README.md"})
		}
	}
	return found
}
