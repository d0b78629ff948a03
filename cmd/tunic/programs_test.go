package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"database/sql"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
)

// programLimit bounds each of the programs of the scripts.
const programLimit = 30 * time.Second

func die(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// getMain is `get URL`: it prints the status code and the body.
func getMain() {
	text, err := pageAt(os.Args[1])
	die(err)
	fmt.Print(text)
}

// awaitMain is `await URL PATTERN`: it asks until the page, its status code
// first, matches.
func awaitMain() {
	pattern := regexp.MustCompile("(?m)" + os.Args[2])
	var last string
	for end := time.Now().Add(programLimit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		text, err := pageAt(os.Args[1])
		if last = text; err == nil && pattern.MatchString(text) {
			return
		}
	}
	die(fmt.Errorf("%s never matched %s; it was:\n%s", os.Args[1], os.Args[2], last))
}

func pageAt(url string) (string, error) {
	client := &http.Client{Timeout: programLimit}
	answer, err := client.Get(url)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return fmt.Sprintf("%d\n%s", answer.StatusCode, body), err
}

// queryMain is `query DSN SQL`: it prints the one value of the answer.
func queryMain() {
	ctx, cancel := context.WithTimeout(context.Background(), programLimit)
	defer cancel()
	db, err := sql.Open("mysql", os.Args[1])
	die(err)
	var value string
	die(db.QueryRowContext(ctx, os.Args[2]).Scan(&value))
	fmt.Println(value)
}

// untilMain is `until DSN SQL VALUE`: it waits until the one value of the answer is this one.
func untilMain() {
	ctx, cancel := context.WithTimeout(context.Background(), programLimit)
	defer cancel()
	db, err := sql.Open("mysql", os.Args[1])
	die(err)
	for value := ""; value != os.Args[3]; time.Sleep(20 * time.Millisecond) {
		if err := db.QueryRowContext(ctx, os.Args[2]).Scan(&value); err != nil {
			die(fmt.Errorf("it was %s at last: %w", value, err))
		}
	}
}

// runMain is `run DSN SQL`: it runs a statement that has no answer.
func runMain() {
	ctx, cancel := context.WithTimeout(context.Background(), programLimit)
	defer cancel()
	db, err := sql.Open("mysql", os.Args[1])
	die(err)
	_, err = db.ExecContext(ctx, os.Args[2])
	die(err)
}

// holdMain is `hold DSN [QUERY]`: it begins a transaction, runs the query, and stays in it until the
// server ends the session, whose error it prints.
func holdMain() {
	ctx, cancel := context.WithTimeout(context.Background(), programLimit)
	defer cancel()
	db, err := sql.Open("mysql", os.Args[1])
	die(err)
	transaction, err := db.BeginTx(ctx, nil)
	die(err)
	if len(os.Args) > 2 {
		_, err = transaction.ExecContext(ctx, os.Args[2])
		die(err)
		fmt.Fprintln(os.Stderr, "held")
	}
	for err == nil {
		time.Sleep(20 * time.Millisecond)
		_, err = transaction.ExecContext(ctx, "DO 1")
	}
	fmt.Println(err)
}

// showsMain is `shows DSN CERT`: it waits until the server shows the
// certificate of the file.
func showsMain() {
	data, err := os.ReadFile(os.Args[2])
	die(err)
	want, _ := pem.Decode(data)
	shown := false
	die(mysql.RegisterTLSConfig("shows", &tls.Config{
		InsecureSkipVerify: true,
		VerifyConnection: func(s tls.ConnectionState) error {
			shown = bytes.Equal(s.PeerCertificates[0].Raw, want.Bytes)
			return nil
		},
	}))
	for end := time.Now().Add(programLimit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		db, err := sql.Open("mysql", os.Args[1]+"?tls=shows")
		die(err)
		die(db.Ping())
		die(db.Close())
		if shown {
			return
		}
	}
	die(errors.New("the certificate was never shown"))
}

// pairMain is `pair CERT KEY`: it writes a new self-signed pair.
func pairMain() {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	die(err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	die(err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	die(err)
	die(os.WriteFile(os.Args[1], pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644))
	die(os.WriteFile(os.Args[2], pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
}

// worksMain logs and shows how far it is at the same time, as commands do.
func worksMain() {
	on := newScreen(os.Stderr, os.Stderr)
	log := newLogger(config.Log{}, on)
	bar := newBar(on)
	var logs sync.WaitGroup
	for range 4 {
		logs.Go(func() {
			for range 25 {
				log.Warn("something to say")
			}
		})
	}
	now := time.Now()
	bar.now = func() time.Time { return now }
	for row := range int64(200) {
		now = now.Add(barOften)
		bar.show("shop.a_table_with_quite_a_long_name", 0, 2, 10*row, 2000)
	}
	logs.Wait()
	bar.close()
	fmt.Fprintln(on, "done")
}

// link is this program under another name, by which TestMain goes.
func link(t *testing.T, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	return path
}
