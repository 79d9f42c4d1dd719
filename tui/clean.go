package tui

import "bincard/tui/widget"

// Clean makes text from elsewhere safe to paint on one line. Widgets clean what they
// paint; screens clean what they concatenate themselves, such as a product's name.
func Clean(s string) string { return widget.Clean(s) }
