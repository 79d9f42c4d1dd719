// Package shell is the terminal's program: it runs the screens of a tui.Registry.
//
// It is built in layers; each knows those below and returns to those above what they should
// do. At the bottom are parts (parts.go), which do not know the screens: dialogs, the login,
// alerts (alerts.go), waiting scans, the timing of keys, and pending commands; most are
// packages in internal. Above are screens (screens.go), the operator's open screens with
// their savedWork (saved.go). Then come actions (actions.go), which run what a key or a
// scan means, and frame (frame.go), which paints.
//
// A Model (model.go) sends each message to the one that wants it (update.go). Keys and scans
// come in through input.go and continue in deliver.go. What a screen's command returns comes
// back to that screen by its ID. Drafts and the open routes are saved after every message.
//
// Run (run.go) runs a Model on a terminal. A Headless (headless.go) runs one without
// painting it, for line mode and pictures.
package shell
