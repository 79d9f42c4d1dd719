package proof_test

import (
	"os"
	"testing"

	"github.com/google/uuid"

	"bincard/server/built"
)

// long is set for the long run.
var long = os.Getenv("BINCARD_PROOF") == "long"

// cases returns the number of cases: many in the long run, a fifth of usual with -short.
func cases(usual, many int) int {
	switch {
	case long:
		return many
	case testing.Short():
		return max(usual/5, 1)
	}
	return usual
}

// needsProgram skips a test that runs the real program in -short mode.
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
