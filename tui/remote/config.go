package remote

import (
	"context"
	"log/slog"
	"time"

	"bincard/tui/i18n"
	"bincard/tui/shell"
)

// A Person can sign in.
type Person struct {
	Name string
	// Keys are lines of an authorized_keys file. Invalid lines are ignored.
	Keys []string
	// Password reports whether a password is the person's. It is nil without a password.
	Password func(text string) bool
}

// A Session is a signed-in person at a terminal.
type Session struct {
	Person  string
	Index   int      // 0, or the lowest number that no other session of the person has
	Environ []string // "KEY=value" lines: TERM, COLORTERM, NO_COLOR
	From    string   // the remote address
}

// Config configures a Server. HostKey, Find and Open are required.
type Config struct {
	HostKey string // the file of the host key; New creates it
	// Find finds a person by name. It is called at each sign-in.
	Find func(name string) (Person, bool)
	// Open returns the options of a session's shell. Its context ends with the session.
	// done, if not nil, is called after the session.
	Open func(ctx context.Context, v Session) (opts shell.Options, done func(), err error)
	Log  *slog.Logger
	// Translator translates messages outside of a session; English if nil.
	Translator *i18n.Translator

	MaxSessions  int           // the most sessions: 100 if 0
	MaxPerPerson int           // the most sessions of one person; one more ends the oldest: 1 if 0
	Idle         time.Duration // the time without input after which a session ends: 30 min if 0
	Warning      time.Duration // how long before that the operator is warned: 1 min if 0
	Drain        time.Duration // how long sessions may take to save when the server ends: 5 s if 0
}

func (c Config) filled() Config {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}

	for _, d := range []struct {
		of *time.Duration
		is time.Duration
	}{{&c.Idle, 30 * time.Minute}, {&c.Warning, time.Minute}, {&c.Drain, 5 * time.Second}} {
		if *d.of == 0 {
			*d.of = d.is
		}
	}

	if c.MaxSessions == 0 {
		c.MaxSessions = 100
	}
	if c.MaxPerPerson == 0 {
		c.MaxPerPerson = 1
	}

	return c
}
