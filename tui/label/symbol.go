package label

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/code128"
	"github.com/boombuler/barcode/datamatrix"
	"github.com/boombuler/barcode/qr"

	"bincard/tui/scan/gs1"
)

// Symbology is a type of barcode.
type Symbology string

// The symbologies. Elements are a GS1-128, a GS1 DataMatrix or, in a QR code, a GS1
// Digital Link.
const (
	Code128    Symbology = "code128"
	DataMatrix Symbology = "datamatrix"
	QR         Symbology = "qr"
)

// Values returns all symbologies.
func (Symbology) Values() []string { return []string{string(Code128), string(DataMatrix), string(QR)} }

// quiet returns the white margin that the symbology needs, in modules.
func (s Symbology) quiet() int {
	return map[Symbology]int{Code128: 10, DataMatrix: 1, QR: 4}[s]
}

// A Symbol is a barcode on a page, without its white margin.
type Symbol struct {
	Symbology Symbology
	GS1       bool   // the data follows an FNC1, and gs1.GS in it stands for another one
	Data      string // the element string or the text
	X, Y      int
	Module    int // the width of the narrowest bar, or of a square
	Height    int // of the bars, or of the whole square
	modules   barcode.Barcode
}

// Columns returns the width of the symbol in modules.
func (s Symbol) Columns() int { return s.modules.Bounds().Dx() }

// Rows returns the height of the symbol in modules, which is 1 for Code128.
func (s Symbol) Rows() int { return s.modules.Bounds().Dy() }

// IsDark reports whether a module is dark.
func (s Symbol) IsDark(column, row int) bool {
	return color.GrayModel.Convert(s.modules.At(column, row)).(color.Gray).Y < 0x80
}

// Modules are between 0.25 mm, which scanners and thermal printers still resolve, and 1 mm.
const smallestModule, largestModule = 0.25, 1.0

// largestQR is the largest module of a QR code that all printers draw, in dots.
const largestQR = 10

// maxElements is how many characters a GS1-128 may have.
const maxElements = 48

// encode returns the symbol of a content without a position.
func encode(symbology Symbology, c Content, domain string) (s Symbol, err error) {
	s = Symbol{Symbology: symbology, Data: c.Plain}
	if symbology == QR {
		s.Data = c.Text(domain)
		s.modules, err = qr.Encode(s.Data, qr.M, qr.Auto)
		return s, err
	}

	if c.IsGS1() {
		s.GS1, s.Data = true, c.ElementString()
	}
	for _, r := range s.Data {
		if r > '~' {
			return s, fmt.Errorf("%q is not ASCII, which a %s needs: use a QR code", s.Data, symbology)
		}
	}

	fnc1 := string(code128.FNC1)
	if symbology == DataMatrix {
		fnc1 = string([]byte{datamatrix.FNC1})
	}

	data := s.Data
	if s.GS1 {
		data = fnc1 + strings.ReplaceAll(data, gs1.GS, fnc1)
	}
	if symbology == DataMatrix {
		s.modules, err = datamatrix.Encode(data)
		return s, err
	}
	if s.GS1 && len(s.Data) > maxElements {
		return s, fmt.Errorf("%s has %d characters, but a GS1-128 only %d: use a DataMatrix", c, len(s.Data),
			maxElements)
	}

	s.modules, err = code128.Encode(data)

	return s, err
}

// fit gives the symbol the largest modules with which it and its white margin fit into
// an area, in dots with perMM per millimeter, and centers it there.
func (s *Symbol) fit(x, y, width, height, perMM int) error {
	quiet := 2 * s.Symbology.quiet()
	columns, rows := s.Columns()+quiet, s.Rows()+quiet
	smallest, largest := int(smallestModule*float64(perMM)), int(largestModule*float64(perMM))
	s.Module = min(largest, width/columns)
	if s.Symbology != Code128 {
		s.Module = min(s.Module, height/rows)
	}
	if s.Symbology == QR {
		s.Module = min(s.Module, largestQR)
	}

	if s.Module < smallest {
		if s.Symbology == Code128 {
			return fmt.Errorf("the barcode needs a width of %d mm, but has %d: use a larger label or a DataMatrix",
				up(columns*smallest, perMM), width/perMM)
		}
		return fmt.Errorf("the barcode needs %d mm, but has %d: use a larger label",
			up(max(columns, rows)*smallest, perMM), min(width, height)/perMM)
	}

	s.X = x + (width-s.Columns()*s.Module)/2
	s.Y, s.Height = y, height
	if s.Symbology != Code128 {
		s.Height = s.Rows() * s.Module
		s.Y = y + (height-s.Height)/2
	}

	return nil
}

func up(dots, perMM int) int { return (dots + perMM - 1) / perMM }
