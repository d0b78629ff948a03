// Package upkeep changes stored tables where no client's statement says so: for a job, for a command of an operator's,
// and after a kill.
//
// [Tables.Step] is how anything of that begins. One table at a time is changed, by nobody else in this process or in
// another one, as the catalog has it then. What keeps others waiting gives up soon and is tried again (package turn).
// Each step looks at what is there and does what is missing, so that it can be begun again after a kill at any point.
// [Tables.ChangeBriefly] brings a table to its next revision through the ledger.
//
// What a kill leaves is a fence or a CHECK that a table lacks, columns and twins that belong to nothing, and what was
// being backfilled for a statement whose client is gone. [Tables.Sweep] mends it for who starts. What cannot be done at
// once is done beside everything else, while somebody keeps the tables ([Tables.Keep]).
//
// Which steps there are is for others to say: package layering has those of layers and keys, package decryption those of
// a table that becomes a plain one.
package upkeep
