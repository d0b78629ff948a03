package arch

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// hosts are the sites files may point to: public, and likely to stay.
// Loopback and the reserved example names are always allowed.
var hosts = []string{
	"dev.mysql.com", "mariadb.com", "mariadb.org", "docs.pingcap.com",
	"github.com", "go.dev", "pkg.go.dev", "golang.org",
	"www.apache.org", "keepachangelog.com", "semver.org",
	"www.rfc-editor.org", "datatracker.ietf.org",
	"www.haproxy.org", "haproxy.org", "opencollective.com",
	"maven.apache.org", "www.w3.org", "prometheus.io", "golangci-lint.run",
}

// homes are folders that exist on one machine only; tests may invent users'
// homes, and a file right below tmp is an example. They are joined to slashes
// below so that this file is no trace itself.
var (
	homes      = []string{"root", "work", "workspace", "mnt"}
	usersHomes = []string{"home", "Users"}
)

var (
	urlPattern  = regexp.MustCompile(`\bhttps?://[^\s"'<>()\x60\\\]]+`)
	homePattern = regexp.MustCompile(`(?:^|[\s"'=(:,\x60])(/(?:` + strings.Join(homes, "|") + `)(?:/[\w.-]*)?|/tmp/[\w.-]+/)`)
	userPattern = regexp.MustCompile(`(?:^|[\s"'=(:,\x60])(/(?:` + strings.Join(usersHomes, "|") + `)/[\w.-]+)`)
	donePattern = regexp.MustCompile(`\b(?:TO` + `DO|FIX` + `ME|HA` + `CK)\b`)
	// mirrorPattern is a setting that sends a package manager elsewhere.
	mirrorPattern = regexp.MustCompile(`\b(?:GO` + `PROXY|PIP_` + `INDEX_URL)\s*[:=]|(?:--index-` + `url|--regis` + `try|\bregis` + `try\s*=)`)
)

// freeOfTraces are files that others wrote or tools keep.
var freeOfTraces = []string{"LICENSE", "go.sum"}

// findTraces reads every text file for machine paths, private hosts and marks
// of unfinished work.
func findTraces(r *repo) []finding {
	var found []finding
	for _, t := range r.texts {
		if slices.Contains(freeOfTraces, path.Base(t.path)) {
			continue
		}
		number := 0
		for s := range strings.Lines(t.body) {
			number++
			for _, j := range judgeTraces(s, strings.HasSuffix(t.path, "_test.go")) {
				found = append(found, finding{t.path, number, j[0], j[1]})
			}
		}
	}
	return found
}

// judgeTraces returns pairs of fact and advice for one line.
func judgeTraces(s string, inTest bool) [][2]string {
	var found [][2]string
	for _, u := range urlPattern.FindAllString(s, -1) {
		if host := hostOf(u); !isPublic(host) {
			found = append(found, [2]string{"an address on " + host, "point to a public, lasting page, or add the host to internal/arch/traces.go"})
		}
	}
	paths := homePattern.FindAllStringSubmatch(s, -1)
	if !inTest {
		paths = append(paths, userPattern.FindAllStringSubmatch(s, -1)...)
	}
	for _, m := range paths {
		found = append(found, [2]string{"the path " + m[1] + " of one machine", "use a path relative to the repository, or a temporary folder made for the purpose"})
	}
	if m := donePattern.FindString(s); m != "" {
		found = append(found, [2]string{"the mark " + m, "do it, or say in a document what is missing"})
	}
	if m := mirrorPattern.FindString(s); m != "" {
		found = append(found, [2]string{fmt.Sprintf("%q chooses where packages come from", m), "leave that to the machine's own settings"})
	}
	return found
}

// hostOf returns the host of a URL without its port; what is no URL is
// returned whole, to be judged as a host nobody knows.
func hostOf(s string) string {
	u, err := url.Parse(strings.TrimRight(s, ".,;:"))
	if err != nil {
		return s
	}
	return u.Hostname()
}

// isPublic reports whether anyone may be pointed to host. Hosts with a verb
// or a variable in them are put together at run time.
func isPublic(host string) bool {
	switch {
	case host == "" || strings.ContainsAny(host, "%$"):
		return true
	case host == "localhost" || strings.HasPrefix(host, "127.") || host == "::1":
		return true
	case host == "example.com" || strings.HasSuffix(host, ".example.com") || strings.HasSuffix(host, ".example"):
		return true
	}
	return slices.Contains(hosts, host)
}
