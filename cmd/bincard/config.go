package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/BurntSushi/toml"
	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A config is what the terminal was told, by flags, by the environment, or by
// its file, in this order. The key is not among it: see credentials.
type config struct {
	URL          string `toml:"url,omitempty"`
	Organization string `toml:"organization,omitempty"`
	Data         string `toml:"data,omitempty"`
	Environment  string `toml:"environment,omitempty"`
	Theme        string `toml:"theme,omitempty"`
	Operator     string `toml:"operator,omitempty"`
	Place        string `toml:"place,omitempty"`
	Silent       bool   `toml:"silent,omitempty"`
	// Lock is after how long without a key the terminal locks itself: "5m".
	Lock string `toml:"lock,omitempty"`
	// Afresh opens the first screen instead of where one left.
	Afresh bool `toml:"afresh,omitempty"`
	// Offline keeps the work on a remote service here while there is no connection.
	Offline bool `toml:"offline,omitempty"`
	// MonthlyRequests is how many requests the service answers in a month, where
	// it has such a limit: a fifth of them are for reading what is new.
	MonthlyRequests uint32 `toml:"monthly_requests,omitempty"`
	// Operators may work here; anybody when there is none.
	Operators []operator `toml:"operators,omitempty"`
	// Keys are action IDs with the keys that stand for them.
	Keys map[string][]string `toml:"keys,omitempty"`

	asked    string   // the environment that a flag names
	notes    []string // what is wrong with the settings
	atWork   string   // who was logged on when the session before ended
	demo     bool
	node     bool // Offline, or the flag of that name
	joins    bool // works through the node of this machine where a program has it
	showIdle bool
	plain    bool // a dialogue of lines
	width    int  // of its lines; 0 is the terminal's own
}

func envOr(name, otherwise string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return otherwise
}

func configFile() string { return filepath.Join(xdg.ConfigHome, "bincard", "config.toml") }
func dataHome() string   { return filepath.Join(xdg.DataHome, "bincard") }
func stateHome() string  { return filepath.Join(xdg.StateHome, "bincard") }

// readConfig reads the file; none is an empty one.
func readConfig() (config, error) {
	var c config
	_, err := toml.DecodeFile(configFile(), &c)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("the settings in %s cannot be read: %w. Mend or remove the file", configFile(), err)
	}
	return c, nil
}

// save writes the file, whole or not at all.
func (c config) save() error {
	if err := os.MkdirAll(filepath.Dir(configFile()), 0o700); err != nil {
		return fmt.Errorf("the settings cannot be kept: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(configFile()), ".config-")
	if err != nil {
		return fmt.Errorf("the settings cannot be kept: %w", err)
	}
	defer os.Remove(f.Name())
	err = errors.Join(toml.NewEncoder(f).Encode(c), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), configFile())
	}
	if err != nil {
		return fmt.Errorf("the settings cannot be kept: %w", err)
	}
	return nil
}

// keeps reads whether the work is kept on this machine while the service cannot
// be reached: as the flag says, or else the file.
func (c *config) keeps(cmd *cobra.Command) {
	wished, _ := cmd.Flags().GetBool("offline")
	c.node = c.URL != "" && (wished || c.Offline && !cmd.Flag("offline").Changed)
}

const monthlyFlag = "monthly-requests"

// monthly adds the flag by which reading keeps to its share of a service's requests.
func monthly(f *pflag.FlagSet) {
	f.Uint32(monthlyFlag, 0, "the service answers `N` requests a month, of which a fifth may be for reading what is new")
}

// overlay takes what the environment and the flags say over what the file says.
func (c *config) overlay(cmd *cobra.Command) {
	for _, x := range []struct {
		to        *string
		env, flag string
	}{
		{&c.URL, "BINCARD_URL", "url"}, {&c.Organization, "BINCARD_ORG", "org"}, {&c.Data, "BINCARD_DATA", "data"},
		{&c.Environment, "BINCARD_ENV", "env"}, {&c.Theme, "BINCARD_THEME", "theme"}, {&c.Operator, "BINCARD_OPERATOR", "operator"},
		{&c.Place, "BINCARD_PLACE", "place"},
	} {
		*x.to = envOr(x.env, *x.to)
		if f := cmd.Flag(x.flag); f != nil && f.Changed {
			*x.to = f.Value.String()
		}
	}
	if f := cmd.Flag("env"); f != nil && f.Changed {
		c.asked = f.Value.String()
	}
	if f := cmd.Flag(monthlyFlag); f != nil && f.Changed {
		c.MonthlyRequests, _ = cmd.Flags().GetUint32(monthlyFlag)
	}
	if f := cmd.Flag("data"); f != nil && f.Changed {
		c.URL = "" // a data directory named on the line is meant, whatever the file says
	}
}
