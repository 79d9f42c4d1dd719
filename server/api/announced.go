package api

import (
	"time"

	"github.com/go-json-experiment/json"
)

// Announced is what the sender of a document has announced about it. An import saves it in
// the document's metadata, as the member named announced.
type Announced struct {
	// Digest identifies the content of the whole document in its file.
	Digest string `json:"digest,omitzero"`
	// DueDay reports that the document is due on a day, the date of its due time in UTC.
	DueDay bool `json:"dueDay,omitzero"`
	// Line is the sender's number of the line, Lines those of all lines of an outbound.
	Line  string   `json:"line,omitzero"`
	Lines []string `json:"lines,omitzero"`
	// SSCC is the number on the label of the pallet or box that has the stock, 18 digits.
	SSCC string `json:"sscc,omitzero"`
	// LotCode, BatchCode and ExpiresAt are the lot of the stock.
	LotCode   string     `json:"lotCode,omitzero"`
	BatchCode string     `json:"batchCode,omitzero"`
	ExpiresAt *time.Time `json:"expiresAt,omitzero"`
	// SerialNumbers has one per piece, or is empty.
	SerialNumbers []string `json:"serialNumbers,omitzero"`
}

// announcement is the part of a document's metadata that an import writes.
type announcement struct {
	Announced Announced `json:"announced"`
}

// AnnouncedIn returns what a document's metadata announces, or zero if it announces nothing.
func AnnouncedIn(m Metadata) Announced {
	var in announcement
	if len(m) == 0 || json.Unmarshal(m, &in) != nil { // written by another program
		return Announced{}
	}
	return in.Announced
}

// Metadata returns the metadata of a document that announces a.
func (a *Announced) Metadata() (Metadata, error) {
	return json.Marshal(announcement{*a}, json.Deterministic(true))
}

// Due returns when the inbound is due, nil if that is unknown. A day ends in the zone, a
// nanosecond before the next one.
func (in *Inbound) Due(zone *time.Location) *time.Time { return due(in.ExpectedAt, in.Metadata, zone) }

// Due is Inbound.Due for an outbound.
func (o *Outbound) Due(zone *time.Location) *time.Time {
	return due(o.ExpectedShipAt, o.Metadata, zone)
}

func due(at *time.Time, m Metadata, zone *time.Location) *time.Time {
	if at == nil || !at.Equal(at.Truncate(24*time.Hour)) || !AnnouncedIn(m).DueDay {
		return at
	}
	y, month, day := at.UTC().Date()
	end := time.Date(y, month, day+1, 0, 0, 0, -1, zone)
	return &end
}

// FindSSCC returns the indexes of the inbounds whose stock is announced on the pallet or box
// with an SSCC of 18 digits.
func FindSSCC(inbounds []Inbound, sscc string) (found []int) {
	for i := range inbounds {
		if sscc != "" && AnnouncedIn(inbounds[i].Metadata).SSCC == sscc {
			found = append(found, i)
		}
	}
	return found
}
