package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

var commandChecks = []check{
	{"command.change_user", skip("the driver has no COM_CHANGE_USER")},
	{"command.reset", skip("the driver has no COM_RESET_CONNECTION")},
	{"command.init_db", skip("the driver has no COM_INIT_DB")},
	{"command.ping", with(func(ctx context.Context, s *session) error { return s.PingContext(ctx) })},
	{"command.statistics", skip("the driver has no COM_STATISTICS")},
	{"command.field_list", skip("the driver has no COM_FIELD_LIST")},
	{"command.set_option", skip("the driver has no COM_SET_OPTION")},
	{"session.track", skip("the driver does not ask for session tracking")},
	{"query.attributes", skip("the driver sends no query attributes")},
	{"kill.query", withTwo(killQuery)},
	{"kill.connection", withTwo(killConnection)},
	{"kill.interrupt", skip("no command-line client")},
}

// Sleeping in WHERE, and not in the select list, makes KILL an error with
// MariaDB and MySQL alike.
const sleep = "SELECT n FROM clients.numbers WHERE SLEEP(20) = 0"

// killWhileSleeping runs sleep on one and, once the server shows it running, the
// KILL statement on two; it returns how sleep ended.
func killWhileSleeping(ctx context.Context, one, two *session, kill string) (ended, err error) {
	var id int64
	if err := one.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		return nil, err
	}
	result := make(chan error, 1)
	go func() { result <- one.exec(ctx, sleep) }()
	for running := 0; running == 0; {
		err := two.QueryRowContext(ctx, `SELECT COUNT(*) FROM performance_schema.threads
			WHERE processlist_id = ? AND processlist_state = 'User sleep'`, id).Scan(&running)
		if err != nil {
			return nil, err
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := two.exec(ctx, fmt.Sprintf("%s %d", kill, id)); err != nil {
		return nil, err
	}
	return <-result, nil
}

func killQuery(ctx context.Context, one, two *session) error {
	ended, err := killWhileSleeping(ctx, one, two, "KILL QUERY")
	if err != nil {
		return err
	}
	return errors.Join(wantError(ended, 1317, "70100"), selectOne(ctx, one))
}

func killConnection(ctx context.Context, one, two *session) error {
	ended, err := killWhileSleeping(ctx, one, two, "KILL")
	if err != nil {
		return err
	}
	if ended == nil || selectOne(ctx, one) == nil {
		return errors.New("the killed connection still works")
	}
	return selectOne(ctx, two)
}
