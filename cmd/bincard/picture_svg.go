package main

import (
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The size of a cell and of the margin around the screen, in pixels.
const (
	cellWidth, cellHeight = 8.4, 18.0
	fontSize              = 14
	margin                = 14.0
)

// The colors of the terminal in the picture.
const (
	defaultBackground = "#16181d"
	defaultForeground = "#d7dae0"
)

// drawSVG draws lines of text with color sequences (SGR).
func drawSVG(view string, width, height int, title string) string {
	var b strings.Builder
	w, h := float64(width)*cellWidth+2*margin, float64(height)*cellHeight+2*margin
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img">`+"\n",
		px(w), px(h))
	fmt.Fprintf(&b, "<title>%s</title>\n", escape(title))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", defaultBackground)
	fmt.Fprintf(
		&b,
		`<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="%d" fill="%s">`+"\n",
		fontSize,
		defaultForeground,
	)

	for y, line := range strings.Split(view, "\n") {
		for _, r := range spans(line) {
			r.draw(&b, y)
		}
	}

	b.WriteString("</g>\n</svg>\n")

	return b.String()
}

func px(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", f), "0"), ".")
}

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder never fails
	return b.String()
}

// A svgSpan is a part of a line in one style.
type svgSpan struct {
	svgStyle
	x    int // the first cell
	text string
}

func (r svgSpan) draw(b *strings.Builder, y int) {
	front, back := r.foreground, r.background
	if r.reverse {
		front, back = back, front
		if front == "" {
			front = defaultBackground
		}
		if back == "" {
			back = "#d7dae0"
		}
	}

	left, top := margin+float64(r.x)*cellWidth, margin+float64(y)*cellHeight
	width := float64(ansi.StringWidth(r.text)) * cellWidth
	if back != "" {
		fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`+"\n", px(left), px(top), px(width),
			px(cellHeight), back)
	}

	text := strings.TrimRight(r.text, " ")
	lead := len(text) - len(strings.TrimLeft(text, " "))
	if text = text[lead:]; text == "" {
		return
	}

	left += float64(lead) * cellWidth
	fmt.Fprintf(b, `<text x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs" xml:space="preserve"`,
		px(left), px(top+cellHeight-4.6), px(float64(ansi.StringWidth(text))*cellWidth))
	if front != "" {
		fmt.Fprintf(b, ` fill="%s"`, front)
	}
	if r.bold {
		b.WriteString(` font-weight="bold"`)
	}

	fmt.Fprintf(b, ">%s</text>\n", escape(text))
}

// spans splits a line into spans. It also splits plain text after gaps of two or more
// spaces, so that columns stay aligned in any font.
func spans(line string) (out []svgSpan) {
	now, x := svgStyle{}, 0
	add := func(text string) {
		for text != "" {
			part := text
			if i := strings.Index(text, "  "); i >= 0 && now.background == "" && !now.reverse {
				end := i + len(text[i:]) - len(strings.TrimLeft(text[i:], " "))
				part = text[:end]
			}
			out = append(out, svgSpan{now, x, part})
			x += ansi.StringWidth(part)
			text = text[len(part):]
		}
	}

	for line != "" {
		at := strings.Index(line, "\x1b[")
		if at < 0 {
			add(line)
			break
		}

		add(line[:at])
		end := strings.IndexByte(line[at:], 'm')
		if end < 0 {
			break
		}

		now = now.after(line[at+2 : at+end])
		line = line[at+end+1:]
	}

	return out
}
