package proof_test

import (
	"os"
	"testing"

	"github.com/google/uuid"

	"bincard/server/testenv"
)

func TestMain(m *testing.M) {
	uuid.EnableRandPool()
	testenv.SetClock()
	code := m.Run()
	testenv.Remove()
	os.Exit(code)
}
