package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// An entry of an earlier version has who approved it with its operator.
func TestMovement_WhoOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{"Ada": {"Ada", ""}, "Ada, approved by Eve": {"Ada", "Eve"},
		"Ada, counted again by Ben, approved by Eve": {"Ada, counted again by Ben", "Eve"},
		"Ada, approval not confirmed: Eve":           {"Ada, approval not confirmed: Eve", ""}} {
		operator, supervisor, device := (&api.Movement{CreatedBy: &api.Actor{Type: api.User, Label: text}, Actor: api.Actor{Type: api.APIKey, Label: "Dock"}}).Who()
		require.Equal(t, want, [2]string{operator, supervisor})
		require.Equal(t, "Dock", device)
	}
}
