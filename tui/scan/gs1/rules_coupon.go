package gs1

import "bincard/tui/i18n"

// coupon parses a North American coupon code field by field. The first problem is stored in message
// and ends parsing.
type coupon struct {
	value, rest string
	message     string
}

func newCoupon(value string) *coupon {
	c := &coupon{value: value, rest: value}
	c.message = checkSet(value, digits, i18n.Textf("a digit"))
	return c
}

// digits reads n digits. It returns "" after a problem or if too few are left.
func (c *coupon) digits(name string, n int) string {
	if c.message != "" {
		return ""
	}
	if len(c.rest) < n {
		c.message = i18n.Textf("coupon %q ends within its %s", c.value, name)
		return ""
	}

	field := c.rest[:n]
	c.rest = c.rest[n:]

	return field
}

// code reads one digit, which must be one of allowed.
func (c *coupon) code(name, allowed string) string {
	d := c.digits(name, 1)
	if c.message == "" && oneOf(d, allowed, "") != "" {
		c.message = i18n.Textf("coupon %q has %s for its %s, allowed are the digits %s", c.value, d, name, allowed)
	}
	return d
}

// lengthField reads a digit and the field that follows it, whose length is the digit plus more. If
// noneIsNine is set, the digit 9 means that the field is missing.
func (c *coupon) lengthField(name, allowed string, more int, noneIsNine bool) {
	d := c.code("length of the "+name, allowed)
	if c.message != "" || noneIsNine && d == "9" {
		return
	}
	c.digits(name, int(d[0]-'0')+more)
}

// optionalField reports whether the optional field with this digit is next, and consumes the digit.
func (c *coupon) optionalField(digit byte) bool {
	if c.message != "" || c.rest == "" || c.rest[0] != digit {
		return false
	}
	c.rest = c.rest[1:]
	return true
}

func (c *coupon) date(name string, year int) string {
	d := c.digits(name, 6)
	if c.message == "" {
		if message := checkYymmdd(d, year); message != "" {
			c.message = i18n.Textf("coupon %q: %s: %v", c.value, name, message)
		}
	}

	return d
}

func (c *coupon) end() string {
	if c.message == "" && c.rest != "" {
		c.message = i18n.Textf("coupon %q has %q left over at its end", c.value, c.rest)
	}
	return c.message
}

// checkCouponcode checks the coupon of (8110). The optional fields are in the order of their digits,
// each at most once.
func checkCouponcode(value string, year int) string {
	c := newCoupon(value)
	c.lengthField("company prefix", "0123456", 6, false)
	c.digits("offer code", 6)
	c.lengthField("save value", "12345", 0, false)
	c.lengthField("purchase requirement", "12345", 0, false)
	c.code("purchase requirement code", "0123459")
	c.digits("purchase family code", 3)
	if c.optionalField('1') {
		c.code("additional purchase rules", "0123")
		c.purchase("second")
	}
	if c.optionalField('2') {
		c.purchase("third")
	}

	c.dates(year)
	if c.optionalField('5') {
		c.lengthField("serial number", digits, 6, false)
	}
	if c.optionalField('6') {
		c.lengthField("retailer", "1234567", 6, false)
	}

	if c.optionalField('9') {
		c.code("save value code", "01256")
		c.code("save value applies to", "012")
		c.digits("store coupon flag", 1)
		c.code("don't multiply flag", "01")
	}

	return c.end()
}

func (c *coupon) purchase(which string) {
	c.lengthField(which+" purchase requirement", "12345", 0, false)
	c.code(which+" purchase requirement code", "012349")
	c.digits(which+" purchase family code", 3)
	c.lengthField(which+" purchase company prefix", "01234569", 6, true)
}

func (c *coupon) dates(year int) {
	expiry, start := "", ""
	if c.optionalField('3') {
		expiry = c.date("expiration date", year)
	}
	if c.optionalField('4') {
		start = c.date("start date", year)
	}
	if c.message == "" && expiry != "" && start > expiry {
		c.message = i18n.Textf("coupon %q expires on %s before it starts on %s", c.value, expiry, start)
	}
}

// checkCouponposoffer checks the coupon of (8112).
func checkCouponposoffer(value string, _ int) string {
	c := newCoupon(value)
	c.code("format", "01")
	c.lengthField("funder", "0123456", 6, false)
	c.digits("offer code", 6)
	c.lengthField("serial number", digits, 6, false)
	return c.end()
}
