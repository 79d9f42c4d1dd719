package label

// A Page is a label ready to draw. All positions and sizes are in dots, from the top left
// corner.
type Page struct {
	Width, Height int
	DPI           int
	Texts         []Text
	Symbols       []Symbol
	Boxes         []Box
}

// A Text is one line of text.
type Text struct {
	X, Y   int
	Height int // of the line
	Bold   bool
	Text   string
}

// A Box is the outline of a rectangle, drawn inside it. It is filled if the outline is as
// thick as its width or height.
type Box struct{ X, Y, Width, Height, Thickness int }

// Resolutions are the supported resolutions of printers in dots per inch, with the dots
// per millimeter that printers have.
var resolutions = map[int]int{203: 8, 300: 12, 600: 24}

// DefaultDPI is the resolution of most label printers.
const DefaultDPI = 203

// HasResolution reports whether dpi is 203, 300 or 600.
func HasResolution(dpi int) bool { return resolutions[dpi] > 0 }
