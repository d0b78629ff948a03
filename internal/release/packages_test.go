package release

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/sandbox"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files instead of comparing them")

// script runs a script of the repository and returns what it has printed.
func script(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	return output(t, env, filepath.Join(sandbox.Root(), "scripts", name), args...)
}

// output runs a program at the root of the repository.
func output(t *testing.T, env []string, program string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, args...)
	c.Dir, c.Env = sandbox.Root(), append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", filepath.Base(program), args, err, out)
	}
	return string(out)
}

// needs skips a test without a program.
func needs(t *testing.T, program, from string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not here; %s", program, from)
	}
}

// packages builds both packages around a program, and returns their paths.
func packages(t *testing.T, program, version string) (deb, rpm string) {
	t.Helper()
	dir := t.TempDir()
	script(t, []string{"VERSION=" + version, "SOURCE_DATE_EPOCH=1000000000", "MAINTAINER=tunic <tunic@example.com>"}, "package.sh", program, dir)
	for suffix, path := range map[string]*string{".deb": &deb, ".rpm": &rpm} {
		found, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
		if err != nil || len(found) != 1 {
			t.Fatalf("%v, %v", found, err)
		}
		*path = found[0]
	}
	return deb, rpm
}

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is another one; go test ./internal/release -rewrite\n%s", path, diff)
	}
}

// documents are listed as one: there are more of them from time to time.
var documents = regexp.MustCompile(`(?m)^(.* \.?/usr/share/doc/tunic/docs/)[\w-]+\.md\n(?:.* \.?/usr/share/doc/tunic/docs/[\w-]+\.md\n)+`)

// TestContents: what the packages hold, and with which modes; the same input gives the same bytes.
func TestContents(t *testing.T) {
	if os.Getenv("TUNIC_LONG") == "" {
		t.Skip("it builds what makes packages, which takes a minute; TUNIC_LONG=1, or make packages-test")
	}
	needs(t, "dpkg-deb", "it comes with Debian")
	needs(t, "git", "install git")
	program := filepath.Join(t.TempDir(), "tunic")
	write(t, program, "it stands for the program\n")
	deb, rpm := packages(t, program, "v1.2.3-rc.1")
	again, alsoRPM := packages(t, program, "v1.2.3-rc.1")
	for one, two := range map[string]string{deb: again, rpm: alsoRPM} {
		if a, b := bytesOf(t, one), bytesOf(t, two); a != b {
			t.Errorf("%s is another one the second time", filepath.Base(one))
		}
	}
	text := output(t, nil, "dpkg-deb", "--field", deb) + "\n" +
		output(t, nil, "dpkg-deb", "--info", deb, "conffiles") + "\n" +
		strings.ReplaceAll(output(t, []string{"TZ=UTC"}, "dpkg-deb", "--contents", deb), "./", "/")
	text = regexp.MustCompile(`(?m)^Installed-Size: .*\n`).ReplaceAllString(text, "")
	text = regexp.MustCompile(`(?m)^(\S+ \S+) +\d+ \S+ \S+ `).ReplaceAllString(text, "$1 ") // size and date
	text = strings.ReplaceAll(text, "Architecture: "+runtime.GOARCH, "Architecture: ARCH")
	golden(t, "deb.txt", documents.ReplaceAllString(text, "$1*.md\n"))
	t.Run("rpm", func(t *testing.T) {
		needs(t, "rpm", "make packages-test installs it")
		format := `[%{FILEMODES:perms} %{FILEUSERNAME}/%{FILEGROUPNAME} %{FILEFLAGS:fflags} %{FILENAMES}\n]`
		text := output(t, nil, "rpm", "-qp", "--qf", `%{NAME} %{VERSION} %{RELEASE} %{LICENSE}\n`, rpm) +
			output(t, nil, "rpm", "-qp", "--qf", format, rpm)
		golden(t, "rpm.txt", documents.ReplaceAllString(text, "$1*.md\n"))
	})
}

func bytesOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestVersions: how git describes a checkout is a version of packages, which sort as they should.
func TestVersions(t *testing.T) {
	needs(t, "bash", "install bash")
	for described, want := range map[string]string{
		"v1.2.3":                   "1.2.3",
		"v1.2.3-rc.1":              "1.2.3-rc.1",
		"v1.2.3-5-g1f2e3d4c":       "1.2.3+5.g1f2e3d4c",
		"v1.2.3-dirty":             "1.2.3+dirty",
		"v1.2.3-5-g1f2e3d4c-dirty": "1.2.3+5.g1f2e3d4c.dirty",
		"v1.2.3-rc.1-7-gabcdef0":   "1.2.3-rc.1+7.gabcdef0",
	} {
		if got := output(t, nil, "bash", "-c", `. scripts/release.sh; version_of "$1"`, "bash", described); got != want+"\n" {
			t.Errorf("%s is %q, want %s", described, got, want)
		}
	}
	if got := output(t, nil, "bash", "-c", `. scripts/release.sh; version_of 1f2e3d4c-dirty`); !regexp.MustCompile(`^0\.0\.0\+\d+\.g1f2e3d4c\.dirty\n$`).MatchString(got) {
		t.Errorf("a checkout without a tag is %q", got)
	}
}
