package main

import (
	"encoding/json"
	"io"

	"tunic/internal/rotation"
)

func printJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// rotated is a report or a plan as JSON.
type rotated struct {
	Epoch  uint16         `json:"epoch"`
	New    bool           `json:"new_master_key"`
	Tables []rotatedTable `json:"tables"`
}

type rotatedTable struct {
	Schema     string  `json:"schema"`
	Table      string  `json:"table"`
	Epoch      uint16  `json:"epoch"`
	Sealed     int64   `json:"sealed_anew"`
	Old        int64   `json:"of_older_epochs"`
	LayerEpoch *uint16 `json:"lowest_layer_epoch,omitempty"`
	OldLayers  int     `json:"layers_to_renew,omitempty"`

	LayersKeep []rotation.Hindrance `json:"layers_keep,omitempty"`

	Hindrance string `json:"hindrance,omitempty"`
	Failed    string `json:"failed,omitempty"`
	Gone      bool   `json:"dropped,omitempty"`
}

func rotationOf(epoch uint16, fresh bool, tables []rotation.Table) rotated {
	v := rotated{Epoch: epoch, New: fresh, Tables: []rotatedTable{}}
	for i := range tables {
		t := &tables[i]
		one := rotatedTable{
			Schema: t.Schema, Table: t.Name, Epoch: t.Epoch, Sealed: t.Sealed, Old: t.Old, Hindrance: string(t.Hindrance), Gone: t.Gone,
			OldLayers: t.OldLayers, LayersKeep: t.LayersKeep,
		}
		if t.Failed != nil {
			one.Failed, _ = failure(t)
		}
		if t.HasLayers {
			one.LayerEpoch = &t.Layers
		}
		v.Tables = append(v.Tables, one)
	}
	return v
}
