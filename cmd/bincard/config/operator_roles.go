package config

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"

	"bincard/server/api/role"
)

// Roles says what the roles may do without a supervisor. A supervisor may do everything.
//
// It is for the operators of the terminal. Those of an organization have its rules, and what a
// program may do at the service, its key says.
type Roles struct {
	Worker role.Rules `toml:"worker,omitempty"`
}

// checkRoles returns the first mistake in the roles of the settings file. unknown are the
// keys of the file that this version does not know: unlike other settings, a role that is
// not understood must not be ignored.
func (c *Settings) checkRoles(text string, unknown []toml.Key) error {
	for _, key := range unknown {
		if key[0] == "roles" && len(key) > 1 {
			return fmt.Errorf(
				"line %d: unknown role %q: only the role worker can be changed; a supervisor may do everything",
				lineOf(text, "roles", key[1]),
				key[1],
			)
		}
	}

	if action, problem := c.Roles.Worker.Problem(); problem != "" {
		return fmt.Errorf("line %d: %s", lineOf(text, "roles", action), problem)
	}

	return nil
}

// lineOf returns the number of the line with a key of a section.
func lineOf(content, section, key string) int {
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(key) + `\b`)
	inside := false
	for i, line := range strings.Split(content, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if inside = inside || strings.Contains(line, section); inside && word.MatchString(line) {
			return i + 1
		}
	}

	return 1
}
