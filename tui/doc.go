// Package tui is the contract between the terminal's shell and its screens: what a
// screen is, what it gets from the shell, and what it can ask of the shell.
//
// Read screen.go first: a Screen, the interfaces that it may also implement, and the
// sizes that it paints for (size.go). A screen offers Actions (action.go), which are
// data: the footer, the help, the palette, remapped keys (keymap.go) and printed command
// barcodes (command.go) come from them. A Registry (route.go) makes screens by route.
// Each screen gets an Env (env.go) with its theme, clock, drafts and translator, so it
// never touches the terminal, the clock or the disk, and many sessions can run in one
// process. Env also runs work outside the screen's turn. Everything else that a screen
// wants is a command that carries a message to the shell: open a route or show an error
// (message.go), ask the operator something (dialog.go), change the header (status.go).
// Speech (speech.go) is a screen in words, for line mode and screen readers. Operator
// and Login (operator.go) say who may work at a terminal.
//
// host.go holds what only a shell needs: the messages behind those commands, and how an
// Env is bound to a screen.
//
// The packages below, in reading order:
//
//	shell       the program that runs screens: stack, header, footer, help, dialogs, login
//	widget      parts of screens: forms, inputs, lists, colors, text that fits
//	i18n        translations, numbers and dates of a session
//	scan        separates scans from typed keys and parses codes; GS1 in scan/gs1
//	plain       line mode: the shell as lines of text
//	remote      sessions over SSH
//	drafts      stores unsent work in files
//	tuitest     drives a shell in tests
//	background  keeps Bubble Tea from querying the terminal's background
package tui
