package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"tunic/internal/ledger"
	"tunic/internal/rotation"
	"tunic/internal/sqlerr"
)

// destroy destroys the master keys that nothing needs, or says which those are.
func (w *rotating) destroy(ctx context.Context) error {
	if w.DryRun {
		k, err := rotation.LookKeys(ctx, w.options)
		if err != nil {
			return err
		}
		return w.printKeys(k)
	}
	held, err := ledger.Open(ctx, w.options)
	if err != nil {
		return err
	}
	defer held.Close()
	k, err := w.rotation(held, nil).Destroy(ctx, w.options)
	if err != nil {
		return err
	}
	if err := w.printKeys(k); err != nil || k.Whole() {
		return err
	}
	return sqlerr.RotationLeft("older master keys are kept: " + plural(int64(len(k.Masters)-len(k.Spare)-1), "key"))
}

// printKeys prints a line for each master key, the oldest first.
func (w *rotating) printKeys(k *rotation.Keys) error {
	if w.JSON {
		return printJSON(w.command.Stdout, keysReport(k, w.DryRun))
	}
	var b strings.Builder
	for _, one := range keysReport(k, w.DryRun).Keys {
		fmt.Fprintf(&b, "master key %d  %s\n", one.Version, one.Fate)
		for _, n := range one.Needed {
			fmt.Fprintf(&b, "    %s\n", n)
		}
	}
	_, err := io.WriteString(w.command.Stdout, b.String())
	return err
}

// The fates of master keys.
const (
	fateNewest    = "newest"
	fateDestroyed = "destroyed"
	fateSpare     = "nothing needs it; would be destroyed"
	fateNeeded    = "needed"
	fateKept      = "kept, as newer than one that is needed"
)

// destroyed is what has become of master keys, as JSON.
type destroyed struct {
	Keys []destroyedKey `json:"master_keys"`
}

type destroyedKey struct {
	Version uint16   `json:"version"`
	Fate    string   `json:"fate"`
	Needed  []string `json:"needed_by,omitempty"`
}

func keysReport(k *rotation.Keys, dry bool) (all destroyed) {
	for _, version := range slices.Backward(k.Masters) {
		one := destroyedKey{Version: version, Fate: fateKept}
		for _, n := range k.Needs {
			if n.Master == version {
				one.Fate, one.Needed = fateNeeded, append(one.Needed, needText(n))
			}
		}
		switch {
		case version == k.Masters[0]:
			one.Fate = fateNewest
		case slices.Contains(k.Spare, version) && dry:
			one.Fate = fateSpare
		case slices.Contains(k.Spare, version):
			one.Fate = fateDestroyed
		}
		all.Keys = append(all.Keys, one)
	}
	return all
}

func needText(n rotation.Need) string {
	table := n.Schema + "." + n.Name
	switch n.By {
	case rotation.NeedRows:
		return plural(n.Rows, "row") + " of " + table
	case rotation.NeedColumns:
		return "what is written to " + table
	case rotation.NeedLayers:
		return "layers of " + table
	case rotation.NeedLedger:
	}
	return "the ledger, or a job that is under way"
}
