import { type Static, type TSchema, Type } from 'typebox';
import type { Address } from '../../model/units.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { AddressText, FRESHNESS_HEADERS } from '../schemas/wire.ts';

interface BatchExample {
  readonly address: string;
  /** Needed for a body that has no example of its own. */
  readonly data?: unknown;
}

/** Body of a batch, whose items have the body of the endpoint for one address. */
export function BatchBody<Single extends TSchema>(single: Single, example: BatchExample) {
  const { headers: _, examples, description, ...rest } = single as TSchema & WithExamples;
  const data = Type.Unsafe<Static<Single>>({ ...rest, description: description ?? 'The item.' });
  const [known] = examples ?? [example.data];
  return Type.Object(
    {
      items: Type.Array(
        Type.Object({ address: { ...AddressText, description: 'As in the request.' }, data }),
        { description: 'One for each known address, in the order of the request.' },
      ),
      missing: Type.Array(AddressText, {
        description: 'Addresses that are not known, in the order of the request.',
      }),
    },
    {
      description: 'The known and the unknown addresses.',
      headers: FRESHNESS_HEADERS,
      examples: [{ items: [{ address: example.address, data: known }], missing: [EXAMPLE.wallet] }],
    },
  );
}

interface WithExamples {
  readonly headers?: unknown;
  readonly examples?: readonly unknown[];
  readonly description?: string;
}

/** Presents what was found for each address; null where nothing was. */
export function presentBatch<Found, Data>(
  addresses: readonly Address[],
  found: readonly (Found | null)[],
  present: (found: Found, address: Address) => Data,
) {
  const items: { readonly address: Address; readonly data: Data }[] = [];
  const missing: Address[] = [];
  for (const [index, address] of addresses.entries()) {
    const one = found[index] ?? null;
    if (one === null) missing.push(address);
    else items.push({ address, data: present(one, address) });
  }
  return { items, missing };
}
