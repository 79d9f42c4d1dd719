package e2e_test

import (
	"flag"
	"os"
	"strconv"
	"testing"

	"bincard/server/built"
)

// together is how many of these tests run at a time, unless -parallel says so: they
// wait for screens and clocks most of the time.
const together = 5

func TestMain(m *testing.M) {
	built.SetClock()
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = f.Value.Set(strconv.Itoa(together))
	}
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
