package tui

import "bincard/tui/widget"

// Clean makes text that came from elsewhere safe to paint on one line. Widgets
// clean what they paint, and the shell lets no control sequence but colours
// through; screens clean what they join by hand, such as a product's name.
func Clean(s string) string { return widget.Clean(s) }
