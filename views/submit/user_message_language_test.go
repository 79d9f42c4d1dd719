package submit_test

import (
	"testing"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/submit"

	"github.com/stretchr/testify/require"
)

func TestUserMessage_IsInTheLanguageOfTheSession(t *testing.T) {
	t.Parallel()
	languages, _ := i18n.Load("")
	l, ok := languages.Find("de")
	require.True(t, ok)
	german := i18n.New(l)
	short := api.Fail(api.InsufficientStock, api.Details{"current": int64(3), "inventoryState": api.QualityControl, "requested": int64(5)}, "short")
	require.Contains(t, submit.UserMessage(german, short), "Qualitätsprüfung")
	require.NotContains(t, submit.UserMessage(german, short), "Only")
	closed := api.Fail(api.OutboundNotOpen, api.Details{"status": api.OutboundPartiallyPicked}, "closed")
	require.Contains(t, submit.UserMessage(german, closed), "teils kommiss.")
	require.Contains(t, submit.UserMessage(nil, closed), "This order is already partly picked.")
}
