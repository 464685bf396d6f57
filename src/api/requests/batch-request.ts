import type { preHandlerHookHandler } from 'fastify';
import { Type } from 'typebox';
import type { Address } from '../../model/units.ts';
import { AddressParameter } from '../schemas/parameters.ts';

/** Maximum number of addresses in one batch. */
export const BATCH_MAX = 100;
/** A batch counts as one request for each so many addresses begun. */
export const ADDRESSES_PER_REQUEST = 10;

/** What every batch does, for the descriptions of the endpoints. */
export const BATCH_RULES =
  'Items are in the order of the addresses, an address given more than once has one item, at its ' +
  'first position, and addresses that are not known are listed in missing. All items are as of ' +
  `the slot in x-slot. Counts as one request for every ${ADDRESSES_PER_REQUEST} addresses begun, ` +
  'repeated ones included, and is refused as a whole if fewer are left.';

/** Body of a batch; `example` is the address of one item. */
export function BatchRequest(description: string, example: string) {
  return Type.Object(
    {
      addresses: Type.Array(AddressParameter({ description, example }), {
        minItems: 1,
        maxItems: BATCH_MAX,
        description: `${description} 1 to ${BATCH_MAX} of them.`,
      }),
    },
    { examples: [{ addresses: [example] }] },
  );
}

/** Example of the 400 response of a batch. */
export const INVALID_ADDRESS_EXAMPLE = 'addresses[3] must be the base58 text of a 32-byte address.';

/** The addresses in their order, without repetitions. */
export function distinct(addresses: readonly Address[]): readonly Address[] {
  return [...new Set(addresses)];
}

/** Counts a batch by its addresses, before it waits for its turn. */
export const chargeBatch: preHandlerHookHandler = function (request, reply, done) {
  const { addresses } = request.body as { readonly addresses: readonly unknown[] };
  this.chargeRequest(request, reply, Math.ceil(addresses.length / ADDRESSES_PER_REQUEST));
  done();
};
