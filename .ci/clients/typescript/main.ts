// Runs the README's first hour with a generated client. The test that generates the client
// says how; see cmd/bincard/e2e.
import { deepStrictEqual } from "node:assert";
import createClient from "openapi-fetch";
import type { components, paths } from "./bincard.js";

const { BINCARD_URL = "", BINCARD_ORG = "", BINCARD_KEY = "" } = process.env;
const client = createClient<paths>({ baseUrl: BINCARD_URL, headers: { Authorization: `Bearer ${BINCARD_KEY}` } });
const path = { organizationId: BINCARD_ORG };

/** Returns the parameters of a write. */
const write = (key: string) => ({ path, header: { "Idempotency-Key": key } });

/** Returns the data of an answer that must not be an error. */
function must<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

const metadata = { color: "white", sizes: [1, 2], origin: { country: "SE" } };
const product = must(
  await client.POST("/v1/organizations/{organizationId}/products", {
    params: write("p-1"),
    body: { sku: "OAT-1L", name: "Oat milk 1 l", metadata },
  }),
);
const location = must(
  await client.POST("/v1/organizations/{organizationId}/locations", {
    params: write("l-1"),
    body: { code: "WH-1", name: "Main warehouse", type: "warehouse" },
  }),
);
const { inbound } = must(
  await client.POST("/v1/organizations/{organizationId}/inbounds", {
    params: write("i-1"),
    body: { productId: product.id, locationId: location.id, expectedQuantity: 12 },
  }),
);

const receive = (key: string, body: components["schemas"]["ReceiveInboundInput"]) =>
  client.POST("/v1/organizations/{organizationId}/inbounds/{inboundId}/receive", {
    params: { path: { ...path, inboundId: inbound.id }, header: { "Idempotency-Key": key } },
    body,
  });

const first = must(await receive("r-1", { quantity: 5, lotCode: "L-1", metadata }));
deepStrictEqual([first.balance.onHand, first.balance.incoming], [5, 7]);
deepStrictEqual(first.movements[0]?.metadata, metadata);
deepStrictEqual(must(await receive("r-1", { quantity: 5, lotCode: "L-1", metadata })), first);

const refused = await receive("r-2", { quantity: 8 });
const error = refused.error?.error;
if (error?.code !== "QUANTITY_EXCEEDS_PENDING") throw new Error(JSON.stringify(refused));
deepStrictEqual(error.details?.pending, 7);

const changes = must(
  await client.GET("/v1/organizations/{organizationId}/changes", { params: { path, query: { after: 0, wait: 25 } } }),
);
deepStrictEqual(changes.items.map((item) => item.key), ["p-1", "l-1", "i-1", "r-1"]);
console.log("done");
