package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"

	"bincard/server/api"
	"bincard/views/filestore"
)

func configFile() string { return filepath.Join(xdg.ConfigHome, "bincard", "config.toml") }
func dataHome() string   { return filepath.Join(xdg.DataHome, "bincard") }
func stateHome() string  { return filepath.Join(xdg.StateHome, "bincard") }

func (c config) ledgerDir() string {
	if c.Data != "" {
		return c.Data
	}
	return filepath.Join(dataHome(), "ledger")
}

func (c config) demoDir() string {
	if c.Data != "" {
		return c.Data
	}
	return filepath.Join(dataHome(), "demo")
}

// nodeDir returns the directory of the node for the configured service.
func (c config) nodeDir(env api.Environment) string {
	name := c.URL + "@" + c.Organization + "@" + string(env)
	sum := sha256.Sum256([]byte(name))
	return filepath.Join(dataHome(), "offline", fmt.Sprintf("%s-%x", sanitize(name), sum[:4]))
}

// sourceName names the ledger or service in the paths of drafts, sessions and settings.
func (c config) sourceName() string {
	switch {
	case c.demo:
		return "demo"
	case c.URL != "":
		return sanitize(c.URL + "@" + c.Organization)
	}
	return sanitize("local@" + c.ledgerDir() + "@" + c.Organization + "@" + c.Environment)
}

// settings returns the store of the operators' settings in an environment.
func (c config) settings(env api.Environment) filestore.Settings {
	return filestore.Settings{Dir: filepath.Join(filepath.Dir(configFile()), "saved", c.sourceName()+"@"+sanitize(string(env)))}
}

// exportsDir returns the default directory for exports: the download folder, else the
// home directory, else the working directory.
func exportsDir() string {
	for _, dir := range []string{xdg.UserDirs.Download, xdg.Home} {
		if info, err := os.Stat(dir); dir != "" && err == nil && info.IsDir() {
			return dir
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return os.TempDir()
	}
	return dir
}

// sanitize replaces the characters of s that are not safe in a file name.
func sanitize(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-.@", r) {
			return r
		}
		return '_'
	}, s)
}
