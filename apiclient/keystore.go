package apiclient

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/zalando/go-keyring"

	"bincard/server/api"
)

const (
	// KeyEnvironment is the environment variable that holds the key for all services.
	KeyEnvironment = "BINCARD_KEY"
	// KeyCredential is the name of the key among the credentials that systemd passes to
	// a service.
	KeyCredential = "bincard-key"
	// keyringService is the name under which keys are in the keyring.
	keyringService = "bincard"
)

// A KeyStore keeps the keys of services: in the device's keyring, or in files of Dir where the
// device has none. A key file, the environment and the credentials of systemd have precedence.
type KeyStore struct {
	Dir string
	// File is the file of the key that is used for every service; it may be empty.
	File string
}

// Load returns the key of a service: from the key file, the environment, the
// credentials of systemd, the device's keyring, or a file that only its owner can read.
func (s KeyStore) Load(url, organization string) (string, error) {
	if file := s.KeyFile(); file != "" {
		return ReadKeyFile(file)
	}
	if k := os.Getenv(KeyEnvironment); k != "" {
		return k, nil
	}
	if k, err := keyring.Get(keyringService, account(url, organization)); err == nil {
		return k, nil
	}

	data, err := os.ReadFile(s.file(url, organization))
	if errors.Is(err, fs.ErrNotExist) {
		return "", errors.New(
			api.Textf("there is no key for %s: enter it in the field Key of Settings, or set %s", url, KeyEnvironment))
	}
	if err != nil {
		return "", fmt.Errorf("cannot read the key for %s: %w", url, err)
	}

	return strings.TrimSpace(string(data)), nil
}

// KeyFile returns the file that Load reads for every service, or empty if there is none.
// The key in it may be replaced at any time.
func (s KeyStore) KeyFile() string {
	if s.File != "" || os.Getenv(KeyEnvironment) != "" {
		return s.File
	}

	if dir := os.Getenv("CREDENTIALS_DIRECTORY"); dir != "" {
		file := filepath.Join(dir, KeyCredential)
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}

	return ""
}

// ReadKeyFile returns the key in a file.
func ReadKeyFile(name string) (string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("cannot read the key file: %w", err)
	}

	key := strings.TrimSpace(string(data))
	if key == "" {
		return "", errors.New(api.Textf("the key file %s is empty: write the API key to it", name))
	}

	return key, nil
}

// Save saves the key of a service in the keyring, or in a file (0600) if the device
// has none.
func (s KeyStore) Save(url, organization, key string) error {
	if err := keyring.Set(keyringService, account(url, organization), key); err == nil {
		return nil
	}

	path := s.file(url, organization)
	err := os.MkdirAll(s.Dir, 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(key+"\n"), 0o600)
	}
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		return fmt.Errorf("cannot save the key: %w", err)
	}

	return nil
}

func account(url, organization string) string { return organization + " " + url }

func (s KeyStore) file(url, organization string) string {
	safe := strings.NewReplacer("/", "_", ":", "_", "\\", "_").Replace(url)
	return filepath.Join(s.Dir, organization+"@"+safe)
}
