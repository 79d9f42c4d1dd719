//go:build !unix

package boltstore

func mapped(string, int) []byte { return nil }

func unmapped([]byte) {}
