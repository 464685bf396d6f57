/**
 * GET /v1/market/bundled-transactions: bundle members that traded a token (specification 2.3 and
 * 4.3).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import type { Slot } from '../../../model/units.ts';
import type { ApiDeps, BundleOrder } from '../../deps.ts';
import { BundleBody, BundleItemBody } from '../../present/bundle-body.ts';
import { NOT_RETAINED_EXAMPLE, setFreshness, storedSlot } from '../../present/freshness.ts';
import { PAGE_FIELDS, presentPage } from '../../present/page.ts';
import { errors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import {
  AddressParameter,
  AsOfSlotParameter,
  ChoiceParameter,
  Defaulted,
  IntegerParameter,
} from '../../schemas/parameters.ts';
import { FRESHNESS_HEADERS } from '../../schemas/wire.ts';

const ORDERS = [
  'slot',
  'solana_amount',
  'transaction_id',
  'signing_address',
] as const satisfies readonly BundleOrder[];

const Query = Type.Object({
  token_address: AddressParameter({ description: 'Mint address.', example: EXAMPLE.mint }),
  page: Defaulted(
    IntegerParameter({
      description: 'Page number, starting at 1.',
      minimum: 1,
      maximum: 2 ** 31,
      default: 1,
    }),
  ),
  per_page: Defaulted(
    IntegerParameter({
      description: 'Number of items per page.',
      minimum: 1,
      maximum: 100,
      default: 20,
    }),
  ),
  order_by: Defaulted(
    ChoiceParameter(ORDERS, { description: 'Field to sort by.', default: 'slot' }),
  ),
  order_dir: Defaulted(
    ChoiceParameter(['asc', 'desc'], { description: 'Sort direction.', default: 'desc' }),
  ),
  group: Defaulted(
    ChoiceParameter(['true', 'false'], {
      description:
        'Whether to return bundles with their members instead of transactions. They are ordered ' +
        'by their first transactions.',
      default: 'false',
    }),
  ),
  as_of_slot: AsOfSlotParameter,
});

type Query = Static<typeof Query>;

const Body = Type.Object(
  {
    items: Type.Array(Type.Union([BundleItemBody.schema, BundleBody.schema]), {
      description: 'Transactions; with group=true bundles.',
    }),
    total: Type.Integer({ description: 'Number of items across all pages.' }),
    ...PAGE_FIELDS,
  },
  {
    description: 'One page of items; empty past the end.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        items: [
          {
            transaction_id: EXAMPLE.signature,
            signing_address: EXAMPLE.wallet,
            solana_amount: '1.500000000',
          },
        ],
        total: 4,
        page: 4,
        per_page: 1,
        pages: 4,
      },
    ],
  },
);

const NONE = 'No bundled transactions are known for this token.';

const schema = {
  operationId: 'getBundledTransactions',
  summary: 'List the bundled transactions of a token',
  description:
    'Returns the members of transaction bundles that traded the token. Ties in the sort field ' +
    'are ordered by slot, position in the slot and signer, so pages stay stable while rows ' +
    'are added. With group=true, returns what was placed together as one bundle: with its ' +
    'first slot, level, certainty, tip and members.',
  tags: ['market'],
  querystring: Query,
  response: {
    200: Body,
    ...errors({
      400: 'per_page must be a whole number from 1 to 100.',
      404: NONE,
      422: NOT_RETAINED_EXAMPLE,
    }),
  },
};

export const bundledTransactionsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/market/bundled-transactions', { schema }, async (request, reply) => {
      const asOfSlot = await storedSlot(deps, request.query.as_of_slot);
      const token = await deps.tokens.find(request.query.token_address);
      const read = await readItems(deps, request.query, asOfSlot);
      const fromSlot = token?.creationSlot ?? null;
      setFreshness(reply, deps, { fromSlot, toSlot: asOfSlot, isStored: true }, read);
      const { items, total } = read.data;
      if (total === 0) throw new ApiError(404, NONE);
      return { items: [...items], ...presentPage(request.query, total) };
    });
  };

/** One page of transactions, or of bundles, as they are written. */
async function readItems(deps: ApiDeps, query: Query, asOfSlot: Slot | null) {
  const { token_address: mint, page, per_page: limit, order_by: orderBy } = query;
  const range = { mint, orderDir: query.order_dir, offset: (page - 1) * limit, limit, asOfSlot };
  if (query.group === 'false') {
    const { data, ...asOf } = await deps.bundles.page({ ...range, orderBy });
    return {
      ...asOf,
      data: { ...data, items: data.items.map((it) => BundleItemBody.present(it)) },
    };
  }
  if (orderBy !== 'slot') throw new ApiError(400, 'order_by must be slot with group=true.');
  const { data, ...asOf } = await deps.bundles.groups(range);
  const items = data.groups.map((group) => BundleBody.present(group));
  return { ...asOf, data: { items, total: data.total } };
}
