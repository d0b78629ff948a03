// Package secret holds key material and passphrases.
//
// [Bytes] is the one type for them. It shows itself to no formatting verb, log
// or encoder, compares in constant time and can be wiped. [Use] is the only way
// to what it holds, so that a search for it finds every place that touches a
// key. The bytes lie outside of Go's heap, in pages that are locked into memory
// where the system allows it and left out of core dumps. [DenyDumps] keeps the
// whole process out of them, and other processes of the same user out of its
// memory.
//
// What this does not do, because Go cannot promise it:
//
//   - What is made of a key lives on the ordinary heap: the round keys of a
//     cipher, the state of a hash. They stay until the collector has freed them
//     and the memory is used again; nothing wipes them, and they can be swapped.
//   - A function that is given a key may leave parts of it in registers and on
//     its stack, and a stack that grows is copied. Neither is wiped.
//   - What has been a string before (an environment variable, a flag) cannot be
//     wiped.
//   - Locking is subject to RLIMIT_MEMLOCK; [Locked] says whether it worked.
//     Hibernation and snapshots of a virtual machine write locked pages too.
//   - Whoever may read the process's memory, root above all, reads the keys.
//
// So this keeps keys out of logs, swap, dumps and mistakes. It is no defence
// against somebody who runs code in the process.
package secret
