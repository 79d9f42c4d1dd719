package plain

import "os"

// LineMode leaves the console as it is.
func LineMode(*os.File) (restore func()) { return func() {} }
