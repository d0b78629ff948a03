// Package release proves that what is handed out can be used: the packages for Debian and for
// Red Hat, the container image, the service of systemd, and the settings that come with them.
//
// The cheap tests read the settings with the program's own reader, and hold the service to its
// defaults. TUNIC_LONG=1 adds those that build packages, compare their lists of files, and do
// what an operator does: the packages are installed in a root of their own, the printed commands are run, the service's
// command line is started as its user before a private server, and a table is protected
// through it; then comes the upgrade, the removal and the purge. The image is started likewise.
// What targets run with is installed in a root that has no package lists.
// They need root, for chroot, and what `make packages-test` installs; without it they are skipped.
//
// The room holds nothing but tests.
package release
