package proof_test

import (
	"os"
	"testing"

	"github.com/google/uuid"

	"bincard/server/built"
)

// long tells whether the many cases of the long form are wanted.
var long = os.Getenv("BINCARD_PROOF") == "long"

// cases is how many to try: many in the long form, a fifth of the usual with -short.
func cases(usual, many int) int {
	switch {
	case long:
		return many
	case testing.Short():
		return max(usual/5, 1)
	}
	return usual
}

// needsProgram skips a test that runs the real program, with -short.
func needsProgram(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: the real program is not run")
	}
}

func TestMain(m *testing.M) {
	uuid.EnableRandPool()
	built.SetClock()
	code := m.Run()
	built.Remove()
	os.Exit(code)
}
