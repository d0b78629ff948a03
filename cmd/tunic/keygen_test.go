package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"tunic/internal/keys"
	"tunic/internal/secret"
	"tunic/internal/sqlerr"
)

// TestLongEnough: a passphrase that is too short is wiped and refused; none at all
// is the shortest.
func TestLongEnough(t *testing.T) {
	long := strings.Repeat("x", keys.PassphraseBytesMin)
	if got, err := longEnough("--x", secret.Take([]byte(long))); err != nil || got.Len() != len(long) {
		t.Errorf("one of %d bytes: %v", len(long), err)
	}
	short := secret.Take([]byte(long[1:]))
	for name, passphrase := range map[string]*secret.Bytes{"short": short, "empty": secret.Take(nil), "none": nil} {
		got, err := longEnough("--x", passphrase)
		start, ok := errors.AsType[*sqlerr.StartError](err)
		if got != nil || !ok || start.Setting != "--x" || !strings.Contains(start.Problem, "shorter") {
			t.Errorf("%s: %v, want none and a mistake of --x", name, err)
		}
	}
	if short.Len() != 0 {
		t.Error("the short one was not wiped")
	}
}

// TestKeygenSamples: docs/keys.md shows what the command prints, and all of it.
func TestKeygenSamples(t *testing.T) {
	document, err := os.ReadFile("../../docs/keys.md")
	if err != nil {
		t.Fatal(err)
	}
	const id, project = "588180b5e3f1b7ea", "project 5eb1d3e1fb5afc055ceb679805de2138"
	passphrase := secret.Take([]byte("correct horse battery staple"))
	defer passphrase.Wipe()
	for _, want := range []string{
		"```console\n$ tunic keygen --out /etc/tunic/tunic.key\n" +
			fmt.Sprintf(keygenText, id, project, "/etc/tunic/tunic.key", keepPassphrase(nil)) + "```\n",
		"```console\n$ tunic keygen --passphrase --out tunic.key\nPassphrase:\nThe same again:\n" +
			fmt.Sprintf(keygenText, id, project, "tunic.key", keepPassphrase(passphrase)) + "```\n",
	} {
		if !strings.Contains(string(document), want) {
			t.Errorf("docs/keys.md does not have:\n%s", want)
		}
	}
}
