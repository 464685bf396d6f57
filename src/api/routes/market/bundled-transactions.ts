/**
 * GET /v1/market/bundled-transactions: bundle members that traded a token (specification 2.3 and
 * 4.3).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import type { ApiDeps, BundleItem, BundleOrder, BundleQuery } from '../../deps.ts';
import { setFreshness } from '../../present/freshness.ts';
import { PAGE_FIELDS, presentPage } from '../../present/page.ts';
import { address, sol, text } from '../../present/wire-kinds.ts';
import { wireRecord } from '../../present/wire-record.ts';
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
  as_of_slot: AsOfSlotParameter,
});

const Item = wireRecord<BundleItem>()({
  transaction_id: [text, 'signature', 'Transaction signature.'],
  signing_address: [address, 'owner'],
  solana_amount: [
    sol,
    'lamports',
    'SOL the signer moved in the swap, excluding tips, fees and rent.',
  ],
});

const Body = Type.Object(
  {
    items: Type.Array(Item.schema),
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
    'are added.',
  tags: ['market'],
  querystring: Query,
  response: {
    200: Body,
    ...errors({ 400: 'per_page must be a whole number from 1 to 100.', 404: NONE }),
  },
};

export const bundledTransactionsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/market/bundled-transactions', { schema }, async (request, reply) => {
      const query = toBundleQuery(request.query);
      const token = await deps.tokens.find(query.mint);
      const newest = deps.chain.freshness({ isStored: true }).slot;
      const isOfNow = newest === null || (query.asOfSlot ?? newest) >= newest;
      setFreshness(reply, deps, {
        fromSlot: token?.creationSlot ?? null,
        toSlot: isOfNow ? null : query.asOfSlot,
        isStored: true,
      });
      const { items, total } = await deps.bundles.page(query);
      if (total === 0) throw new ApiError(404, NONE);
      return {
        items: items.map((item) => Item.present(item)),
        ...presentPage(request.query, total),
      };
    });
  };

function toBundleQuery(query: Static<typeof Query>): BundleQuery {
  return {
    mint: query.token_address,
    orderBy: query.order_by,
    orderDir: query.order_dir,
    offset: (query.page - 1) * query.per_page,
    limit: query.per_page,
    asOfSlot: query.as_of_slot ?? null,
  };
}
