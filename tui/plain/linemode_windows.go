package plain

import "os"

// LineMode does nothing on Windows.
func LineMode(*os.File) (restore func()) { return func() {} }
