package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"github.com/BurntSushi/toml"
	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bincard/apiclient/keystore"
	"bincard/tui"
	"bincard/tui/operators"
)

// A config is the configuration from flags, the environment and the settings file, in
// this order. The key is not among it: see keys.
type config struct {
	URL          string `toml:"url,omitempty"`
	Organization string `toml:"organization,omitempty"`
	Data         string `toml:"data,omitempty"`
	Environment  string `toml:"environment,omitempty"`
	Theme        string `toml:"theme,omitempty"`
	Operator     string `toml:"operator,omitempty"`
	Location     string `toml:"place,omitempty"`
	Silent       bool   `toml:"silent,omitempty"`
	// Language is the code of the terminal's language: "de".
	Language string `toml:"language,omitempty"`
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
	Operators operators.List `toml:"operators,omitempty"`
	// Keys are action IDs with the keys that stand for them.
	Keys map[string][]string `toml:"keys,omitempty"`

	// unknown are the settings that this version does not know, by name: the file
	// may be a newer version's. save writes them back.
	unknown map[string]any

	flagEnvironment string   // the environment that a flag names
	notes           []string // what is wrong with the settings
	loggedIn        string   // who was logged on when the session before ended
	demo            bool
	node            bool // Offline, or the flag of that name
	joinNode        bool // works through the node of this machine where a program has it
	showIdle        bool
	plain           bool // a dialogue of lines
	width           int  // of its lines; 0 is the terminal's own
}

func getenvOr(name, otherwise string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return otherwise
}

// keys are the API keys of services.
func keys() keystore.Store {
	return keystore.Store{Dir: filepath.Join(xdg.ConfigHome, "bincard", "keys")}
}

// readConfig reads the config file; a missing file is an empty config.
func readConfig() (config, error) {
	var c config
	data, err := os.ReadFile(configFile())
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = c.decode(string(data))
	}
	if err != nil {
		return c, fmt.Errorf("cannot read the settings in %s: %w. Correct or remove the file", configFile(), err)
	}
	return c, nil
}

// decode reads the settings, with those that this version does not know.
func (c *config) decode(text string) error {
	meta, err := toml.Decode(text, c)
	if err != nil || len(meta.Undecoded()) == 0 {
		return err
	}
	var all struct {
		settings  map[string]any
		operators struct {
			Operators []map[string]any `toml:"operators"`
		}
	}
	if _, err := toml.Decode(text, &all.settings); err != nil {
		return err
	}
	if _, err := toml.Decode(text, &all.operators); err != nil {
		return err
	}
	for _, key := range meta.Undecoded() {
		switch {
		case len(key) == 1:
			c.unknown = withEntry(c.unknown, key[0], all.settings[key[0]])
		case len(key) == 2 && key[0] == "operators":
			for i, o := range all.operators.Operators {
				if value, ok := o[key[1]]; ok {
					c.Operators[i].Unknown = withEntry(c.Operators[i].Unknown, key[1], value)
				}
			}
		}
	}
	return nil
}

// encode writes the settings, with those that this version does not know.
func (c config) encode(w io.Writer) error {
	var known bytes.Buffer
	if err := toml.NewEncoder(&known).Encode(c); err != nil {
		return err
	}
	all := map[string]any{}
	if _, err := toml.Decode(known.String(), &all); err != nil {
		return err
	}
	more := len(c.unknown) > 0
	maps.Copy(all, c.unknown)
	if list, ok := all["operators"].([]map[string]any); ok {
		for i, o := range list {
			more = more || len(c.Operators[i].Unknown) > 0
			maps.Copy(o, c.Operators[i].Unknown)
		}
	}
	if !more {
		_, err := known.WriteTo(w) // in the order of the fields
		return err
	}
	return toml.NewEncoder(w).Encode(all)
}

func withEntry(m map[string]any, key string, value any) map[string]any {
	if m == nil {
		m = map[string]any{}
	}
	m[key] = value
	return m
}

// save writes the file, whole or not at all.
func (c config) save() error {
	if err := os.MkdirAll(filepath.Dir(configFile()), 0o700); err != nil {
		return fmt.Errorf("cannot save the settings: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(configFile()), ".config-")
	if err != nil {
		return fmt.Errorf("cannot save the settings: %w", err)
	}
	defer os.Remove(f.Name())
	err = errors.Join(c.encode(f), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), configFile())
	}
	if err != nil {
		return fmt.Errorf("cannot save the settings: %w", err)
	}
	return nil
}

// companyOperators returns the operators of the configured organization, with notes on
// mistakes.
func (c config) companyOperators() (operators.List, []string) {
	return c.Operators.OfCompany(c.Organization)
}

// login returns the shell's login settings.
func (c config) login(changed func(name string)) (tui.Login, []string) {
	people, notes := c.companyOperators()
	on, more := people.Login(c.Lock)
	on.OnChange, on.Current = changed, c.loggedIn
	return on, append(notes, more...)
}

// overlayOffline sets whether this machine saves operations while the service cannot be
// reached: as the flag says, or else the file.
func (c *config) overlayOffline(cmd *cobra.Command) {
	flag, _ := cmd.Flags().GetBool("offline")
	c.node = c.URL != "" && (flag || c.Offline && !cmd.Flag("offline").Changed)
}

const monthlyFlag = "monthly-requests"

// monthlyFlags adds the flag with the service's quota.
func monthlyFlags(f *pflag.FlagSet) {
	f.Uint32(monthlyFlag, 0, "the service's quota of `N` requests a month; up to a fifth is used to fetch changes")
}

// overlay lets the environment and the flags override the file.
func (c *config) overlay(cmd *cobra.Command) {
	for _, x := range []struct {
		to        *string
		env, flag string
	}{
		{&c.URL, "BINCARD_URL", "url"}, {&c.Organization, "BINCARD_ORG", "org"}, {&c.Data, "BINCARD_DATA", "data"},
		{&c.Environment, "BINCARD_ENV", "env"}, {&c.Theme, "BINCARD_THEME", "theme"}, {&c.Operator, "BINCARD_OPERATOR", "operator"},
		{&c.Location, "BINCARD_PLACE", "place"},
	} {
		*x.to = getenvOr(x.env, *x.to)
		if f := cmd.Flag(x.flag); f != nil && f.Changed {
			*x.to = f.Value.String()
		}
	}
	if f := cmd.Flag("env"); f != nil && f.Changed {
		c.flagEnvironment = f.Value.String()
	}
	if f := cmd.Flag(monthlyFlag); f != nil && f.Changed {
		c.MonthlyRequests, _ = cmd.Flags().GetUint32(monthlyFlag)
	}
	if f := cmd.Flag("data"); f != nil && f.Changed {
		c.URL = "" // a data directory on the command line has precedence over the file's service
	}
}
