package main

import (
	"bytes"
	"testing"
	"time"
)

func TestBar(t *testing.T) {
	for _, test := range []struct {
		name     string
		terminal bool
		want     string
	}{
		{"on a terminal", true, "\r\x1b[K[1/2] shop.a [........................]   0 %  0 rows" +
			"\r\x1b[K[1/2] shop.a [############............]  50 %  5,000 rows  2,500/s  2s left" +
			"\r\x1b[K[1/2] shop.a [############............]  50 %  5,000 rows  waits: the server takes 2ms  1,666/s  3s left" +
			"\r\x1b[K[1/2] shop.a 12,000 rows  1,000/s" +
			"\r\x1b[K[2/2] shop.b 0 rows" +
			"\r\x1b[K[2/2] shop.c [#####################...]  90 %  9,000 rows" +
			"\r\x1b[K[2/2] shop.c [######################..]  95 %  9,500 rows  50/s  10s left" +
			"\r\x1b[K[2/2] shop.c [######################..]  95 %  9,500 rows  waits: transactions have locked 3 rows  25/s  20s left\r\x1b[K"},
		{"elsewhere", false, "[1/2] shop.a 12,000 rows  1,000/s\n[2/2] shop.c [######################..]  95 %  9,500 rows  50/s  10s left\n" +
			"[2/2] shop.c [######################..]  95 %  9,500 rows  waits: transactions have locked 3 rows  25/s  20s left\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			b := newBar(&screen{out: &out, terminal: test.terminal, columns: func() int { return 0 }})
			now := time.Unix(1000, 0)
			b.now = func() time.Time { return now }
			b.show("shop.a", 0, 2, 0, 10000)
			now = now.Add(100 * time.Millisecond) // too soon for another line
			b.show("shop.a", 0, 2, 100, 10000)
			now = now.Add(1900 * time.Millisecond)
			b.show("shop.a", 0, 2, 5000, 10000)
			b.slow = 1500 * time.Microsecond
			now = now.Add(time.Second)
			b.show("shop.a", 0, 2, 5000, 10000)
			b.slow = 0
			now = now.Add(9 * time.Second) // more rows than were estimated
			b.show("shop.a", 0, 2, 12000, 10000)
			now = now.Add(time.Second)
			b.show("shop.b", 1, 2, 0, 0)
			now = now.Add(time.Second)
			b.show("shop.c", 1, 2, 9000, 10000) // gone on with: nine tenths were done before
			now = now.Add(10 * time.Second)
			b.show("shop.c", 1, 2, 9500, 10000)
			b.locked = 3
			now = now.Add(10 * time.Second)
			b.show("shop.c", 1, 2, 9500, 10000)
			b.close()
			if got := out.String(); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -123: "-123"} {
		if got := grouped(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
