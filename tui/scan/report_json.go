package scan

import (
	"io"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/tui/scan/gs1"
)

// jsonLine is the JSON form of a scan. Fields that the code does not have are null.
type jsonLine struct {
	Raw       string        `json:"raw"`
	Symbology *string       `json:"symbology"`
	Kind      Kind          `json:"kind"`
	Elements  []gs1.Element `json:"elements"`
	GTIN      *string       `json:"gtin"`
	Lot       *string       `json:"lot"`
	Expiry    *string       `json:"expiry"`
	Serial    *string       `json:"serial"`
	Quantity  *int64        `json:"quantity"`
	SSCC      *string       `json:"sscc"`
	Problems  []gs1.Problem `json:"problems"`
}

// WriteJSON writes a scan as one JSON object on one line.
func WriteJSON(out io.Writer, s Scan) error {
	m := s.GS1
	l := jsonLine{
		Raw: s.Raw, Symbology: orNull(s.Symbology), Kind: s.Kind, Elements: m.Elements,
		GTIN: orNull(m.GTIN), Lot: orNull(m.Lot), Serial: orNull(m.Serial), SSCC: orNull(m.SSCC),
		Problems: m.Problems,
	}
	if !m.Expiry.IsZero() {
		l.Expiry = orNull(m.Expiry.Format(time.DateOnly))
	}
	if m.HasQuantity {
		l.Quantity = &m.Quantity
	}

	data, err := json.Marshal(l, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}

	_, err = out.Write(append(data, '\n'))

	return err
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
