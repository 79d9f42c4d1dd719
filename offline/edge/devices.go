package edge

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/store"
)

// A Device describes a device key.
type Device struct {
	ID    api.ID `json:"id"`
	Hint  string `json:"hint"`
	Label string `json:"label"`
	// LocationID is the only location where the device may work, and Location
	// its code; both are zero if it may work anywhere.
	LocationID api.ID      `json:"locationId,omitzero"`
	Location   string      `json:"location,omitzero"`
	Scopes     []api.Scope `json:"scopes"`
	CreatedAt  time.Time   `json:"createdAt"`
	RevokedAt  *time.Time  `json:"revokedAt,omitzero"`
	// LastUsedAt is when the key was last used since the edge started.
	LastUsedAt *time.Time `json:"lastUsedAt,omitzero"`
}

// DeviceInput describes the device key to create.
type DeviceInput struct {
	Label string `json:"label"`
	// Location is the code of the only location where the device may work;
	// empty means anywhere.
	Location string      `json:"location,omitzero"`
	Scopes   []api.Scope `json:"scopes"`
}

// A device is a Device as stored in the file, with the digest of its secret.
type device struct {
	Device
	store.Unknown
	Public string       `json:"public"`
	Digest []byte       `json:"digest"`
	used   atomic.Int64 // last use, in Unix milliseconds
}

// DevicesFile is the name of the file of device keys in an edge's directory.
const DevicesFile = "devices.json"

// Devices are the device keys of an edge. The service does not know them.
type Devices struct {
	path  string
	owner api.Caller // the organization and environment of all keys
	now   func() time.Time

	mu   sync.RWMutex
	list []*device
}

// OpenDevices reads the device keys in an edge's directory. All belong to the
// owner's organization and environment.
func OpenDevices(dir string, owner api.Caller, now func() time.Time) (*Devices, error) {
	d := &Devices{path: filepath.Join(dir, DevicesFile), owner: owner, now: now}
	text, err := os.ReadFile(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &d.list)
	}
	if err != nil {
		return nil, fmt.Errorf(
			"cannot read the device keys in %s: %w. Restore the file from a backup, or remove it and create new keys",
			d.path, err)
	}

	return d, nil
}

// Create creates a key and returns its secret, which is not stored. at is the location
// that the input names, or nil if it names none.
func (d *Devices) Create(in DeviceInput, at *api.Place) (secret string, created Device, err error) {
	in.Label = strings.TrimSpace(in.Label)
	if err := in.check(); err != nil {
		return "", Device{}, err
	}

	d.mu.Lock()
	defer d.mu.Unlock()
	for _, known := range d.list {
		if known.RevokedAt == nil && strings.EqualFold(known.Label, in.Label) {
			return "", Device{}, api.Fail(api.AlreadyExists, api.Details{"keyId": known.ID},
				"A device named %q already exists. Choose another name, or revoke its key (%s) first.", known.Label,
				known.ID)
		}
	}

	secret, public := account.NewSecret(d.owner.Environment)
	digest := sha256.Sum256([]byte(secret))
	x := &device{
		Public: public,
		Digest: digest[:],
		Device: Device{ID: uuid.New(), Hint: account.MaskKey(secret), Label: in.Label,
			Scopes: slices.Compact(slices.Sorted(slices.Values(in.Scopes))), CreatedAt: api.Instant(d.now())},
	}

	if at != nil {
		x.LocationID, x.Location = at.ID, at.Code
	}
	if err := d.save(append(slices.Clone(d.list), x)); err != nil {
		return "", Device{}, err
	}

	return secret, x.Device, nil
}

// boundCaller returns the caller of the device that did an operation, or nil if none is
// known or it was not bound to a location. An earlier version saved no id: then it is the
// last device that had the label at the time.
func (d *Devices) boundCaller(op *outbox.Operation) *api.Caller {
	d.mu.RLock()
	defer d.mu.RUnlock()
	var found *device
	for _, x := range d.list { // a label may be used again after its key was revoked
		switch {
		case op.DeviceID != api.NoID:
			if x.ID == op.DeviceID {
				found = x
			}
		case x.Label == op.Device && (found == nil || !x.CreatedAt.After(op.At)):
			found = x
		}
	}

	if found == nil || found.LocationID == api.NoID {
		return nil
	}

	return d.callerOf(found)
}

// callerOf returns the caller that uses a device key.
func (d *Devices) callerOf(x *device) *api.Caller {
	c := d.owner
	c.Actor = api.Actor{Type: api.APIKey, ID: x.ID.String(), Label: x.Label}
	c.Scopes, c.KeyID, c.KeyLabel = x.Scopes, x.ID, x.Label
	c.LocationID, c.LocationCode = x.LocationID, x.Location
	return &c
}

func (in *DeviceInput) check() error {
	var p api.Problems
	if in.Label == "" || utf8.RuneCountInString(in.Label) > 255 {
		p.Add("label", "required", "must be a name of at most 255 characters")
	}
	if len(in.Scopes) == 0 {
		p.Add("scopes", "required", "must have at least one of %v", api.Scopes)
	}

	for i, s := range in.Scopes {
		if !slices.Contains(api.Scopes, s) {
			p.Add(fmt.Sprintf("scopes[%d]", i), "enum", "must be one of %v, is %q: keys are managed only at the edge",
				api.Scopes, s)
		}
	}

	return p.Err()
}

// List returns all keys, newest first, including revoked ones.
func (d *Devices) List() []Device {
	d.mu.RLock()
	defer d.mu.RUnlock()
	list := make([]Device, len(d.list))
	for i, x := range d.list {
		list[i] = x.snapshot()
	}

	slices.SortStableFunc(list,
		func(a, b Device) int { return cmp.Compare(b.CreatedAt.UnixMilli(), a.CreatedAt.UnixMilli()) })

	return list
}

func (x *device) snapshot() Device {
	out := x.Device
	if used := x.used.Load(); used != 0 {
		at := time.UnixMilli(used).UTC()
		out.LastUsedAt = &at
	}
	return out
}

// Revoke revokes a key immediately. Revoking it again has no effect.
func (d *Devices) Revoke(id api.ID) (Device, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.list, func(x *device) bool { return x.ID == id })
	if i < 0 {
		return Device{}, api.Fail(api.NotFound, nil, "No device key has the id %s.", id)
	}

	if x := d.list[i]; x.RevokedAt == nil {
		now := api.Instant(d.now())
		revoked := &device{Device: x.Device, Unknown: x.Unknown, Public: x.Public, Digest: x.Digest}
		revoked.RevokedAt = &now
		list := slices.Clone(d.list)
		list[i] = revoked
		if err := d.save(list); err != nil {
			return Device{}, err
		}
	}

	return d.list[i].snapshot(), nil
}

// save writes the keys atomically and then uses them. d.mu is held.
func (d *Devices) save(list []*device) error {
	text, err := json.Marshal(list, jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	if err := journal.ReplaceFile(journal.Dir(filepath.Dir(d.path)), filepath.Base(d.path), text); err != nil {
		return fmt.Errorf("cannot save the device keys: %w", err)
	}

	d.list = list

	return nil
}

// Authenticate returns the caller of a secret. The error is the same
// UNAUTHORIZED for every invalid key, except for a mistyped one.
func (d *Devices) Authenticate(_ context.Context, secret string) (*api.Caller, error) {
	public, formed, intact := account.ParseSecret(secret)
	if formed && !intact {
		return nil, api.Fail(api.Unauthorized, nil,
			"The API key is mistyped: its check characters do not match. Copy the whole key and retry.")
	}

	digest := sha256.Sum256([]byte(secret))
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, x := range d.list {
		if !formed || x.Public != public || x.RevokedAt != nil || subtle.ConstantTimeCompare(digest[:], x.Digest) != 1 {
			continue
		}
		x.used.Store(d.now().UnixMilli())
		return d.callerOf(x), nil
	}

	return nil, api.Fail(api.Unauthorized, nil,
		"This edge did not issue this key, or the key was revoked. Create one with 'bincard edge key create'.")
}
