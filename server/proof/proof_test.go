package proof_test

import (
	"os"
	"testing"

	"github.com/google/uuid"

	"bincard/server/built"
)

// long tells whether the many cases of the long form are wanted.
var long = os.Getenv("BINCARD_PROOF") == "long"

// cases is how many to try.
func cases(short, many int) int {
	if long {
		return many
	}
	return short
}

func TestMain(m *testing.M) {
	uuid.EnableRandPool()
	built.SetClock()
	code := m.Run()
	built.Remove()
	os.Exit(code)
}
