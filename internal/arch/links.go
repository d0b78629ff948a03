package arch

import (
	"fmt"
	"path"
	"strings"
)

// frontDoor is the document from which every other must be reachable.
const frontDoor = "README.md"

// findLinks follows every link between documents.
func findLinks(r *repo) []finding {
	var found []finding
	reached := map[string][]string{}
	for _, d := range r.docs {
		for _, l := range d.links() {
			target, fact := r.follow(d, l.text)
			if fact != "" {
				found = append(found, finding{d.path, l.number, fact, "correct the link, or write what it promises"})
			}
			reached[d.path] = append(reached[d.path], target)
		}
	}
	return append(found, unreached(r, reached)...)
}

// follow returns the file a link leads to, and what is wrong with the link.
// Links to other sites lead nowhere and are not wrong; no test goes out.
func (r *repo) follow(d *document, link string) (target, fact string) {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
		return "", ""
	}
	file, fragment, _ := strings.Cut(link, "#")
	target = d.path
	if file != "" {
		target = path.Join(path.Dir(d.path), file)
	}
	if !r.exists(target) {
		return "", fmt.Sprintf("a link to %s, which is not there", link)
	}
	if fragment != "" && strings.HasSuffix(target, ".md") && !r.document(target).anchors()[fragment] {
		return target, fmt.Sprintf("a link to %s, and %s has no such heading", link, target)
	}
	return target, ""
}

// unreached finds documents that no chain of links from the front door meets.
func unreached(r *repo, links map[string][]string) []finding {
	seen := map[string]bool{frontDoor: true}
	for queue := []string{frontDoor}; len(queue) > 0; queue = queue[1:] {
		for _, next := range links[queue[0]] {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	var found []finding
	for _, d := range r.docs {
		if !seen[d.path] {
			found = append(found, finding{d.path, 0, "no chain of links from " + frontDoor + " leads here", "link it where a reader would look for it"})
		}
	}
	return found
}
