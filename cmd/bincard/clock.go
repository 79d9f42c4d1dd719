package main

import (
	"os"
	"sync"
	"time"
	_ "time/tzdata" // so that TZ means the same on a machine without zone files

	"bincard/server"
	"bincard/server/api"
)

// testClock names the environment variable that moves the clock. Only a program
// built for tests has one (-ldflags "-X main.testClock=NAME"): a shipped program
// cannot be given another date.
var testClock string

// clockNow is the program's clock. Whatever is decided by the time or shows it
// takes it from here; package time only waits and measures how long something took.
func clockNow() time.Time { return time.Now().Add(clockShift()) }

var clockShift = sync.OnceValue(func() time.Duration {
	if testClock == "" || os.Getenv(testClock) == "" {
		return 0
	}
	d, err := time.ParseDuration(os.Getenv(testClock))
	if err != nil {
		panic(testClock + ": " + err.Error())
	}
	return d
})

// A timekeeper knows the time to go by and to show.
type timekeeper interface {
	// Now is the service's time as far as it is known, else this machine's.
	Now() time.Time
	// ClockOffset is by how much the service's clock is ahead of this machine's.
	ClockOffset() time.Duration
}

// machineClock is the timekeeper of a ledger on this machine.
type machineClock struct{}

func (machineClock) Now() time.Time             { return clockNow() }
func (machineClock) ClockOffset() time.Duration { return 0 }

// clockOf returns the timekeeper that follows the service's clock.
func clockOf(svc api.Service) timekeeper {
	if s, ok := svc.(operatorService); ok {
		svc = s.Service
	}
	if t, ok := svc.(timekeeper); ok {
		return t
	}
	return machineClock{}
}

// openServer opens a ledger on the program's clock, as this version.
func openServer(cfg server.Config) (*server.Server, error) {
	cfg.Version, cfg.Now, cfg.After = version, clockNow, time.After
	return server.Open(cfg)
}
