// Package rotation brings what is stored under a new master key, beside the tunics that serve
// it: the work of `tunic rotate`.
//
//	a new master key, wrapped; every tunic has read it      ledger.AddMaster
//	for each table:
//	    what is written is of the new epoch                 layering.MoveEpoch  the fence moves
//	    what is stored is sealed anew, by chunks            layers.Renewal
//	    the rows of older epochs are counted: none          layers.Renewal.Count
//	if layers are to have new keys, for all tables together:
//	    each gets a shadow, which every write writes        layering.Add, Backfill, Ready
//	    the keys over these are made                        layering.KeysAhead
//	    they take the places of what they shadow            layering.SwapShadows  the fence moves
//
// The master keys that nothing needs any more go when that is asked for by itself
// (ledger.DropMasters); it makes none, and seals nothing.
//
// Each step is done or not done, and looks at what is there: a rotation that was cut off
// anywhere, and is begun again, goes on. So a new master key is made only when nothing is left
// to be done for the newest there is. Clients read values of any epoch all the while.
//
// One rotation of a database goes on at a time: a lock at the server, which it gives back with
// its connection, has any other one refused.
//
// What has not been brought to the new epoch is said of each table, with the reason.
package rotation
