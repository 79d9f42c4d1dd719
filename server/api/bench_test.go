package api_test

import (
	"testing"

	"bincard/server/api"
)

// BenchmarkDecode and BenchmarkFingerprint are what a write costs before the ledger sees it.
func BenchmarkDecode(b *testing.B) {
	body := []byte(adjust("5"))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := api.AdjustStock.Decode(nil, nil, body); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFingerprint(b *testing.B) {
	in, err := api.AdjustStock.Decode(nil, nil, []byte(adjust("5")))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := api.AdjustStock.Fingerprint(in); err != nil {
			b.Fatal(err)
		}
	}
}
