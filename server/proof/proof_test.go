package proof_test

import (
	"os"
	"testing"

	"github.com/google/uuid"

	"bincard/server/built"
)

func TestMain(m *testing.M) {
	uuid.EnableRandPool()
	built.SetClock()
	code := m.Run()
	built.Remove()
	os.Exit(code)
}
