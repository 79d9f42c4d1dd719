package intake

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"bincard/server/api"
)

var productColumns = [][2]string{
	{"sku", "sku"},
	{"name", "name"},
	{"barcodes", "barcode"},
	{"baseUnitCode", "unit"},
	{"units[0].barcodes", "box barcode"},
	{"units", "box factor"},
	{"tracking", "tracking"},
	{"reorderPoint", "reorder point"},
}

// product checks a row of products.
func (c *checker) product() error {
	in := api.CreateProductInput{
		SKU:          c.cell("sku"),
		Name:         c.cell("name"),
		Barcodes:     c.codes("barcode"),
		BaseUnitCode: c.cell("unit"),
		Tracking:     api.Tracking(strings.ToLower(c.cell("tracking"))),
		ReorderPoint: c.number("reorder point"),
	}

	if factor := c.number("box factor"); factor != nil {
		in.Units = []api.Unit{{UnitCode: "box", Factor: *factor, Barcodes: c.codes("box barcode")}}
		if *factor == 0 {
			c.problem("box factor", "must be at least 1, is 0")
			in.Units = nil
		}
		if foldName(in.BaseUnitCode) == "box" {
			c.problem("unit",
				"is box, and so is the packaging from the box factor; use another unit, or omit the factor")
		}
	} else if c.cell("box barcode") != "" {
		c.problem("box factor", "is missing: how many are in the box with barcode %s?", c.cell("box barcode"))
	}

	c.checkRules(&in, productColumns)
	if in.SKU == "" || !c.checkUnique("sku", foldName(in.SKU), in.SKU) || c.bad {
		return nil
	}
	if have := c.catalogue.products[foldName(in.SKU)]; have != nil {
		c.compareProduct(have, &in)
		return nil
	}

	for _, b := range barcodes(&api.Product{Barcodes: in.Barcodes, Units: in.Units}) {
		owner := ""
		if have := c.catalogue.barcodes[normalizeGTIN(b)]; have != nil {
			owner = have.SKU
		} else if line := c.firstLine("barcode " + normalizeGTIN(b)); line != c.row.Line {
			c.withRow(line, func() { owner = c.cell("sku") })
		}

		if owner != "" {
			c.problem("barcode", "%s already belongs to %s; remove it from one of them", b, owner)
		}
	}

	addStep(c, api.CreateProduct, in)

	return nil
}

// compareProduct compares a row with the product that exists already. What differs is a problem,
// or is corrected if the options say so.
func (c *checker) compareProduct(have *api.Product, in *api.CreateProductInput) {
	if have.Status == api.Archived {
		c.problem("sku", "%s is archived; use another SKU", have.SKU)
		return
	}

	change, differs := api.ChangeProductInput{ProductID: have.ID}, false
	differ := func(column, has, want string) {
		if differs = true; !c.options.Change {
			c.problem(
				column,
				"is %q, but the product %s already exists with %q; an import does not change existing data",
				want,
				have.SKU,
				has,
			)
		}
	}

	if have.Name != in.Name {
		differ("name", have.Name, in.Name)
		change.Name = in.Name
	}
	if in.BaseUnitCode != "" && have.BaseUnitCode != in.BaseUnitCode {
		differ("unit", have.BaseUnitCode, in.BaseUnitCode)
		change.BaseUnitCode = in.BaseUnitCode
	}
	if in.Tracking != "" && have.Tracking != in.Tracking {
		differ("tracking", string(have.Tracking), string(in.Tracking))
		change.Tracking = in.Tracking
	}
	if in.ReorderPoint != nil && *in.ReorderPoint != valueOr(have.ReorderPoint, -1) {
		differ("reorder point", whole(have.ReorderPoint), whole(in.ReorderPoint))
		change.ReorderPoint = in.ReorderPoint
	}

	for _, u := range in.Units {
		i := slices.IndexFunc(have.Units, func(h api.Unit) bool { return foldName(h.UnitCode) == u.UnitCode })
		if i >= 0 && have.Units[i].Factor == u.Factor {
			continue
		}

		differs, change.Units = true, slices.Clone(have.Units)
		switch {
		case !c.options.Change:
			c.problem("box factor",
				"is %d, but the product %s already exists without such a box; an import does not change existing data",
				u.Factor, have.SKU)
		case i >= 0:
			change.Units[i].Factor = u.Factor
		default:
			change.Units = append(change.Units, api.Unit{UnitCode: u.UnitCode, Factor: u.Factor})
		}
	}

	links := c.missingBarcodes(have, in)
	switch {
	case c.bad:
	case !differs && len(links) == 0:
		c.Unchanged++
	default:
		c.addChange(
			have.CurrentVersion(),
			func(ctx context.Context, svc api.Service, key string, version api.Option) error {
				if differs {
					if _, err := api.ChangeProduct.Call(ctx, svc, change, api.Key(key), version); err != nil {
						return err
					}
				}
				for i, link := range links {
					if _, err := api.LinkBarcode.Call(
						ctx,
						svc,
						link,
						api.Key(fmt.Sprintf("%s-%d", key, i+1)),
					); err != nil {
						return err
					}
				}
				return nil
			},
		)
	}
}

// missingBarcodes returns the barcodes of a row that its product does not have yet. They are
// problems unless the options permit changes.
func (c *checker) missingBarcodes(have *api.Product, in *api.CreateProductInput) (links []api.LinkBarcodeInput) {
	for i, b := range barcodes(&api.Product{Barcodes: in.Barcodes, Units: in.Units}) {
		owner := c.catalogue.barcodes[normalizeGTIN(b)]
		switch {
		case owner != nil && owner.ID == have.ID:
		case !c.options.Change:
			c.problem("barcode", "%s is not on the existing product %s; an import does not change existing data", b,
				have.SKU)
		case owner != nil:
			c.problem("barcode", "%s already belongs to %s; remove it from one of them", b, owner.SKU)
		default:
			link := api.LinkBarcodeInput{ProductID: have.ID, Barcode: b}
			if i >= len(in.Barcodes) {
				link.Factor = &in.Units[0].Factor
			}
			links = append(links, link)
		}
	}

	return links
}

func valueOr(n *int64, other int64) int64 {
	if n == nil {
		return other
	}
	return *n
}

// checkUnique requires that no earlier row has the same key; what describes it
// in the problem.
func (c *checker) checkUnique(column, key, what string) bool {
	line := c.firstLine(key)
	if line != c.row.Line {
		c.problem(column, "%s is already on line %d", what, line)
	}
	return line == c.row.Line
}

// codes returns the barcodes or shelves in a cell, separated by |.
func (c *checker) codes(column string) (list []string) {
	for _, code := range strings.Split(c.cell(column), "|") {
		code = api.CleanCode(code)
		if scientificNumber.MatchString(code) {
			c.problem(column,
				"%s is a number that the spreadsheet shortened; format the column as text and enter it again",
				code)
		} else if code != "" && slices.ContainsFunc(list, func(x string) bool { return normalizeGTIN(x) == normalizeGTIN(code) }) {
			c.problem(column, "%s appears twice", code)
		} else if code != "" {
			list = append(list, code)
		}
	}

	return list
}

// scientificNumber matches long numbers as spreadsheets show them: 9.52E+12.
var scientificNumber = regexp.MustCompile(`^\d([.,]\d+)?[eE]\+\d+$`)

// wholeNumber matches whole numbers with decimals, as in 60,00 and 1.200,00. Without decimals
// the separator of 1.200 may be either.
var wholeNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(-?\d+|-?\d{1,3}(?:\.\d{3})+),0{1,2}|(-?\d+|-?\d{1,3}(?:,\d{3})+)\.0{1,2})$`)
})

// ambiguousNumber matches numbers like 1.200 and 60,000.
var ambiguousNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?[1-9]\d{0,2}[.,]\d{3}$`) })

var withoutSeparators = strings.NewReplacer(".", "", ",", "")

// number returns a cell as an integer, or nil if it is empty or invalid.
func (c *checker) number(column string) *int64 {
	text := c.cell(column)
	if text == "" {
		return nil
	}

	digits := text
	if parts := wholeNumber().FindStringSubmatch(text); parts != nil {
		digits = withoutSeparators.Replace(parts[1] + parts[2])
	}

	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		if ambiguousNumber().MatchString(text) {
			c.problem(column, "must be a whole number without separators, is %q, which may be %s or a fraction", text,
				withoutSeparators.Replace(text))
		} else {
			c.problem(column, "must be a whole number without separators, is %q", text)
		}
		return nil
	}

	return &n
}

func whole(n *int64) string {
	if n == nil {
		return "none"
	}
	return strconv.FormatInt(*n, 10)
}

// location checks a row of locations.
func (c *checker) location() error {
	in := api.CreateLocationInput{
		Code: c.cell("code"),
		Name: c.cell("name"),
		Type: api.LocationType(strings.ToLower(c.cell("type"))),
	}
	c.checkRules(&in, nil)
	if in.Code == "" || !c.checkUnique("code", foldName(in.Code), in.Code) || c.bad {
		return nil
	}

	have := c.catalogue.locations.byCode[foldName(in.Code)]
	switch {
	case have == nil:
		addStep(c, api.CreateLocation, in)
	case have.Name == in.Name && have.Type == string(in.Type):
		c.Unchanged++
	case c.options.Change:
		change := api.ChangeLocationInput{LocationID: have.ID, Name: in.Name, Type: in.Type}
		c.addChange(
			have.CurrentVersion(),
			func(ctx context.Context, svc api.Service, key string, version api.Option) error {
				_, err := api.ChangeLocation.Call(ctx, svc, change, api.Key(key), version)
				return err
			},
		)
	default:
		c.problem("code", "the location %s already exists (%s, %s); an import does not change existing data", have.Code,
			have.Name, have.Type)
	}

	return nil
}

// shelves checks a row of the shelves of a product at a location.
func (c *checker) shelves() error {
	p := c.activeProduct()
	location := c.place("location", "location", c.catalogue.locations, true)
	shelves := c.codes("shelf")
	if p == nil || location == nil {
		return nil
	}

	in := api.SetShelvesInput{ProductID: p.ID, LocationID: location.ID, Shelves: shelves}
	c.checkRules(&in, [][2]string{{"shelves", "shelf"}})
	if !c.checkUnique("", fmt.Sprint(p.ID, location.ID), p.SKU+" at "+location.Code) || c.bad {
		return nil
	}

	have := p.ShelvesAt(location.ID)
	if slices.Equal(have, in.Shelves) {
		c.Unchanged++
		return nil
	}
	if len(have) > 0 {
		c.Changed++
	}

	key := fmt.Sprintf("%s-%d-v%d", c.batch, c.row.Line, p.CurrentVersion()) // see addChange
	c.steps = append(c.steps, newStep(api.SetShelves, in, c.row.Line, key))

	return nil
}
