// Package connect opens what a command or the terminal runs on: a local ledger, the demo, a
// service, or an offline node. It also makes errors readable on the command line.
package connect
