package cli

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

// Version is set by the build.
var Version = "dev"

// UserAgent returns the User-Agent of requests to services.
func UserAgent() string { return "bincard/" + Version }

// BuildVersion returns the version of the build, or of the module that it was built from.
func BuildVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && Version == "dev" && info.Main.Version != "" &&
		info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return Version
}

// VersionText describes the build: its version, and its system.
func VersionText() string {
	return fmt.Sprintf("bincard %s (%s, %s/%s)", BuildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// VersionCommand shows the version.
func VersionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Show the version",
		Args:  AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return PrintResult(
				cmd,
				asJSON,
				map[string]string{
					"version": BuildVersion(),
					"go":      runtime.Version(),
					"os":      runtime.GOOS,
					"arch":    runtime.GOARCH,
				},
				VersionText(),
			)
		},
	}

	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

// TestClock names the environment variable that shifts the clock. It is set only in test
// builds (-ldflags "-X bincard/cmd/bincard/cli.TestClock=NAME"), so that the date of a release build cannot
// be changed.
var TestClock string

// ClockNow returns the time that the program compares, stores and shows. Package time is
// used directly only to wait and to measure.
func ClockNow() time.Time { return time.Now().Add(clockShift()) }

var clockShift = sync.OnceValue(func() time.Duration {
	if TestClock == "" || os.Getenv(TestClock) == "" {
		return 0
	}
	d, err := time.ParseDuration(os.Getenv(TestClock))
	if err != nil {
		panic(TestClock + ": " + err.Error())
	}
	return d
})

// MachineClock is the clock of a local ledger: this machine's.
type MachineClock struct{}

func (MachineClock) Now() time.Time             { return ClockNow() }
func (MachineClock) ClockOffset() time.Duration { return 0 }

// WithClock returns cfg with the program's clock and version.
func WithClock(cfg server.Config) server.Config {
	cfg.Version, cfg.Now, cfg.After = Version, ClockNow, time.After
	return cfg
}
