package api_test

import (
	"testing"

	"bincard/server/api"
)

// BenchmarkDecode and BenchmarkFingerprint measure the cost of a write before it reaches
// the ledger.
func BenchmarkDecode(b *testing.B) {
	body := []byte(adjust("5"))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := api.AdjustStock.Spec.Decode(nil, nil, body); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFingerprint(b *testing.B) {
	in, err := api.AdjustStock.Spec.Decode(nil, nil, []byte(adjust("5")))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := api.AdjustStock.Spec.Fingerprint(in); err != nil {
			b.Fatal(err)
		}
	}
}
