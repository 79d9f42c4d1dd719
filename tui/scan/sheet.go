package scan

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"io"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/code128"
	"github.com/boombuler/barcode/qr"
)

// A Card is a barcode with a title and a hint.
type Card struct {
	Title string // "confirm"
	Hint  string // one line below; may be ""
	Code  string // the text of the barcode
}

// quietZone is the white margin beside a Code 128, in modules.
const quietZone = 10

// WriteSheet writes the cards as an HTML page for A4 and Letter, each as Code 128 for laser scanners
// and as QR code for cameras.
func WriteSheet(out io.Writer, title, note string, cards []Card) error {
	type painted struct {
		Card
		Line, Square template.HTML
	}
	page := struct {
		Title, Note string
		Cards       []painted
	}{Title: title, Note: note}
	for _, c := range cards {
		line, err := Code128(c.Code)
		if err != nil {
			return err
		}

		square, err := QR(c.Code)
		if err != nil {
			return err
		}

		page.Cards = append(page.Cards, painted{c, template.HTML(line), template.HTML(square)})
	}

	return pageTemplate.Execute(out, page)
}

// Code128 returns a code as Code 128 in SVG, without its text.
func Code128(code string) (string, error) {
	b, err := code128.Encode(code)
	if err != nil {
		return "", fmt.Errorf("cannot encode %q as Code 128: %w", code, err)
	}

	width := b.Bounds().Dx()
	var svg bytes.Buffer
	fmt.Fprintf(
		&svg,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d 40" preserveAspectRatio="none" shape-rendering="crispEdges">`,
		width+2*quietZone,
	)
	drawBars(&svg, b, 0, width, quietZone, 0, 40)
	svg.WriteString(`</svg>`)

	return svg.String(), nil
}

// QR returns a code as a QR code in SVG.
func QR(code string) (string, error) {
	b, err := qr.Encode(code, qr.M, qr.Unicode)
	if err != nil {
		return "", fmt.Errorf("cannot encode %q as a QR code: %w", code, err)
	}

	size := b.Bounds().Dx()
	var svg bytes.Buffer
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges">`,
		size+8, size+8)
	for y := range size {
		drawBars(&svg, b, y, size, 4, y+4, 1)
	}

	svg.WriteString(`</svg>`)

	return svg.String(), nil
}

// drawBars draws each run of dark modules in a row as one rectangle.
func drawBars(svg io.Writer, b barcode.Barcode, row, width, left, top, height int) {
	for x := 0; x < width; {
		if !isDark(b.At(x, row)) {
			x++
			continue
		}

		from := x
		for x < width && isDark(b.At(x, row)) {
			x++
		}

		fmt.Fprintf(svg, `<rect x="%d" y="%d" width="%d" height="%d"/>`, from+left, top, x-from, height)
	}
}

func isDark(c color.Color) bool { r, _, _, _ := c.RGBA(); return r < 0x8000 }

var pageTemplate = template.Must(template.New("sheet").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{.Title}}</title>
<style>
@page { margin: 12mm }
body { font: 12pt/1.3 sans-serif; color: #000; background: #fff; margin: 0 auto; max-width: 186mm }
h1 { font-size: 16pt; margin: 0 0 2mm }
p { margin: 0 0 6mm }
.cards { display: grid; grid-template-columns: 1fr 1fr; gap: 8mm 10mm }
.card { break-inside: avoid; border: .3mm solid #000; border-radius: 2mm; padding: 4mm; display: grid; grid-template-columns: 1fr 24mm; gap: 2mm 4mm }
.card b { font-size: 16pt; grid-column: 1 / 3 }
.card .line svg { width: 100%; height: 18mm; display: block }
.card .square svg { width: 24mm; height: 24mm; display: block; margin-top: -2mm }
.card small { grid-column: 1 / 3; font-size: 10pt }
.card code { font-size: 9pt }
</style></head><body>
<h1>{{.Title}}</h1>
<p>{{.Note}}</p>
<div class="cards">
{{range .Cards}}<div class="card"><b>{{.Title}}</b>
<div class="line">{{.Line}}<code>{{.Code}}</code></div><div class="square">{{.Square}}</div>
<small>{{.Hint}}</small></div>
{{end}}</div>
</body></html>
`))
