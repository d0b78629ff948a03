package release

import (
	"path/filepath"
	"regexp"
	"testing"
)

// aptError is a line in which apt-get says what it cannot do.
var aptError = regexp.MustCompile(`(?m)^E: .*`)

// TestDependencies installs what the targets run with into a root that has no package lists, as a
// container has none.
func TestDependencies(t *testing.T) {
	long(t)
	needs(t, "mmdebstrap", "make packages-test installs it")
	r := root(filepath.Join(t.TempDir(), "root"))
	output(t, nil, "mmdebstrap", "--quiet", "--variant=minbase", "--dpkgopt=force-unsafe-io", "bookworm", string(r))
	output(t, nil, "cp", "-r", "scripts", r.path("/scripts"))
	for _, c := range []struct{ groups, programs string }{
		// Whether there is a toolkit is asked of lists that are not there yet.
		{"server toolkit", "mariadbd --version && mariadb --version && pt-online-schema-change --version"},
		{"runtimes venv", "python3 -m venv /venv && node --version && npm --version && javac --version && mvn --version"},
	} {
		said := r.withProc(t, "/scripts/install-deps.sh "+c.groups+" 2>&1")
		if errors := aptError.FindAllString(said, -1); len(errors) > 0 {
			t.Errorf("%s: packages are asked for before there are lists of them: %q", c.groups, errors)
		}
		r.withProc(t, c.programs)
		if again := r.withProc(t, "/scripts/install-deps.sh "+c.groups+" 2>&1"); again != "" {
			t.Errorf("%s: a second run has something to do:\n%s", c.groups, again)
		}
	}
}

// withProc is sh with /proc and /dev/pts, which Java and apt-get want; nothing is left mounted.
func (r root) withProc(t *testing.T, line string) string {
	t.Helper()
	return output(t, nil, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "unshare", "--mount",
		"sh", "-c", `mount -t proc proc "$0/proc" && mount -t devpts devpts "$0/dev/pts" && exec chroot "$0" sh -c "$1"`, string(r), line)
}
