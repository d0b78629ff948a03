package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReloadable: of each setting that is another one a reload takes over what says so in the table,
// and names the others.
func TestReloadable(t *testing.T) {
	for i := range table {
		s := &table[i]
		before, after := Default(), Default()
		mustSet(t, s, before, samples[s.Env][0])
		mustSet(t, s, after, samples[s.Env][1])
		next, changes := merge(before, after), differences(before, after)
		want := Changes{Applied: []string{s.name()}}
		if !s.Reload {
			want = Changes{Restart: []string{s.name()}}
		}
		if diff := cmp.Diff(want, changes); diff != "" {
			t.Errorf("%s: %s", s.Env, diff)
		}
		from := map[bool]*Config{true: after, false: before}[s.Reload]
		if !reflect.DeepEqual(s.field(next), s.field(from)) {
			t.Errorf("%s: the reloaded configuration has the wrong value", s.Env)
		}
		for j := range table {
			if o := &table[j]; o != s && !reflect.DeepEqual(o.field(next), o.field(before)) {
				t.Errorf("%s: %s has changed with it", s.Env, o.Env)
			}
		}
	}
}

// TestReload: a file is read again as a whole, and what it says has to go with what stays.
func TestReload(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "tunic.toml")
	write := func(text string) {
		t.Helper()
		must(t, os.WriteFile(path, []byte("backend.address = 'db:3306'\nservice.user = 'u'\n"+text), 0o600))
	}
	sources := Sources{File: path, Environ: []string{"TUNIC_SERVICE_PASSWORD=p", "HOME=/h"}, Flags: map[string]string{"drain": "7"}}
	write("key = 'key'\n[limits]\ndrain = 1\nidle_timeout = 10\n")
	current, err := Load(sources)
	must(t, err)

	write("key = 'key'\nlisten = '127.0.0.1:1'\n[limits]\ndrain = 2\nidle_timeout = 20\n[[policy.rules]]\ncolumns = 'a.b.c'\nprotection = 'sealed'\n" +
		"[[clients.accounts]]\nuser = 'u'\nhost = '*'\n[[policy.annotators]]\nuser = 'u'\nhost = '*'\n")
	next, changes, err := Reload(sources, current)
	must(t, err)
	want := Changes{Applied: []string{"clients.accounts", "limits.idle_timeout", "policy.annotators", "policy.rules"}, Restart: []string{"listen"}}
	if diff := cmp.Diff(want, changes); diff != "" {
		t.Error(diff)
	}
	if next.Listen != current.Listen || next.Limits.IdleTimeout.Seconds() != 20 || next.Limits.Drain.Seconds() != 7 || len(next.Policy.Rules) != 1 {
		t.Errorf("the reloaded configuration is %+v", next)
	}
	if again, changes, err := Reload(sources, next); err != nil || len(changes.Applied) > 0 || !slices.Equal(changes.Restart, []string{"listen"}) || !reflect.DeepEqual(again, next) {
		t.Errorf("the second time: %v, %v", changes, err)
	}

	for text, kind := range map[string]Kind{
		"key = 'key'\nlimits.idle_timeout = 'soon'": BadValue,
		"key = ":                      BadFile,
		"limits.idle_timeout = 1":     Unprotected, // by the default, without a key
		"key = 'key'\ntls.cert = 'c'": Conflict,
		"key = 'key'\nlisten = 'unix:/s'\ntls.client_ca = 'c'": Conflict,
	} {
		write(text)
		_, _, err := Reload(sources, next)
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != kind {
			t.Errorf("%s: %v, want kind %d", text, err, kind)
		}
	}

	// What the file says is in itself right, and not together with what tunic runs with.
	plain := *next
	plain.Key, plain.Policy.Default, plain.Policy.Rules = Key{}, PolicyPlain, nil
	write("key = 'key'\n")
	if _, _, err := Reload(sources, &plain); err == nil {
		t.Error("a policy that protects was taken over without the key")
	}
}
