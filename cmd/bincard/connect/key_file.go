package connect

import (
	"context"
	"log/slog"
	"os"
	"time"

	"bincard/apiclient"
	"bincard/cmd/bincard/cli"
)

// keyFileInterval is how often a key file is checked.
const keyFileInterval = time.Second

// A keyFile is the file that a client's key comes from.
type keyFile struct {
	name   string
	client *apiclient.Client
	key    string
}

// Watch uses a key that is written to the file, and then calls changed, until ctx ends.
// While the file has no usable key, the last one stays in use.
func (f *keyFile) Watch(ctx context.Context, changed func()) {
	tick := time.NewTicker(keyFileInterval)
	defer tick.Stop()
	var read os.FileInfo
	failed := ""
	for {
		if info, err := os.Stat(f.name); err == nil &&
			(read == nil || info.ModTime() != read.ModTime() || info.Size() != read.Size()) {
			read = info
			if f.replace(&failed) {
				changed()
			}
		}

		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// replace uses the key in the file if it is another one of the same environment.
func (f *keyFile) replace(failed *string) bool {
	key, err := apiclient.ReadKeyFile(f.name)
	if err != nil || key == f.key {
		return false // it may be about to be written
	}
	if was, now := EnvironmentOf(f.key), EnvironmentOf(key); was != now {
		err = cli.UsageErrorf("the key is one of %s, not of %s", now, was)
	} else {
		err = f.client.SetKey(key)
	}

	if err != nil {
		if *failed != err.Error() {
			slog.Error("cannot use the new key; keeping the old one", "file", f.name, "error", err)
		}
		*failed = err.Error()
		return false
	}

	f.key, *failed = key, ""
	slog.Info("using the new key", "file", f.name, "key", apiclient.Mask(key))

	return true
}
