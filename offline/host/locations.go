package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"bincard/offline/journal"
	"bincard/server/api"
)

// locationsFile holds the locations that a node is limited to, so that every program which
// opens the node limits it to the same ones.
const locationsFile = "locations.json"

// AllLocations is the only location of an Upstream without a limit to locations.
const AllLocations = "*"

// savedLocations returns the locations that the node in a directory is limited to.
func savedLocations(dir string) (list []api.PlaceRef, err error) {
	text, err := os.ReadFile(filepath.Join(dir, locationsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &list)
	}

	if err != nil {
		return nil, fmt.Errorf(
			"cannot read the node's locations in %s: %w. Remove the file and name the locations again",
			filepath.Join(dir, locationsFile),
			err,
		)
	}

	return list, nil
}

// saveLocations saves the locations that a node is limited to.
func saveLocations(dir string, list []api.PlaceRef) error {
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return journal.ReplaceFile(journal.Dir(dir), locationsFile, text)
}

// findLocations returns the locations with the codes in up.Locations, nil to keep those so
// far. The service is asked only for others than those.
func (up *Upstream) findLocations(ctx context.Context) ([]api.PlaceRef, error) {
	codes := slices.Compact(slices.Sorted(slices.Values(up.Locations)))
	saved, err := savedLocations(up.Dir)
	switch {
	case err != nil || len(codes) == 0:
		return nil, err
	case slices.Equal(codes, []string{AllLocations}):
		return []api.PlaceRef{}, nil
	case len(codes) > api.MaxFilterLocations:
		return nil, errors.New(api.Textf("a site can have at most %d locations", api.MaxFilterLocations))
	}

	list := []api.PlaceRef{}
	for _, code := range codes {
		i := slices.IndexFunc(saved, func(l api.PlaceRef) bool { return l.Code == code })
		if i >= 0 {
			list = append(list, saved[i])
			continue
		}

		l, err := up.findLocation(ctx, code)
		if err != nil {
			return nil, err
		}

		list = append(list, *l)
	}

	return list, nil
}

// findLocation asks the service for the location with a code.
func (up *Upstream) findLocation(ctx context.Context, code string) (*api.PlaceRef, error) {
	ctx, cancel := context.WithTimeout(ctx, AccessTimeout)
	defer cancel()
	page, err := api.ListLocations.Call(ctx, up.Service, api.ListPlacesInput{Code: code})
	switch {
	case isUnsupported(err):
		return nil, errors.New(
			api.Textf("the service at %s does not list its locations, so this cannot be limited to %s", up.URL, code),
		)
	case err != nil:
		return nil, fmt.Errorf("cannot look up the location %s: %w", code, err)
	case len(page.Items) == 0:
		return nil, errors.New(api.Textf("the service has no location %s: check the code", code))
	}

	l := &page.Items[0]

	return &api.PlaceRef{ID: l.ID, Code: l.Code, Name: l.Name, Type: l.Type}, nil
}

// locationsNote is for a person who names other locations than those of the node that
// another program runs, or "" if they are the same.
func (up *Upstream) locationsNote() string {
	saved, err := savedLocations(up.Dir)
	if err != nil || len(up.Locations) == 0 {
		return ""
	}

	var codes []string
	for _, l := range saved {
		codes = append(codes, l.Code)
	}
	if len(codes) == 0 {
		codes = []string{AllLocations}
	}

	slices.Sort(codes)
	if slices.Equal(codes, slices.Compact(slices.Sorted(slices.Values(up.Locations)))) {
		return ""
	}

	return api.Textf(
		"Another program on this machine works offline with the data of %s. Close it to change the locations.",
		strings.Join(codes, ", "))
}
