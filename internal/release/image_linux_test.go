package release

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tunic/internal/sandbox"
)

// image is the configuration of an image, as docker's archives have it.
type image struct {
	Config struct {
		User        string
		Env         []string
		Entrypoint  []string
		Cmd         []string
		StopSignal  string
		Healthcheck struct{ Test []string }
		Labels      map[string]string
	} `json:"config"`
}

// TestImage builds the image, unpacks it, and runs what it says as the user that it names, in a
// root that holds nothing else.
func TestImage(t *testing.T) {
	long(t)
	needs(t, "buildah", "make packages-test installs it")
	dir := t.TempDir()
	storage := filepath.Join(dir, "storage.conf") // the machine's own images stay as they are
	write(t, storage, "[storage]\ndriver = \"vfs\"\ngraphroot = \""+dir+"/images\"\nrunroot = \""+dir+"/run\"\n")
	script(t, []string{"VERSION=v0.0.1", "CONTAINERS_STORAGE_CONF=" + storage, "BUILDAH_ISOLATION=chroot"}, "image.sh", program(t, "v0.0.1"), dir)
	r := root(filepath.Join(dir, "root"))
	if err := os.Mkdir(string(r), 0o755); err != nil {
		t.Fatal(err)
	}
	i := unpackImage(t, filepath.Join(dir, "tunic-image.tar"), r)
	uid, gid, _ := strings.Cut(i.Config.User, ":")
	u, err := strconv.ParseUint(uid, 10, 32)
	g, err2 := strconv.ParseUint(gid, 10, 32)
	if err != nil || err2 != nil || u == 0 || g == 0 {
		t.Fatalf("its user is %q", i.Config.User)
	}
	if i.Config.StopSignal != "SIGTERM" || !slices.Equal(i.Config.Healthcheck.Test, []string{"CMD", "/usr/bin/tunic", "health"}) || i.Config.Labels["org.opencontainers.image.version"] != "0.0.1" {
		t.Errorf("its configuration is %+v", i.Config)
	}
	checkImageFiles(t, r)

	db := server(t)
	listen, admin := freeAddress(t), freeAddress(t)
	key := filepath.Join(dir, "key")
	env := append(slices.Clone(i.Config.Env), "TUNIC_LISTEN="+listen, "TUNIC_ADMIN="+admin,
		"TUNIC_BACKEND="+db.Addr, "TUNIC_SERVICE_USER="+sandbox.ServiceUser, "TUNIC_SERVICE_PASSWORD="+sandbox.ServicePassword, "TUNIC_KEY=/tunic.key")
	for name, value := range map[string]string{"TUNIC_LISTEN": "0.0.0.0:3307", "TUNIC_ADMIN": "127.0.0.1:9307", "STATE_DIRECTORY": "/var/lib/tunic"} {
		if !slices.Contains(i.Config.Env, name+"="+value) {
			t.Errorf("%s is not %s in %q", name, value, i.Config.Env)
		}
	}
	output(t, nil, r.path("/usr/bin/tunic"), "keygen", "--out", key)
	mounted := bytesOf(t, key)
	write(t, r.path("/tunic.key"), mounted) // a mount, in a container
	if err := os.Chown(r.path("/tunic.key"), int(u), int(g)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		arguments []string
		ends      bool
	}{{[]string{"init"}, true}, {i.Config.Cmd, false}} {
		p := r.start(t, uint32(u), uint32(g), env, append(slices.Clone(i.Config.Entrypoint), c.arguments...)...)
		if c.ends {
			if err := <-p.done; err != nil {
				t.Fatalf("%v: %v\n%s", c.arguments, err, p.output)
			}
			continue
		}
		p.healthy(t, r, admin)
		probe := r.start(t, uint32(u), uint32(g), env, i.Config.Healthcheck.Test[1:]...)
		if err := <-probe.done; err != nil || probe.output.String() != "ready\n" {
			t.Errorf("the health check says %q, %v", probe.output, err)
		}
		protects(t, listen, db, "image")
		p.end(t)
	}
	if !r.there("/var/lib/tunic/tls") {
		t.Error("the self-signed pair is not kept in /var/lib/tunic")
	}
}

// checkImageFiles: there is no more in it than there need be.
func checkImageFiles(t *testing.T, r root) {
	t.Helper()
	var found []string
	err := filepath.WalkDir(string(r), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			found = append(found, strings.TrimPrefix(path, string(r)))
		}
		return err
	})
	want := []string{"/etc/group", "/etc/passwd", "/etc/ssl/certs/ca-certificates.crt", "/usr/bin/tunic"}
	if slices.Sort(found); err != nil || !slices.Equal(found, want) {
		t.Errorf("it holds %q, want %q (%v)", found, want, err)
	}
}

// unpackImage reads an archive as docker save writes it, and unpacks its layers.
func unpackImage(t *testing.T, path string, r root) *image {
	t.Helper()
	files := map[string][]byte{}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for archive := tar.NewReader(f); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(archive); err != nil {
			t.Fatal(err)
		}
	}
	var manifest []struct {
		Config string
		Layers []string
	}
	if err := json.Unmarshal(files["manifest.json"], &manifest); err != nil || len(manifest) != 1 {
		t.Fatalf("%v: %s", err, files["manifest.json"])
	}
	i := new(image)
	if err := json.Unmarshal(files[manifest[0].Config], i); err != nil {
		t.Fatal(err)
	}
	for _, layer := range manifest[0].Layers {
		r.unpack(t, bytes.NewReader(files[layer]))
	}
	return i
}
