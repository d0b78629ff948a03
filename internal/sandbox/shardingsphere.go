package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ShardingSphereOptions says how to run ShardingSphere-Proxy before a database server.
type ShardingSphereOptions struct {
	Backend string // "host:port" of the database server
	Schemas []ShardingSphereSchema
	Key     string    // of the columns that are encrypted: AES's is the beginning of its SHA-1
	Clients int       // that it has connections to the server for
	Log     io.Writer // receives what it writes; may be nil
}

// ShardingSphereSchema is a database that clients see, and which of its columns are
// encrypted. A column is stored under its name with CipherSuffix behind it.
type ShardingSphereSchema struct {
	Database string
	Tables   []string // with encrypted columns; nil for none
	Columns  []string // that are encrypted in each of them
}

// CipherSuffix ends the name of a column that ShardingSphere-Proxy encrypts. That the name
// is another one makes a statement fail that the proxy passes on as it is.
const CipherSuffix = "_cipher"

// shardingSphereServer has the one account, from this machine only: the proxy listens at
// all addresses.
const shardingSphereServer = `mode:
  type: Memory
rules:
  - !AUTHORITY
    users:
      - ` + AppUser + `@127.0.0.1:` + AppPassword + `
    provider:
      type: ALL_PRIVILEGES_PERMITTED
`

const shardingSphereDatabase = `schemaName: %[1]s
dataSources:
  database:
    url: jdbc:mysql://%[2]s/%[1]s?useSSL=false
    username: %[3]s
    password: %[4]s
    minPoolSize: 1
    maxPoolSize: %[5]d
`

const shardingSphereEncryption = `rules:
  - !ENCRYPT
    queryWithCipherColumn: true
    encryptors:
      aes:
        type: AES
        props:
          aes-key-value: %s
    tables:
`

// shardingSphereLog keeps what it says of itself to what is wrong.
const shardingSphereLog = `<configuration>
  <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%level %logger{36} - %msg%n</pattern></encoder>
  </appender>
  <root level="warn"><appender-ref ref="console"/></root>
</configuration>
`

// StartShardingSphere runs ShardingSphere-Proxy, and waits until a client that connects is
// greeted. It knows the tables that are there then, and those alone. The context bounds the
// start, not the life of the process. The error wraps ErrUnavailable where FindShardingSphere's does.
func StartShardingSphere(ctx context.Context, o ShardingSphereOptions) (*Proc, error) {
	ctx, cancel := context.WithTimeout(ctx, StartLimit)
	defer cancel()
	java, jars, err := FindShardingSphere()
	if err != nil {
		return nil, err
	}
	dir, err := openFolder("", "shardingsphere")
	if err != nil {
		return nil, err
	}
	p := &Proc{Dir: dir.path, folder: dir}
	if err := p.shard(ctx, java, jars, o); err != nil {
		return nil, errors.Join(err, dir.release())
	}
	return p, nil
}

// FindShardingSphere returns the runtime that it needs, and the folder it is installed in.
// The error wraps ErrUnavailable where one of them is missing.
func FindShardingSphere() (java, jars string, err error) {
	if java, err = exec.LookPath("java"); err != nil {
		return "", "", fmt.Errorf("a runtime of Java, which ShardingSphere-Proxy needs, is %w; install one", ErrUnavailable)
	}
	jars = filepath.Join(StateDir(), "proxies", "shardingsphere")
	if _, err := os.Stat(filepath.Join(jars, ".stamp")); err != nil {
		return "", "", fmt.Errorf("ShardingSphere-Proxy is %w; run scripts/install-proxies.sh, which takes it from Maven's registry", ErrUnavailable)
	}
	return java, jars, nil
}

func (p *Proc) shard(ctx context.Context, java, jars string, o ShardingSphereOptions) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	p.Addr = loopback(port)
	if err := p.configureShardingSphere(o); err != nil {
		return err
	}
	_, number, err := net.SplitHostPort(p.Addr)
	if err != nil {
		return err
	}
	// The folder of its settings is looked for on the class path. Memory is what its own
	// start script gives it.
	args := []string{
		"-server", "-Xmx2g", "-Xms2g", "-Xmn1g", "-Xss1m", "-Djava.awt.headless=true", "-Dlogback.configurationFile=conf/logback.xml",
		"-cp", ".:" + filepath.Join(jars, "*"), "org.apache.shardingsphere.proxy.Bootstrap", number, "conf",
	}
	return p.launch(ctx, command{path: java, args: args, dir: p.Dir, log: o.Log}, greeted(p.Addr))
}

func (p *Proc) configureShardingSphere(o ShardingSphereOptions) error {
	files := map[string]string{"server.yaml": shardingSphereServer, "logback.xml": shardingSphereLog}
	for _, s := range o.Schemas {
		files["config-"+s.Database+".yaml"] = o.schema(s)
	}
	if err := os.Mkdir(p.folder.file("conf"), 0o700); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(p.folder.file(filepath.Join("conf", name)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// schema is the settings of one database.
func (o ShardingSphereOptions) schema(s ShardingSphereSchema) string {
	var b strings.Builder
	fmt.Fprintf(&b, shardingSphereDatabase, s.Database, o.Backend, AppUser, AppPassword, o.Clients)
	if len(s.Tables) == 0 {
		b.WriteString("rules: []\n")
		return b.String()
	}
	fmt.Fprintf(&b, shardingSphereEncryption, o.Key)
	for _, table := range s.Tables {
		fmt.Fprintf(&b, "      %s:\n        columns:\n", table)
		for _, column := range s.Columns {
			fmt.Fprintf(&b, "          %[1]s:\n            cipherColumn: %[1]s%[2]s\n            encryptorName: aes\n", column, CipherSuffix)
		}
	}
	return b.String()
}
