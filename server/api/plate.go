package api

import (
	"fmt"
	"time"
)

// A Plate is a pallet or box with a number, and what is on it until something is taken from it.
// Contents are those that were received with the number, or registered, less what movements with
// the number in metadata.sscc have taken. They are no stock: balances do not know plates.
type Plate struct {
	// SSCC is the number on the label, 18 digits.
	SSCC       string    `json:"sscc"`
	LocationID ID        `json:"locationId"`
	Location   *PlaceRef `json:"location,omitzero"`
	// Lines are one for each product and lot.
	Lines []PlateLine `json:"lines"`
	// Operation is that of the last movement.
	Operation MovementOperation `json:"operation"`
	UpdatedBy Actor             `json:"updatedBy"`
	UpdatedAt time.Time         `json:"updatedAt"`
}

// A PlateLine is a product on a plate.
type PlateLine struct {
	ProductID ID          `json:"productId"`
	Product   *ProductRef `json:"product,omitzero"`
	LotID     ID          `json:"lotId,omitzero"`
	LotCode   string      `json:"lotCode,omitzero"`
	// Quantity was on the plate when it arrived, or when the last of it left.
	Quantity int64 `json:"quantity"`
	// Left is still on the plate.
	Left int64 `json:"left"`
}

// Left returns how many pieces are on the plate, and how many were when it arrived.
func (p *Plate) Left() (left, of int64) {
	for _, l := range p.Lines {
		left += l.Left
		of += l.Quantity
	}
	return left, of
}

// A PlateContent is a product on a plate to register.
type PlateContent struct {
	ProductID ID     `json:"productId,omitzero" required:"true"`
	LotCode   string `json:"lotCode,omitzero" doc:"lot code"`
	Quantity  int64  `json:"quantity,omitzero" required:"true" minimum:"1"`
}

// RegisterPlateInput describes a plate of stock that is at a location.
type RegisterPlateInput struct {
	SSCC       string         `json:"sscc,omitzero" required:"true" maxLength:"18" doc:"the number on the label, 18 digits"`
	LocationID ID             `json:"locationId,omitzero" required:"true"`
	Lines      []PlateContent `json:"lines,omitzero" required:"true" maxItems:"100"`
}

func (in *RegisterPlateInput) validate(p *Problems) {
	if !IsSSCC(in.SSCC) {
		p.Add("sscc", "sscc", "must have 18 digits, the last one a check digit")
	}

	seen := map[PlateContent]bool{}
	for i, l := range in.Lines {
		l.LotCode, l.Quantity = CleanCode(l.LotCode), 0
		if seen[l] {
			p.Add(fmt.Sprintf("lines[%d]", i), "unique", "must be another product or lot than the lines before")
		}
		seen[l] = true
	}
}

// IsSSCC reports whether a text is the number of a pallet or box: 18 digits with a check digit.
func IsSSCC(text string) bool {
	sum := 0
	for i, c := range []byte(text) {
		if c < '0' || c > '9' {
			return false
		}
		sum += int(c-'0') * (3 - i%2*2)
	}

	return len(text) == 18 && sum%10 == 0
}

// PlateMetadata returns the metadata of a write that names a plate, nil if that is none.
func PlateMetadata(sscc string) Metadata {
	if !IsSSCC(sscc) {
		return nil
	}
	return Metadata(`{"sscc":"` + sscc + `"}`)
}

// PlateInput identifies a plate.
type PlateInput struct {
	SSCC string `json:"-" query:"sscc" required:"true" doc:"number of the pallet or box, 18 digits"`
}

var (
	// RegisterPlate registers a plate that was packed here. It moves no stock, which must be on
	// hand. A plate can be registered again when nothing is left on it.
	RegisterPlate = operation[RegisterPlateInput, Plate](Spec{
		ID: "registerPlate", Method: "POST", Path: "/plates", Scope: InventoryWrite, Status: 201,
		Direction: DirectionNone,
		Conflicts: []Code{AlreadyExists, InsufficientStock, LotRequired, LotArchived},
		Example:   Example{"sscc": "309521000000000002"},
		Summary:   "Register a pallet or box", Extension: true})
	// GetPlate returns what is on a pallet or box.
	GetPlate = operation[PlateInput, Plate](Spec{
		ID: "getPlate", Method: "GET", Path: "/plates", Scope: InventoryRead,
		History: true,
		Summary: "Read what is on a pallet or box", Extension: true})
)
