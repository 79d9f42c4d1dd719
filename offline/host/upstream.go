package host

import (
	"context"
	"time"

	"bincard/server/api"
)

// An Upstream is a service, and the directory for its node on this machine.
type Upstream struct {
	Dir          string
	URL          string
	Organization api.ID
	Environment  api.Environment
	// Service is nil if there is no key for it. Then another process must own the
	// node.
	Service         api.Service
	Clock           Clock  // the service's
	MonthlyRequests uint32 // the service's quota; 0 is none

	// Locations are the codes of the locations to which the node is limited, AllLocations
	// alone for all of them. If there are none, they stay as they are.
	Locations []string

	Mirror string // the directory of the journal's second copy; see Config
	// Label names the node at the service; it does not report to the service without one.
	Label     string
	Version   string // of the program
	UserAgent string
	Now       func() time.Time // this machine's clock
	// WatchKey calls changed when Service has another key, until ctx ends; it may be
	// nil.
	WatchKey func(ctx context.Context, changed func())
	// OnDownload is called before a wait for the first download; it may be nil.
	OnDownload func()
}

// open opens the node, limited to the locations.
func (up *Upstream) open(ctx context.Context, access api.Access, kind api.NodeKind) (*Node, error) {
	locations, err := up.findLocations(ctx)
	if err != nil {
		return nil, err
	}

	if locations == nil {
		if locations, err = savedLocations(up.Dir); err != nil {
			return nil, err
		}
		if len(locations) == 0 {
			locations = keyLocation(&access)
		}
	}

	if checkKeyLocation(&access, locations) != nil { // the saved access may be that of an earlier key
		if now, err := up.askAccess(ctx); err == nil {
			access = now
		}
	}

	if err := checkKeyLocation(&access, locations); err != nil {
		return nil, err
	}

	cfg := up.config(access)
	cfg.Kind, cfg.Locations = kind, locations

	return Open(ctx, cfg)
}

// keyLocation returns the only location of the key, nil if it is for all.
func keyLocation(access *api.Access) []api.PlaceRef {
	if access.LocationID == nil {
		return nil
	}
	return []api.PlaceRef{{ID: *access.LocationID, Code: access.LocationCode}}
}

// checkKeyLocation returns an error if the key is for one location and the node for others.
func checkKeyLocation(access *api.Access, locations []api.PlaceRef) error {
	if access.LocationID == nil || len(locations) == 1 && locations[0].ID == *access.LocationID {
		return nil
	}
	return api.Fail(api.Unauthorized, nil,
		"The key is only for %s. Start with that location alone, or use a key that is not bound to one.",
		access.LocationCode)
}

func (up *Upstream) config(access api.Access) Config {
	return Config{
		Dir:             up.Dir,
		Access:          access,
		Clock:           up.Clock,
		Upstream:        up.Service,
		URL:             up.URL,
		MonthlyRequests: up.MonthlyRequests,
		ask:             up.askAccess,
		watchKey:        up.WatchKey,
		Mirror:          up.Mirror,
		Label:           up.Label,
		Version:         up.Version,
	}
}
