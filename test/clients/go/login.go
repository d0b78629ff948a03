package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"
)

var loginChecks = []check{
	{"login.empty_password", loginEmpty},
	{"login.native", loginAs("native", "mariadb")},
	{"login.ed25519", loginAs("ed25519", "mariadb")},
	{"login.sha2_tls", loginTLS("sha2", "mysql")},
	{"login.sha2_cached", loginAs("sha2", "mysql")},
	{"login.sha2_rsa", loginAs("sha2_rsa", "mysql")},
	{"login.sha256_tls", loginTLS("sha256", "mysql")},
	{"login.sha256_rsa", loginAs("sha256", "mysql")},
	{"login.switch", skip("the driver always opens with the server's own plugin; login.ed25519 and login.sha256_tls are switches")},
	{"login.refused", loginRefused},
}

// as returns t with the account that logs in by this plugin.
func (t target) as(plugin string) target {
	t.user, t.password = t.account+"_"+plugin, t.accountPassword
	return t
}

func loginAs(plugin, flavor string) func(context.Context, target) error {
	return func(ctx context.Context, t target) error {
		if t.flavor != flavor {
			return skipError(t.flavor + " has no account of this plugin")
		}
		t = t.as(plugin)
		return challenged(ctx, func() error {
			return with(func(ctx context.Context, s *session) error {
				return s.expect(ctx, t.user+"@%", "SELECT CURRENT_USER()")
			})(ctx, t)
		})
	}
}

// challenged logs in, again if the driver takes the challenge for malformed: it cuts off a zero at its end, and
// the one of ed25519 has 32 random bytes.
func challenged(ctx context.Context, login func() error) error {
	err := login()
	for tries := 4; tries > 0 && errors.Is(err, mysql.ErrMalformPkt) && ctx.Err() == nil; tries-- {
		err = login()
	}
	return err
}

func loginTLS(plugin, flavor string) func(context.Context, target) error {
	return func(ctx context.Context, t target) error {
		if t.flavor != flavor {
			return skipError(t.flavor + " has no account of this plugin")
		}
		edit, err := trusting(t.ca)
		if err != nil {
			return err
		}
		return with(selectOne, edit)(ctx, t.as(plugin))
	}
}

func loginEmpty(ctx context.Context, t target) error {
	t = t.as("empty")
	t.password = ""
	return with(selectOne)(ctx, t)
}

func loginRefused(ctx context.Context, t target) error {
	plugins := map[string][]string{
		"mariadb": {"native", "ed25519", "empty"},
		"mysql":   {"sha2", "sha2_rsa", "sha256", "empty"},
	}
	for _, plugin := range plugins[t.flavor] {
		wrong := t.as(plugin)
		wrong.password += "x"
		refused := func() error { return with(selectOne)(ctx, wrong) }
		if err := wantError(challenged(ctx, refused), 1045, "28000"); err != nil {
			return fmt.Errorf("%s: %w", plugin, err)
		}
	}
	return nil
}
