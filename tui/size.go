package tui

// Size is the room that a screen has to paint, and the class of the whole terminal.
type Size struct {
	Width, Height int
	Class         Class
}

// Small reports whether there is room for the essential words only.
func (s Size) Small() bool { return s.Class < Standard }

// Class is a range of terminal sizes that screens have a layout for.
type Class int

// The classes, small to large.
const (
	Narrow   Class = iota // from 20x16
	Short                 // from 40x8: a few lines
	Standard              // from 80x24
	Wide                  // from 120x40
	Wall                  // from 200x60
)

// String returns the name of the class.
func (c Class) String() string {
	return [...]string{"narrow", "short", "standard", "wide", "wall"}[c]
}

// ClassOf returns the class of a terminal. Every size has one: what fits no other class
// is Narrow.
func ClassOf(width, height int) Class {
	switch {
	case width >= 180 && height >= 50:
		return Wall
	case width >= 110 && height >= 32:
		return Wide
	case width >= 72 && height >= 14:
		return Standard
	case width >= 32 && height < 14:
		return Short
	}

	return Narrow
}
