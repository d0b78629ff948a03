package server

import (
	"tunic/internal/crypt"
	"tunic/internal/keys"
	"tunic/internal/rotation"
)

// count has what keys seal be counted, and tables get other keys in time, until the protection
// is closed.
func (p *protection) count(s *Server, kek keys.ID, ring *crypt.Ring, seals *crypt.Seals) {
	counting := &rotation.Count{
		Rotation: &rotation.Rotation{DB: s.service.DB(), Ledger: p.ledger, Definer: p.definer, KEK: kek},
		Seals:    seals, Log: s.log,
		Told: func(busiest uint64, moved int) {
			s.metrics.KeySeals.Set(int64(busiest))
			if moved > 0 {
				s.log.Info("tables have another key for what is written: one had sealed as much as it should", "tables", moved)
			}
			ring.Keep(p.ledger.Catalog())
		},
	}
	p.stopCounting = background(counting.Run)
}
