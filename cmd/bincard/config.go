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

// A config is the configuration: flags override the environment, which overrides the
// settings file. API keys are stored separately; see keys.
type config struct {
	URL          string `toml:"url,omitempty"`
	Organization string `toml:"organization,omitempty"`
	Data         string `toml:"data,omitempty"`
	Environment  string `toml:"environment,omitempty"`
	Theme        string `toml:"theme,omitempty"`
	Operator     string `toml:"operator,omitempty"`
	Location     string `toml:"location,omitempty"`
	Silent       bool   `toml:"silent,omitempty"`
	// Language is the code of the terminal's language, like "de".
	Language string `toml:"language,omitempty"`
	// Lock is the idle time after which the terminal locks, like "5m".
	Lock string `toml:"lock,omitempty"`
	// Afresh starts at the first screen instead of restoring the last session.
	Afresh bool `toml:"afresh,omitempty"`
	// Offline saves operations on this machine while the service cannot be reached.
	Offline bool `toml:"offline,omitempty"`
	// MonthlyRequests is the service's request quota per month; 0 is no limit. Up to a
	// fifth of it is used to fetch changes.
	MonthlyRequests uint32 `toml:"monthly_requests,omitempty"`
	// Operators may use this terminal; if empty, anyone may.
	Operators operators.List `toml:"operators,omitempty"`
	// Keys maps action IDs to the keys that run them.
	Keys map[string][]string `toml:"keys,omitempty"`

	// unknown holds settings that this version does not know, by name. encode writes them
	// back, because the file may come from a newer version.
	unknown map[string]any

	flagEnvironment string   // the value of --env; empty without the flag
	notes           []string // problems in the settings
	loggedIn        string   // the operator signed in when the previous session ended
	demo            bool
	node            bool // work through an offline node: --offline or Offline, with a URL
	joinNode        bool // also use a node that another process on this machine runs
	showIdle        bool
	plain           bool // line mode
	width           int  // of lines in line mode; 0 is the terminal's width
}

// getenvOr returns the environment variable, or otherwise if it is empty.
func getenvOr(name, otherwise string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return otherwise
}

// keys returns the store of the services' API keys.
func keys() keystore.Store {
	return keystore.Store{Dir: filepath.Join(xdg.ConfigHome, "bincard", "keys")}
}

// readConfig reads the settings file. A missing file is an empty configuration.
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

// decode parses the settings, including those that this version does not know.
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
		case len(key) == 1 && tui.CurrentName(key[0]) == "location":
			if c.Location == "" {
				c.Location, _ = all.settings[key[0]].(string)
			}
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

// encode writes the settings, including those that this version does not know.
func (c config) encode(w io.Writer) error {
	var known bytes.Buffer
	if err := toml.NewEncoder(&known).Encode(c); err != nil {
		return err
	}
	all := map[string]any{}
	if _, err := toml.Decode(known.String(), &all); err != nil {
		return err
	}
	hasUnknown := len(c.unknown) > 0
	maps.Copy(all, c.unknown)
	if list, ok := all["operators"].([]map[string]any); ok {
		for i, o := range list {
			hasUnknown = hasUnknown || len(c.Operators[i].Unknown) > 0
			maps.Copy(o, c.Operators[i].Unknown)
		}
	}
	if !hasUnknown {
		_, err := known.WriteTo(w) // in field order
		return err
	}
	return toml.NewEncoder(w).Encode(all)
}

// withEntry sets an entry of m and returns m, which it makes if it is nil.
func withEntry(m map[string]any, key string, value any) map[string]any {
	if m == nil {
		m = map[string]any{}
	}
	m[key] = value
	return m
}

// save replaces the settings file atomically.
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

// companyOperators returns the operators of the configured organization and notes on
// mistakes in the list.
func (c config) companyOperators() (operators.List, []string) {
	return c.Operators.OfCompany(c.Organization)
}

// login returns the shell's login settings and notes on mistakes in them.
func (c config) login(changed func(name string)) (tui.Login, []string) {
	people, notes := c.companyOperators()
	login, more := people.Login(c.Lock)
	login.OnChange, login.Current = changed, c.loggedIn
	return login, append(notes, more...)
}

// overlayOffline sets node from --offline, or else from the settings file.
func (c *config) overlayOffline(cmd *cobra.Command) {
	flag, _ := cmd.Flags().GetBool("offline")
	c.node = c.URL != "" && (flag || c.Offline && !cmd.Flag("offline").Changed)
}

// locationFlag adds the flag for the location, which also has its name of earlier versions.
func locationFlag(f *pflag.FlagSet, usage string) {
	f.String("location", "", usage)
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(tui.CurrentName(name))
	})
}

const monthlyFlag = "monthly-requests"

// monthlyFlags adds the flag for the service's monthly quota.
func monthlyFlags(f *pflag.FlagSet) {
	f.Uint32(monthlyFlag, 0, "the service's quota of `N` requests a month; up to a fifth is used to fetch changes")
}

// overlay applies the environment and the flags on top of the file.
func (c *config) overlay(cmd *cobra.Command) {
	for _, x := range []struct {
		to        *string
		env, flag string
	}{
		{&c.URL, "BINCARD_URL", "url"}, {&c.Organization, "BINCARD_ORG", "org"}, {&c.Data, "BINCARD_DATA", "data"},
		{&c.Environment, "BINCARD_ENV", "env"}, {&c.Theme, "BINCARD_THEME", "theme"}, {&c.Operator, "BINCARD_OPERATOR", "operator"},
		{&c.Location, "BINCARD_PLACE", ""}, {&c.Location, "BINCARD_LOCATION", "location"},
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
		c.URL = "" // --data has precedence over the file's service
	}
}
