package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"github.com/zalando/go-keyring"
)

// keyringService is the name under which keys are kept on the device.
const keyringService = "bincard"

// loadKey finds the key of a service: in the environment, in the device's
// keyring, or in a file that only its owner can read.
func loadKey(url, organization string) (string, error) {
	if k := os.Getenv("BINCARD_KEY"); k != "" {
		return k, nil
	}
	if k, err := keyring.Get(keyringService, keyringUser(url, organization)); err == nil {
		return k, nil
	}
	data, err := os.ReadFile(keyFile(url, organization))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no key for %s: set BINCARD_KEY, or enter it on the settings screen", url)
	}
	if err != nil {
		return "", fmt.Errorf("cannot read the key for %s: %w", url, err)
	}
	return strings.TrimSpace(string(data)), nil
}

// saveKey keeps the key of a service in the keyring, or in a file (0600) where
// the device has none. It tells which.
func saveKey(url, organization, key string) (where string, err error) {
	if err := keyring.Set(keyringService, keyringUser(url, organization), key); err == nil {
		return "the keyring", nil
	}
	path := keyFile(url, organization)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("cannot save the key: %w", err)
	}
	if err := os.WriteFile(path, []byte(key+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("cannot save the key: %w", err)
	}
	return path, os.Chmod(path, 0o600)
}

func keyringUser(url, organization string) string { return organization + " " + url }

func keyFile(url, organization string) string {
	safe := strings.NewReplacer("/", "_", ":", "_", "\\", "_").Replace(url)
	return filepath.Join(xdg.ConfigHome, "bincard", "keys", organization+"@"+safe)
}
