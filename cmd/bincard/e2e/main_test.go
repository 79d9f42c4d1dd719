package e2e_test

import (
	"flag"
	"os"
	"strconv"
	"testing"

	"bincard/server/built"
)

// parallelTests is the default of -parallel. It does not depend on the number of CPUs, because
// the tests mostly wait for screens and clocks.
const parallelTests = 5

func TestMain(m *testing.M) {
	built.SetClock()
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = f.Value.Set(strconv.Itoa(parallelTests))
	}
	code := m.Run()
	built.Remove()
	os.Exit(code)
}

// program returns the path of the program under test.
func program(t testing.TB) string {
	t.Helper()
	path, err := built.Program()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
