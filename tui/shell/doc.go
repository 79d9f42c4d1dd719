// Package shell is the terminal's program: it runs the screens of a tui.Registry.
//
// A Model (model.go) has the open screens (stack.go) and the parts around them, which do
// not know it: dialogs, the login, errors and toasts, waiting scans, pending commands and
// the painting of header and footer, each a package in internal. Every message is a turn
// (update.go). Keys and scans come in through input.go and continue in deliver.go, to the
// screen on top, or in global.go, to an action of the shell. What a screen's command
// returns comes back to that screen by its ID (commands.go). view.go paints the frame.
// Drafts and the open routes are saved after every message (saving.go).
//
// Run (run.go) runs a Model on a terminal. A Headless (headless.go) runs one without
// painting it, for line mode and pictures.
package shell
