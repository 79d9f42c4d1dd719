// Package shell is the terminal's program: it runs the screens of a tui.Registry.
//
// A Model (model.go) is the Bubble Tea model around a stack of screens (stack.go). Keys
// and scans come in through scans.go, where a scan.Collector separates them, and continue
// in keys.go or as a scan for the screen on top. What a screen's command returns comes
// back to that screen by its ID (routing.go, work.go, pending.go). The frame is painted
// from layout.go, footer.go, header.go and view.go; above the screen there may be a
// dialog (dialog.go, palette.go, help.go), an error (fault.go) or the login (login.go).
// Drafts and the open routes are saved after every message (stack.go, drafts.go,
// session.go).
//
// Run (run.go) runs a Model on a terminal. A Headless (headless.go) runs one without
// painting it, for line mode and pictures.
package shell
