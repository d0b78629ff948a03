#!/usr/bin/env bash
# The scenario of the command-line clients, mariadb and mysql: every check of
# ../checks.txt, as scripts and people at a terminal use them. They speak the text
# protocol. CLIENT_DRIVER says which.
set -u
here=$(dirname "$0")
. "$here/harness.sh"
. "$here/connect.sh"
. "$here/values.sh"
. "$here/statements.sh"
. "$here/commands.sh"

skips "the client speaks the text protocol only" types.binary error.prepared prepared.repeat \
	prepared.retype prepared.null prepared.many prepared.long_data prepared.bulk big.binary rows.cursor
skips "the client does not ask for found rows" result.found_rows
skips "the client has no such command" command.change_user command.ping command.set_option session.track

check connect.plain plain
check connect.tls tls
check connect.tls_untrusted tls_untrusted
check connect.attributes attributes
check connect.wrong_password wrong_password
check connect.unknown_database unknown_database
check connect.zlib compressed "${ZLIB[@]}"
check connect.zstd zstd
check connect.parallel parallel
check login.empty_password login_empty
check login.native login native mariadb
check login.ed25519 login_ed25519
check login.sha2_tls login sha2 mysql "${TLS[@]}"
check login.sha2_cached login sha2 mysql
check login.sha2_rsa login sha2_rsa mysql
check login.sha256_tls login sha256 mysql "${TLS[@]}"
check login.sha256_rsa login sha256 mysql
check login.switch login_switch
check login.refused login_refused
check types.text types
check charset.latin1 charset latin1 $'caf\xE9' 636166C3A9
check charset.gbk charset gbk $'\xBF\x5C' E7B897
check tx.commit tx_commit
check tx.rollback tx_rollback
check tx.savepoint tx_savepoint
check tx.isolation tx_isolation
check error.text errors
check result.affected_rows affected_rows
check result.last_insert_id last_insert_id
check result.warnings warnings
check result.metadata metadata
check multi.statements multi_statements
check multi.results multi_results
check multi.out_params out_params
check big.text big
check rows.stream stream
check rows.abandon abandon
check infile.load infile_load
check infile.missing infile_missing
check infile.refused infile_refused
check command.init_db init_db
check command.reset reset
check command.statistics statistics
check command.field_list field_list
check query.attributes query_attributes
check kill.query kill_query
check kill.connection kill_connection
check kill.interrupt kill_interrupt
exit "$status"
