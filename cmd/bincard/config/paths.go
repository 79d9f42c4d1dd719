package config

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"

	"bincard/apiclient"
	"bincard/server/api"
)

// KeyStore returns the store of the services' API keys.
func (c Config) KeyStore() apiclient.KeyStore {
	return apiclient.KeyStore{Dir: filepath.Join(xdg.ConfigHome, "bincard", "keys"), File: c.KeyFile}
}

// File returns the settings file.
func File() string { return filepath.Join(xdg.ConfigHome, "bincard", "config.toml") }

// LabelsFile returns the settings file of labels and their printers.
func LabelsFile() string { return filepath.Join(xdg.ConfigHome, "bincard", "labels.toml") }

// LabelTemplatesDir returns the folder of the company's own label templates.
func LabelTemplatesDir() string { return filepath.Join(xdg.ConfigHome, "bincard", "labels") }

// LabelsDir returns the folder of the labels that wait to be printed, and of the numbers of
// pallets.
func LabelsDir() string { return filepath.Join(DataHome(), "labels") }

// DataHome returns the folder of ledgers and offline data.
func DataHome() string { return filepath.Join(xdg.DataHome, "bincard") }

// StateHome returns the folder of logs, drafts and sessions.
func StateHome() string { return filepath.Join(xdg.StateHome, "bincard") }

// LedgerDir returns the directory of the local ledger.
func (c Config) LedgerDir() string {
	if c.Data != "" {
		return c.Data
	}
	return filepath.Join(DataHome(), "ledger")
}

// DemoDir returns the directory of the demo.
func (c Config) DemoDir() string {
	if c.Data != "" {
		return c.Data
	}
	return filepath.Join(DataHome(), "demo")
}

// NodeDir returns the directory of the node for the configured service.
func (c Config) NodeDir(env api.Environment) string {
	name := c.URL + "@" + c.Organization + "@" + string(env)
	sum := sha256.Sum256([]byte(name))
	return filepath.Join(DataHome(), "offline", fmt.Sprintf("%s-%x", FileName(name), sum[:4]))
}

// Source names the ledger or service in the paths of drafts, sessions and settings.
func (c Config) Source() string {
	switch {
	case c.Demo:
		return "demo"
	case c.URL != "":
		return FileName(c.URL + "@" + c.Organization)
	case c.Store != "":
		return FileName("store@" + c.StoreName + "@" + c.Organization + "@" + c.Environment)
	}

	return FileName("local@" + c.LedgerDir() + "@" + c.Organization + "@" + c.Environment)
}

// Saved returns the store of the operators' settings in an environment.
func (c Config) Saved(env api.Environment) SavedSettings {
	return SavedSettings{Dir: filepath.Join(filepath.Dir(File()), "saved", c.Source()+"@"+FileName(string(env)))}
}

// ExportsDir returns the default directory for exports: the download folder, else the
// home directory, else the working directory.
func ExportsDir() string {
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

// FileName replaces the characters of s that are not safe in a file name.
func FileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-.@", r) {
			return r
		}
		return '_'
	}, s)
}
