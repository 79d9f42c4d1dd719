package dock

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"bincard/server/api"
	"bincard/tui/widget"
)

var placeholder = regexp.MustCompile(`\{([a-zA-Z]+)\}`)

// UserMessage are an error as a worker understands it.
func UserMessage(err error) string {
	var e *api.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return saidNoAnswerCameIn
	case !errors.As(err, &e):
		return err.Error()
	case e.Code == api.Unavailable && e.Message == "":
		return unread
	}
	text, ok := refusals[e.Code]
	if !ok {
		return serviceMessage(e)
	}
	whole := true
	text = placeholder.ReplaceAllStringFunc(text, func(name string) string {
		value, ok := e.Details[name[1:len(name)-1]]
		whole = whole && ok
		return detailText(value)
	})
	if !whole {
		return serviceMessage(e)
	}
	return text
}

// serviceMessage is what the service itself says.
func serviceMessage(e *api.Error) string {
	if e.Message == "" {
		return fmt.Sprintf(saidTheServiceRefusedIt, e.Code)
	}
	text := widget.Clean(e.Message)
	if e.Code == api.InternalError && e.RequestID != "" {
		text += " " + fmt.Sprintf(saidRequest, e.RequestID)
	}
	return text
}

// detailText writes a detail as people read it.
func detailText(value any) string {
	switch v := value.(type) {
	case int64:
		return widget.Count(v)
	case int:
		return widget.Count(int64(v))
	case api.State:
		return v.Title()
	case string:
		if s := api.State(v); s.Index() >= 0 {
			return s.Title()
		}
		return widget.Clean(v)
	}
	return widget.Clean(strings.TrimSpace(fmt.Sprint(value)))
}

// sendErrorText are the words for a step that brought no answer.
func sendErrorText(err error, sent bool) string {
	var e *api.Error
	if errors.As(err, &e) && (e.Code == api.RateLimited || e.Code == api.Unauthorized) {
		return UserMessage(err)
	}
	if e != nil && e.Code == api.Unavailable && e.Details["outcome"] == nil && e.Details["retryAfterSeconds"] != nil {
		return serviceMessage(e) + " " + countKept // the service took nothing, and says why
	}
	if sent {
		return unknown
	}
	return unreached
}
