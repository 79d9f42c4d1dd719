//go:build !unix

package inbox

import "io/fs"

func severalNames(fs.FileInfo) bool { return false }
