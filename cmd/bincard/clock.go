package main

import (
	"os"
	"sync"
	"time"
	_ "time/tzdata" // so that TZ works on a machine without zone files

	"bincard/offline/host"
	"bincard/server"
	"bincard/server/api"
)

// testClock names the environment variable that shifts the clock. It is set only in test
// builds (-ldflags "-X main.testClock=NAME"), so that the date of a release build cannot
// be changed.
var testClock string

// clockNow returns the time that the program compares, stores and shows. Package time is
// used directly only to wait and to measure.
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

// machineClock is the clock of a local ledger: this machine's.
type machineClock struct{}

func (machineClock) Now() time.Time             { return clockNow() }
func (machineClock) ClockOffset() time.Duration { return 0 }

// clockOf returns the clock of svc if it has one, else the machine's.
func clockOf(svc api.Service) host.Clock {
	if s, ok := svc.(operatorService); ok {
		svc = s.Service
	}
	if t, ok := svc.(host.Clock); ok {
		return t
	}
	return machineClock{}
}

// openServer opens a ledger with the program's clock and version.
func openServer(cfg server.Config) (*server.Server, error) { return server.Open(withClock(cfg)) }

// withClock returns cfg with the program's clock and version.
func withClock(cfg server.Config) server.Config {
	cfg.Version, cfg.Now, cfg.After = version, clockNow, time.After
	return cfg
}
