package e2e_test

import (
	"os"
	"testing"

	"bincard/server/built"
)

func TestMain(m *testing.M) {
	code := m.Run()
	built.Remove()
	os.Exit(code)
}

// program is the path of the program under test.
func program(t testing.TB) string {
	t.Helper()
	path, err := built.Program()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// seats bounds how many tests have a screen at a time: with more, the machine
// is slower than the hand that the tests play.
var seats = make(chan struct{}, 3)

// parallel lets a test run beside others when there is a seat for it.
func parallel(t *testing.T) {
	t.Helper()
	t.Parallel()
	seats <- struct{}{}
	t.Cleanup(func() { <-seats })
}
