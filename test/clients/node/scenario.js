'use strict';
// The scenario of mysql2: every check of ../checks.txt, as Node.js would do it.
// query() speaks the text protocol, execute() the binary one.

const { run, skip } = require('./harness');

require('./connect');
require('./values');
require('./transactions');
require('./results');
require('./prepared');
require('./sizes');
require('./commands');

skip('mysql2 compresses with zlib only', 'connect.zstd');
skip('mysql2 has no client_ed25519', 'login.ed25519');
skip("mysql2 always opens with the server's own plugin", 'login.switch');
skip('mysql2 has no bulk execution', 'prepared.bulk');
skip('mysql2 sends every parameter with the execution', 'prepared.long_data');
skip('mysql2 opens no server-side cursors', 'rows.cursor');
skip('mysql2 has no such command', 'command.init_db', 'command.statistics', 'command.field_list', 'command.set_option');
skip('no command-line client', 'kill.interrupt');

run();
