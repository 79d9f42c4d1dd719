package gen

import (
	"time"

	"bincard/server/api"
)

// Details of conflicts.
type (
	// A BalanceDetails identifies a balance.
	BalanceDetails struct {
		BalanceID    api.ID `json:"balanceId,omitzero" doc:"balance concerned"`
		ProductID    api.ID `json:"productId,omitzero" doc:"product of the balance"`
		LocationID   api.ID `json:"locationId,omitzero" doc:"location of the balance"`
		SKU          string `json:"sku,omitzero" doc:"SKU of the product"`
		LocationCode string `json:"locationCode,omitzero" doc:"code of the location"`
	}
	// InsufficientStockDetails says what is missing where.
	InsufficientStockDetails struct {
		BalanceDetails
		InventoryState api.State `json:"inventoryState,omitzero" doc:"state that lacks stock, unless it is a pallet or box"`
		SSCC           string    `json:"sscc,omitzero" doc:"number of the pallet or box that lacks stock"`
		Current        int64     `json:"current" doc:"quantity in the state, or on the pallet"`
		Requested      int64     `json:"requested" doc:"quantity requested"`
		Expired        int64     `json:"expired,omitzero" doc:"quantity in expired lots, which cannot ship"`
		LotID          api.ID    `json:"lotId,omitzero" doc:"lot requested"`
		LotCode        string    `json:"lotCode,omitzero" doc:"code of the lot"`
		ExpiresAt      time.Time `json:"expiresAt,omitzero" doc:"when the lot expired"`
	}
	// StateBackedByDocumentsDetails says what open documents hold.
	StateBackedByDocumentsDetails struct {
		BalanceDetails
		InventoryState api.State `json:"inventoryState,omitzero" doc:"state of the stock"`
		Current        int64     `json:"current,omitzero" doc:"quantity in the state"`
		Requested      int64     `json:"requested,omitzero" doc:"change requested"`
		Backed         int64     `json:"backed,omitzero" doc:"quantity that open documents hold"`
		SerialNumber   string    `json:"serialNumber,omitzero" doc:"serial whose lot documents hold"`
		LotID          api.ID    `json:"lotId,omitzero" doc:"lot of the serial"`
	}
	// QuantityExceedsPendingDetails says what is pending.
	QuantityExceedsPendingDetails struct {
		Pending   int64  `json:"pending" doc:"quantity pending"`
		Requested int64  `json:"requested" doc:"quantity requested"`
		Tolerance int64  `json:"tolerance,omitzero" doc:"allowed over-receipt, in percent of the expected quantity"`
		Most      int64  `json:"most,omitzero" doc:"maximum that can be received now"`
		ProductID api.ID `json:"productId,omitzero" doc:"product concerned"`
		LotID     api.ID `json:"lotId,omitzero" doc:"lot concerned"`
	}
	// QuantityTooLargeDetails has the quantities.
	QuantityTooLargeDetails struct {
		InventoryState api.State `json:"inventoryState,omitzero" doc:"state of the stock"`
		Current        int64     `json:"current,omitzero" doc:"quantity in the state"`
		Requested      int64     `json:"requested,omitzero" doc:"quantity requested"`
		SKU            string    `json:"sku,omitzero" doc:"component of the kit"`
		PerKit         int64     `json:"perKit,omitzero" doc:"quantity of the component in a kit"`
		Movements      int64     `json:"movements,omitzero" doc:"maximum number of movements of one write"`
	}
	// ProgressDetails has the status and the quantities of a document.
	ProgressDetails struct {
		Status    string `json:"status,omitzero" doc:"status of the document"`
		Quantity  int64  `json:"quantity,omitzero" doc:"quantity of the document"`
		Requested int64  `json:"requested,omitzero" doc:"quantity ordered"`
		Allocated int64  `json:"allocated,omitzero" doc:"quantity allocated"`
		Picked    int64  `json:"picked,omitzero" doc:"quantity picked"`
		Packed    int64  `json:"packed,omitzero" doc:"quantity packed"`
		Fulfilled int64  `json:"fulfilled,omitzero" doc:"quantity fulfilled"`
		Shipped   int64  `json:"shipped,omitzero" doc:"quantity shipped"`
		Received  int64  `json:"received,omitzero" doc:"quantity received"`
		LastChangeDetails
	}
	// InboundProgressDetails has the status and the quantities of an inbound.
	InboundProgressDetails struct {
		Status   api.InboundStatus `json:"status" doc:"status of the inbound"`
		Received int64             `json:"received" doc:"quantity received"`
		Expected int64             `json:"expected,omitzero" doc:"quantity expected"`
		LastChangeDetails
	}
	// LastChangeDetails has the last change of a document that is not open.
	LastChangeDetails struct {
		ChangedBy string     `json:"changedBy,omitzero" doc:"who changed the document last"`
		ChangedAt *time.Time `json:"changedAt,omitzero" doc:"when the document was changed last"`
	}
	// ReservationDetails has the status of a reservation.
	ReservationDetails struct {
		Status    api.ReservationStatus `json:"status" doc:"status of the reservation"`
		Quantity  int64                 `json:"quantity" doc:"quantity reserved"`
		ExpiresAt *time.Time            `json:"expiresAt,omitzero" doc:"when it expires"`
		LastChangeDetails
	}
	// ReservationTooLateDetails says when the reservation expired.
	ReservationTooLateDetails struct {
		ExpiresAt  time.Time `json:"expiresAt" doc:"when it expired"`
		OccurredAt time.Time `json:"occurredAt" doc:"when it was made"`
		ProductID  api.ID    `json:"productId" doc:"product reserved"`
		LocationID api.ID    `json:"locationId" doc:"location of the stock"`
		Quantity   int64     `json:"quantity" doc:"quantity reserved"`
	}
	// OwnerMismatchDetails has both owners.
	OwnerMismatchDetails struct {
		OwnerID   api.ID `json:"ownerId,omitzero" doc:"owner of the document"`
		Requested api.ID `json:"requested,omitzero" doc:"owner of the request"`
	}
	// ChannelMismatchDetails has both channels.
	ChannelMismatchDetails struct {
		ChannelID api.ID `json:"channelId,omitzero" doc:"channel of the document"`
		Requested api.ID `json:"requested,omitzero" doc:"channel of the request"`
	}
	// An AllocatedLot is a lot that is allocated to a line.
	AllocatedLot struct {
		LotID    api.ID `json:"lotId,omitzero" doc:"lot allocated; missing for stock without a lot"`
		LotCode  string `json:"lotCode,omitzero" doc:"code of the lot"`
		Quantity int64  `json:"quantity" doc:"quantity allocated and not fulfilled"`
		Picked   int64  `json:"picked,omitzero" doc:"part of it that is picked"`
		Packed   int64  `json:"packed,omitzero" doc:"part of it that is packed"`
	}
	// LotMismatchDetails says how the lot differs.
	LotMismatchDetails struct {
		LotID             api.ID         `json:"lotId,omitzero" doc:"lot found"`
		LotCode           string         `json:"lotCode,omitzero" doc:"code of the lot"`
		BatchCode         string         `json:"batchCode,omitzero" doc:"batch code of the lot"`
		ExpiresAt         *time.Time     `json:"expiresAt,omitzero" doc:"expiration time of the lot"`
		ProductID         api.ID         `json:"productId,omitzero" doc:"product of the request"`
		SerialNumber      string         `json:"serialNumber,omitzero" doc:"serial of the request"`
		Requested         any            `json:"requested,omitzero" doc:"the lot, code, time or quantity of the request"`
		Held              int64          `json:"held,omitzero" doc:"quantity of the lot that the document holds"`
		LineID            api.ID         `json:"lineId,omitzero" doc:"line of the outbound"`
		Allocated         []AllocatedLot `json:"allocated,omitzero" doc:"lots that are allocated to the line"`
		Available         int64          `json:"available,omitzero" doc:"quantity of the lot that is available"`
		InTransit         []api.ID       `json:"inTransit,omitzero" doc:"lots in transit"`
		InTransitLotCodes string         `json:"inTransitLotCodes,omitzero" doc:"codes of the lots in transit"`
	}
	// LotDetails identifies a lot.
	LotDetails struct {
		LotID   api.ID `json:"lotId" doc:"lot concerned"`
		LotCode string `json:"lotCode" doc:"code of the lot"`
		OnHand  int64  `json:"onHand,omitzero" doc:"quantity on hand"`
	}
	// ProductDetails identifies a product.
	ProductDetails struct {
		ProductID api.ID `json:"productId,omitzero" doc:"product concerned"`
		SKU       string `json:"sku" doc:"SKU of the product"`
	}
	// SerialDetails identifies a serial and says where it is.
	SerialDetails struct {
		Serial         string           `json:"serial,omitzero" doc:"serial number of the request, if unknown"`
		SerialID       api.ID           `json:"serialId,omitzero" doc:"serial found"`
		SerialNumber   string           `json:"serialNumber,omitzero" doc:"number of the serial"`
		Status         api.SerialStatus `json:"status,omitzero" doc:"status of the serial"`
		LocationID     api.ID           `json:"locationId,omitzero" doc:"where it is"`
		LocationCode   string           `json:"locationCode,omitzero" doc:"code of the location"`
		InventoryState api.State        `json:"inventoryState,omitzero" doc:"state of its stock"`
		ProductID      api.ID           `json:"productId,omitzero" doc:"product of the request"`
		SKU            string           `json:"sku,omitzero" doc:"SKU of the product"`
	}
	// SerialCountMismatchDetails has both numbers.
	SerialCountMismatchDetails struct {
		BalanceDetails
		Serials  int64  `json:"serials,omitzero" doc:"number of serials"`
		Quantity int64  `json:"quantity,omitzero" doc:"quantity of the request"`
		OnHand   int64  `json:"onHand,omitzero" doc:"quantity on hand"`
		LineID   api.ID `json:"lineId,omitzero" doc:"line of the outbound"`
		Kit      string `json:"kit,omitzero" doc:"SKU of the kit"`
	}
	// UnitConversionMismatchDetails has the quantities, or the units that the product has.
	UnitConversionMismatchDetails struct {
		UnitCode     string     `json:"unitCode" doc:"unit of the request"`
		BaseUnitCode string     `json:"baseUnitCode,omitzero" doc:"base unit of the product"`
		Units        []api.Unit `json:"units,omitzero" doc:"units of the product"`
		UnitQuantity int64      `json:"unitQuantity,omitzero" doc:"quantity in the unit"`
		Factor       int64      `json:"factor,omitzero" doc:"base units in a unit"`
		Quantity     int64      `json:"quantity,omitzero" doc:"quantity in base units"`
	}
	// AlreadyExistsDetails identifies the existing resource; its id has the name that it has
	// in requests, such as locationId.
	AlreadyExistsDetails struct {
		Resource  string `json:"resource,omitzero" doc:"kind of the resource"`
		Field     string `json:"field,omitzero" doc:"field whose value exists"`
		Code      string `json:"code,omitzero" doc:"code of the existing resource"`
		Barcode   string `json:"barcode,omitzero" doc:"barcode that exists"`
		ProductID api.ID `json:"productId,omitzero" doc:"product that exists"`
		SKU       string `json:"sku,omitzero" doc:"SKU of the product"`
	}
)
