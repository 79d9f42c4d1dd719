// Package labelcmd has the commands that print labels.
package labelcmd
