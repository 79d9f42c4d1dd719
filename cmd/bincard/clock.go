package main

import (
	"os"
	"sync"
	"time"
	_ "time/tzdata" // so that TZ means the same on a machine without zone files

	"bincard/offline/host"
	"bincard/server"
	"bincard/server/api"
)

// testClock names the environment variable that moves the clock. Only a program
// built for tests has one (-ldflags "-X main.testClock=NAME"): a shipped program
// cannot be given another date.
var testClock string

// clockNow is the program's clock for all times that are compared, stored or shown.
// Package time is only for waiting and measuring.
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

// machineClock is the clock of a ledger on this machine.
type machineClock struct{}

func (machineClock) Now() time.Time             { return clockNow() }
func (machineClock) ClockOffset() time.Duration { return 0 }

// clockOf returns the clock that follows the service's clock.
func clockOf(svc api.Service) host.Clock {
	if s, ok := svc.(operatorService); ok {
		svc = s.Service
	}
	if t, ok := svc.(host.Clock); ok {
		return t
	}
	return machineClock{}
}

// openServer opens a ledger on the program's clock, as this version.
func openServer(cfg server.Config) (*server.Server, error) { return server.Open(withClock(cfg)) }

// withClock completes the configuration of a ledger with the program's clock and version.
func withClock(cfg server.Config) server.Config {
	cfg.Version, cfg.Now, cfg.After = version, clockNow, time.After
	return cfg
}
