package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// galeraLibrary is where the package galera-4 puts the provider of replication.
const galeraLibrary = "/usr/lib/galera/libgalera_smm.so"

// Galera is a cluster of MariaDB servers, all of which take writes. A transaction that loses
// against one of another node is rolled back, and the client is told at its next command.
type Galera struct {
	Nodes []*Server

	ports []galeraPorts
}

// galeraPorts are those of a node beside that of its clients.
type galeraPorts struct{ group, whole, part int }

// StartGalera starts a cluster in folders below dir; the first node begins it, and the others
// get their data from it (mariadb-backup). Where a program is missing the error wraps
// ErrUnavailable. The context bounds the start, not the life of the servers.
func StartGalera(ctx context.Context, nodes int, dir string) (*Galera, error) {
	e, err := galeraEngine()
	if err != nil {
		return nil, err
	}
	g := &Galera{Nodes: make([]*Server, nodes), ports: make([]galeraPorts, nodes)}
	for i := range g.ports {
		p := &g.ports[i]
		for _, port := range []*int{&p.group, &p.whole, &p.part} {
			if *port, err = freePort(); err != nil {
				return nil, err
			}
		}
	}
	for i := range g.Nodes {
		o := Options{Dir: filepath.Join(dir, fmt.Sprintf("node%d", i)), Args: g.args(i)}
		if i == 0 {
			o.Args = append(o.Args, "--wsrep-new-cluster")
		}
		if g.Nodes[i], err = start(ctx, e, o); err != nil {
			return nil, errors.Join(err, g.Stop())
		}
		g.Nodes[i].options.Args = g.args(i) // of the next start: it joins those that are there
	}
	return g, nil
}

// galeraEngine is MariaDB with the scripts of Galera in its path.
func galeraEngine() (*engine, error) {
	plain, err := mariaDB()
	if err != nil {
		return nil, err
	}
	scripts := filepath.Join(StateDir(), "galera-scripts")
	for _, path := range []string{galeraLibrary, filepath.Join(scripts, "wsrep_sst_mariabackup")} {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("%s is %w; run `scripts/install-deps.sh galera`", filepath.Base(path), ErrUnavailable)
		}
	}
	if _, err := findProgram("mariabackup", "mariadb-backup"); err != nil {
		return nil, err
	}
	e := *plain
	e.without = "--innodb-buffer-pool-size" // the script hands it to mariadb-backup, which does not know it
	path := strings.Join([]string{scripts, os.Getenv("PATH"), "/usr/sbin"}, string(os.PathListSeparator))
	e.program = append([]string{"/usr/bin/env", "PATH=" + path}, plain.program...)
	return &e, nil
}

// args are the options of a node that joins.
func (g *Galera) args(i int) []string {
	group := make([]string, len(g.ports))
	for j, p := range g.ports {
		group[j] = loopback(p.group)
	}
	p := g.ports[i]
	return []string{
		"--wsrep-on=ON", "--wsrep-provider=" + galeraLibrary,
		"--wsrep-cluster-name=tunic", fmt.Sprintf("--wsrep-node-name=node%d", i),
		"--wsrep-cluster-address=gcomm://" + strings.Join(group, ","),
		"--wsrep-node-address=" + loopback(p.group),
		"--wsrep-provider-options=gmcast.listen_addr=tcp://" + loopback(p.group) + ";ist.recv_addr=" + loopback(p.part) + ";gcache.size=64M",
		"--wsrep-sst-method=mariabackup", "--wsrep-sst-auth=root:" + rootPassword,
		"--wsrep-sst-receive-address=" + loopback(p.whole),
		"--binlog-format=ROW", "--innodb-autoinc-lock-mode=2", "--default-storage-engine=InnoDB",
	}
}

// Stop ends all nodes in order. Their folders stay.
func (g *Galera) Stop() error {
	var all []error
	for _, n := range g.Nodes {
		if n != nil {
			all = append(all, n.Stop())
		}
	}
	return errors.Join(all...)
}
