// Package layering brings layers of stored tables up and takes them down, and gives them and their tables new keys,
// while clients use the tables.
//
// It is done by a job, without a client that waits for it: by the service account alone, in steps of which each is
// done or not, whoever is killed when.
//
//	                Add           Backfill, Ready                Retire                    Drop
//	absent ──────────────► backfilling ──────────────► ready ──────────────► retiring ──────────────► absent
//	            one ALTER             the catalog            the catalog           one ALTER, or two
//
// Each step looks at what is there, so that who takes over a job calls it again. What has
// been done is not done twice, and what cannot be done any more, because a client has
// dropped the table or changed the column, is one of the errors of package revision. A layer that is on
// its way belongs to a job (catalog.Layer.Job): other changes of the table go by and leave
// it as it is, or take it away with its column.
//
// A layer gets a new key by a shadow (catalog.Layer.IsShadow), which goes up as any layer does
// that a job adds, beside the one whose place it is to take:
//
//	Add, Backfill, Ready    every write writes both; plans use the old one
//	KeysAhead               the keys over it, in place, beside clients
//	SwapShadows             the two swap their names, and the fence moves
//
// The swap is one definition, so that no plan compares a token of the one with the other:
// what was planned before names another fence.
package layering
