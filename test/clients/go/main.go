// Command go is the scenario of go-sql-driver/mysql: every check of
// ../checks.txt, written as an application written in Go would do it.
//
// Where a statement has arguments the driver prepares it and speaks the binary
// protocol; a statement without arguments goes as text.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// checkTime bounds one check, so that a hang is reported by its name.
const checkTime = 60 * time.Second

// A check is one line of the report.
type check struct {
	name string
	run  func(context.Context, target) error
}

// A skipError says why this client cannot do a check.
type skipError string

func (e skipError) Error() string { return string(e) }

func skip(reason string) func(context.Context, target) error {
	return func(context.Context, target) error { return skipError(reason) }
}

func main() {
	t := targetFromEnv()
	only := os.Getenv("CLIENT_ONLY")
	failed := false
	for _, group := range [][]check{
		connectChecks, loginChecks, typeChecks, transactionChecks, errorChecks,
		resultChecks, preparedChecks, sizeChecks, infileChecks, commandChecks,
	} {
		for _, c := range group {
			if strings.HasPrefix(c.name, only) {
				failed = !report(c, t) || failed
			}
		}
	}
	if failed {
		os.Exit(1)
	}
}

func report(c check, t target) bool {
	ctx, cancel := context.WithTimeout(context.Background(), checkTime)
	defer cancel()
	err := c.run(ctx, t)
	var skipped skipError
	switch {
	case err == nil:
		fmt.Printf("ok %s\n", c.name)
	case errors.As(err, &skipped):
		fmt.Printf("skip %s: %s\n", c.name, skipped)
	default:
		fmt.Printf("not ok %s: %s\n", c.name, strings.ReplaceAll(err.Error(), "\n", "; "))
		return false
	}
	return true
}
