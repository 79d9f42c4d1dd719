package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
	_ "time/tzdata" // so that TZ works on a machine without zone files

	"github.com/spf13/cobra"

	"bincard/server"
)

// version is set by the build.
var version = "dev"

// userAgent returns the User-Agent of requests to services.
func userAgent() string { return "bincard/" + version }

// buildVersion returns the version of the build, or of the module that it was built from.
func buildVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && version == "dev" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return version
}

func versionText() string {
	return fmt.Sprintf("bincard %s (%s, %s/%s)", buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Show the version",
		Args:  atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printResult(cmd, asJSON, map[string]string{"version": buildVersion(), "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH}, versionText())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

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

// withClock returns cfg with the program's clock and version.
func withClock(cfg server.Config) server.Config {
	cfg.Version, cfg.Now, cfg.After = version, clockNow, time.After
	return cfg
}
