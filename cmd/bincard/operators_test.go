package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestStaffOfAConfiguration(t *testing.T) {
	t.Parallel()
	pin, err := hashPIN("27182818")
	require.NoError(t, err)
	c := config{Organization: "a", Lock: "5m", Operators: []operator{
		{Name: "Ada", Badge: "ADA-42", Role: "worker"}, {Name: "Eve", PIN: pin}, {Name: "Bob", PIN: "31415", Badge: "ada-42", Role: "boss"},
		{Name: "Zoe", Company: "b"}, {Badge: "NAMELESS"}}}
	on, notes := c.login(nil)
	require.Len(t, on.Operators, 3)
	require.Equal(t, 5*time.Minute, on.LockAfter)
	require.Nil(t, on.Operators[0].Check)
	require.False(t, on.Operators[0].Supervisor)
	require.True(t, on.Operators[1].Supervisor)
	require.True(t, on.Operators[1].Check("27182818"))
	require.False(t, on.Operators[1].Check("27182819"))
	require.True(t, on.Operators[2].Check("31415"))
	require.False(t, on.Operators[2].Check(""))
	require.Empty(t, on.Operators[2].Badge)
	require.False(t, on.Operators[2].Supervisor, "a role nobody knows gives no right")
	require.Len(t, notes, 3)
	require.NotContains(t, pin, "27182818")

	_, notes = config{Lock: "soon"}.login(nil)
	require.Contains(t, notes[0], `use "5m"`)
	_, notes = config{Lock: "5m"}.login(nil)
	require.Contains(t, notes[0], "no operator could unlock it")
}
