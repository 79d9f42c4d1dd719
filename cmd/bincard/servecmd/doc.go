// Package servecmd has the commands that serve a ledger or an edge over HTTP.
package servecmd
