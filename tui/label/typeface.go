package label

import (
	"image"
	"image/color"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/mattn/go-runewidth"
)

// A line of height 1 has glyphs of the size 1/lineHeight, so that they do not touch the
// next line.
const lineHeight = 1.16

// replacement is drawn instead of a character that the font lacks.
const replacement = '?'

var loadFonts = sync.OnceValue(func() [2]*opentype.Font {
	var fonts [2]*opentype.Font
	for i, data := range [][]byte{goregular.TTF, gobold.TTF} {
		f, err := opentype.Parse(data)
		if err != nil {
			panic(err) // bundled, so it is valid
		}
		fonts[i] = f
	}

	return fonts
})

func fontOf(bold bool) *opentype.Font {
	if bold {
		return loadFonts()[1]
	}
	return loadFonts()[0]
}

// TextWidth returns the width of a text in a line of the height, both in dots. Characters
// that the font lacks count as a printer's font would have them: full width for East
// Asian ones.
func TextWidth(text string, height int, bold bool) int {
	var buf sfnt.Buffer
	f, total := fontOf(bold), fixed.Int26_6(0)
	size := glyphSize(height)
	for _, r := range text {
		index, err := f.GlyphIndex(&buf, r)
		if err == nil && index != 0 {
			advance, err := f.GlyphAdvance(&buf, index, size, font.HintingNone)
			if err == nil {
				total += advance
				continue
			}
		}

		total += size * fixed.Int26_6(runewidth.RuneWidth(r)) / 2
	}

	return total.Ceil()
}

func glyphSize(height int) fixed.Int26_6 { return fixed.Int26_6(float64(height) / lineHeight * 64) }

// missingCharacters returns the characters of a text that the font lacks, each once.
func missingCharacters(text string) string {
	var buf sfnt.Buffer
	var missing strings.Builder
	for _, r := range text {
		if index, err := fontOf(false).GlyphIndex(&buf, r); (err != nil || index == 0) && !unicode.Is(unicode.Mn, r) &&
			!strings.ContainsRune(missing.String(), r) {
			missing.WriteRune(r)
		}
	}

	return missing.String()
}

// drawText draws a text in black with the top left corner of its line at x, y. It replaces
// the characters of Missing by Replacement.
func drawText(img *image.Gray, text string, x, y, height int, bold bool) error {
	face, err := opentype.NewFace(fontOf(bold),
		&opentype.FaceOptions{Size: float64(height) / lineHeight, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return err
	}

	defer face.Close()
	lacks := missingCharacters(text)
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(lacks, r) {
			return replacement
		}
		return r
	}, text)

	d := font.Drawer{
		Dst:  img,
		Src:  image.NewUniform(color.Black),
		Face: face,
		Dot:  fixed.P(x, y+face.Metrics().Ascent.Ceil()),
	}

	d.DrawString(text)

	return nil
}
