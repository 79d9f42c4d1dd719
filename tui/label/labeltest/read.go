package labeltest

import (
	"image"
	"image/draw"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/datamatrix"
	"github.com/makiuchi-d/gozxing/oned"
	"github.com/makiuchi-d/gozxing/qrcode"
	"github.com/stretchr/testify/require"

	"bincard/tui/label"
)

// Read returns what a scanner sends, with its AIM prefix, for the only barcode in an area
// of a picture. The area has the white margin of the barcode.
func Read(t require.TestingT, img image.Image, area image.Rectangle, symbology label.Symbology) string {
	require.True(t, area.In(img.Bounds()), "%v", area)
	part := image.NewGray(image.Rect(0, 0, area.Dx(), area.Dy()))
	draw.Draw(part, part.Bounds(), img, area.Min, draw.Src)
	bitmap, err := gozxing.NewBinaryBitmapFromImage(part)
	require.NoError(t, err)
	pure := map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_PURE_BARCODE: true}
	switch symbology {
	case label.Code128:
		result, err := oned.NewCode128Reader().Decode(bitmap, map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_ASSUME_GS1: true})
		require.NoError(t, err)
		return result.GetText() // begins with ]C1 after an FNC1
	case label.DataMatrix:
		result, err := datamatrix.NewDataMatrixReader().Decode(bitmap, pure)
		require.NoError(t, err)
		if text := result.GetText(); text[0] == 0x1d {
			return "]d2" + text[1:]
		}
		return "]d1" + result.GetText()
	}

	result, err := qrcode.NewQRCodeReader().Decode(bitmap, pure)
	require.NoError(t, err)

	return "]Q1" + result.GetText()
}
