package report

import (
	"io"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/tui/scan"
	"bincard/tui/scan/gs1"
)

// jsonLine is the JSON form of a scan. Fields that the code does not have are null.
type jsonLine struct {
	Raw       string        `json:"raw"`
	Symbology *string       `json:"symbology"`
	Kind      scan.Kind     `json:"kind"`
	Elements  []gs1.Element `json:"elements"`
	GTIN      *string       `json:"gtin"`
	Lot       *string       `json:"lot"`
	Expiry    *string       `json:"expiry"`
	Serial    *string       `json:"serial"`
	Quantity  *int64        `json:"quantity"`
	SSCC      *string       `json:"sscc"`
	Problems  []gs1.Problem `json:"problems"`
}

// JSON writes a scan as one JSON object on one line.
func JSON(out io.Writer, s scan.Scan) error {
	m := s.GS1
	l := jsonLine{
		Raw: s.Raw, Symbology: orNil(s.Symbology), Kind: s.Kind, Elements: m.Elements,
		GTIN: orNil(m.GTIN), Lot: orNil(m.Lot), Serial: orNil(m.Serial), SSCC: orNil(m.SSCC),
		Problems: m.Problems,
	}
	if !m.Expiry.IsZero() {
		l.Expiry = orNil(m.Expiry.Format(time.DateOnly))
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

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
