package metrics

// RowCache counts rows that were written by their key.
type RowCache struct {
	// Hits were written as the cache had them, without being read. Misses were not in the cache. Stale were in it and are other ones by
	// now: they were read after all.
	Hits, Misses, Stale Counter
}
