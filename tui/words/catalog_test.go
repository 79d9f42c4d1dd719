package words_test

import (
	"strings"
	"testing"

	"bincard/tui/words"

	"github.com/stretchr/testify/require"
)

// The area of this test; each test has names of its own.
var (
	ask, booked, gone, kept = "Which one?", "booked %s of %d", "Gone", "Kept"
	refusals                = map[string]string{"TOO_MANY": "Only {pending} are pending."}
)

func init() {
	words.Add("sample", words.Entry{Name: "ask", Text: &ask}, words.Entry{Name: "booked", Text: &booked},
		words.Entry{Name: "gone", Text: &gone}, words.Entry{Name: "kept", Text: &kept})
	words.AddMap("sample.refusal", refusals)
}

func TestAFileReplacesOnlyWhatDiffers(t *testing.T) {
	t.Parallel()
	problems, err := words.Load(strings.NewReader("\ufeff# Deutsch\n\nsample.ask = Welches?\n" +
		"sample.booked = von %[2]d sind %[1]s gebucht\n" +
		"sample.refusal.TOO_MANY = Nur {pending} stehen aus.\n" +
		"nonsense\n = leer\nsample.gone =\nsample.ask = Zweimal\n" +
		"sample.kept = %s zu viel\nother.kept = Wo?\nsample.refusal.NONE = x\n"))
	require.NoError(t, err)
	require.Equal(t, "Welches?", ask)
	require.Equal(t, "von %[2]d sind %[1]s gebucht", booked)
	require.Equal(t, "Nur {pending} stehen aus.", refusals["TOO_MANY"])
	require.Equal(t, "Gone", gone)
	require.Equal(t, "Kept", kept)
	var told []string
	for _, p := range problems {
		told = append(told, p.String())
	}
	require.Equal(t, []string{
		`line 6: "nonsense" has no "=": write key = text`,
		"line 7: the key is missing: write key = text",
		"line 8: sample.gone: the text is missing",
		"line 9: sample.ask is already on line 3",
		"line 10: sample.kept: the English text takes no value, this one takes %s",
		"line 11: other.kept: unknown key: is sample.kept meant?",
		"line 12: sample.refusal.NONE: unknown key",
	}, told)

	var out strings.Builder
	require.NoError(t, words.Write(&out, words.All()))
	require.Contains(t, out.String(), "sample.ask = Welches?\nsample.booked = von %[2]d")
	again, problems, err := words.Read(strings.NewReader(out.String()))
	require.NoError(t, err)
	require.Empty(t, problems)
	require.Equal(t, words.All(), again)
}

func TestAValueThatIsNotThereIsTold(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Nur {offen} stehen aus.": "unknown value {offen}: there are {pending}",
		"%d stehen aus":           "the English text takes no value, this one takes %d",
	} {
		problems := words.Use([]words.Line{{Key: "sample.refusal.TOO_MANY", Text: text}})
		require.Len(t, problems, 1)
		require.Contains(t, problems[0].String(), want)
	}
}
