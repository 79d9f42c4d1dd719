package words_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui/words"
)

// FuzzFile holds that no file of words breaks its reader: a line is used, told,
// or the file is refused.
func FuzzFile(f *testing.F) {
	f.Add("a.b = text\n# no\n\nc=d\\ne\n")
	f.Add("\ufeffa=b\na=c\n=\nx\n")
	f.Fuzz(func(t *testing.T, text string) {
		lines, problems, err := words.Read(strings.NewReader(text))
		if err != nil {
			require.ErrorContains(t, err, "read words")
			return
		}
		for _, l := range lines {
			require.NotEmpty(t, l.Key)
			require.NotEmpty(t, l.Text)
		}
		for _, p := range problems {
			require.NotEmpty(t, p.String())
		}
	})
}
