package label

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
)

// Image returns a page as a picture of one pixel per dot. missing are the characters that
// the bundled font lacks, which are drawn as replacement.
func Image(p *Page) (img *image.Gray, missing string, err error) {
	img = image.NewGray(image.Rect(0, 0, p.Width, p.Height))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	text := ""
	for _, t := range p.Texts {
		if err := drawText(img, t.Text, t.X, t.Y, t.Height, t.Bold); err != nil {
			return nil, "", err
		}
		text += t.Text
	}

	for _, b := range p.Boxes {
		fillBox(img, b.X, b.Y, b.Width, b.Thickness)
		fillBox(img, b.X, b.Y+b.Height-b.Thickness, b.Width, b.Thickness)
		fillBox(img, b.X, b.Y, b.Thickness, b.Height)
		fillBox(img, b.X+b.Width-b.Thickness, b.Y, b.Thickness, b.Height)
	}

	for _, s := range p.Symbols {
		height := s.Module
		if s.Rows() == 1 {
			height = s.Height
		}

		for row := range s.Rows() {
			for column := range s.Columns() {
				if s.IsDark(column, row) {
					fillBox(img, s.X+column*s.Module, s.Y+row*s.Module, s.Module, height)
				}
			}
		}
	}

	return img, missingCharacters(text), nil
}

func fillBox(img *image.Gray, x, y, width, height int) {
	draw.Draw(img, image.Rect(x, y, x+width, y+height), image.NewUniform(color.Black), image.Point{}, draw.Src)
}

// PNG writes a page as a PNG. missing is as for Image.
func PNG(w io.Writer, p *Page) (missing string, err error) {
	img, missing, err := Image(p)
	if err != nil {
		return "", err
	}
	return missing, png.Encode(w, img)
}
