/** GET /v1/fraud/classifications: fraud findings of all tokens (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { UUID } from '../../../lib/uuid.ts';
import { ApiError } from '../../../model/errors.ts';
import {
  CONFIDENCE_LEVELS,
  FINDING_ORDERS,
  type FindingPosition,
  type FindingQuery,
} from '../../../model/finding-page.ts';
import { FRAUD_TYPES } from '../../../model/fraud.ts';
import { CLASSIFICATION_STATUSES } from '../../../model/fraud-review.ts';
import type { ApiDeps } from '../../deps.ts';
import { amountPart, type CursorFilters, pageCursor } from '../../parameters/page-cursor.ts';
import { FindingListBody } from '../../present/finding-list-body.ts';
import { setFreshness } from '../../present/freshness.ts';
import { errors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import {
  AddressParameter,
  ChoiceParameter,
  CursorParameter,
  Defaulted,
  InstantParameter,
  ListParameter,
  PageLimitParameter,
} from '../../schemas/parameters.ts';

const REVERSED_RANGE = 'from must be before to.';
const UNKNOWN_KEY = 'none';
/** The store compares keys as 128-bit integers with sign. */
const KEY_MAX = 2n ** 127n - 1n;

const CURSORS = pageCursor<FindingPosition>({
  endpoint: 'classifications',
  version: 1,
  toParts: ({ key, id }) => [key ?? UNKNOWN_KEY, id],
  toPosition([keyPart, id]) {
    if (id === undefined || !UUID.test(id)) return null;
    if (keyPart === UNKNOWN_KEY) return { key: null, id };
    const key = amountPart(keyPart);
    return key === null || key > KEY_MAX ? null : { key, id };
  },
});

const Query = Type.Object({
  type: Type.Optional(
    ListParameter(FRAUD_TYPES, { description: 'Fraud patterns. Defaults to all.' }),
  ),
  level: Type.Optional(
    ListParameter(CONFIDENCE_LEVELS, {
      description: 'Levels of confidence. Defaults to those that are reported: all but low.',
    }),
  ),
  status: Type.Optional(
    ListParameter(CLASSIFICATION_STATUSES, {
      description: 'Statuses. Defaults to those that are reported: active, reviewed, confirmed.',
    }),
  ),
  from: Type.Optional(InstantParameter({ description: 'First found at or after this time.' })),
  to: Type.Optional(InstantParameter({ description: 'First found before this time.' })),
  token_address: Type.Optional(
    AddressParameter({
      description: 'Only classifications of this mint.',
      example: EXAMPLE.mint,
      invalidStatus: 422,
    }),
  ),
  wallet_address: Type.Optional(
    AddressParameter({
      description: 'Only classifications that involve this wallet.',
      example: EXAMPLE.wallet,
      invalidStatus: 422,
    }),
  ),
  order_by: Defaulted(
    ChoiceParameter(FINDING_ORDERS, {
      description: 'detection: by detection_slot; confidence; value_at_risk.',
      default: 'detection',
      invalidStatus: 422,
    }),
  ),
  order_dir: Defaulted(
    ChoiceParameter(['asc', 'desc'], {
      description: 'Sort direction.',
      default: 'desc',
      invalidStatus: 422,
    }),
  ),
  limit: PageLimitParameter,
  cursor: CursorParameter,
});

const schema = {
  operationId: 'listClassifications',
  summary: 'List classifications',
  description:
    'Returns the fraud classifications of all tokens, in their newest state, with the reviews as ' +
    'of now. Unknown values are last in both directions, and ties are ordered by ID. A cursor is a ' +
    'position in the order: a classification whose confidence or value changes between two pages ' +
    'may appear on both or on neither; detection_slot never changes.',
  tags: ['fraud'],
  querystring: Query,
  response: {
    200: FindingListBody.schema,
    ...errors({ 400: 'cursor must be one returned by an earlier page.', 422: REVERSED_RANGE }),
  },
};

export const classificationsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/fraud/classifications', { schema }, async (request, reply) => {
      const { from, to, cursor } = request.query;
      if (from !== undefined && to !== undefined && from >= to) {
        throw new ApiError(422, REVERSED_RANGE);
      }
      const query = toFindingQuery(request.query);
      const filters = filtersOf(query);
      const read = await deps.fraud.list({ ...query, after: CURSORS.read(cursor, filters) });
      setFreshness(reply, deps, { isStored: true }, read);
      return FindingListBody.present(read.data, (next) => CURSORS.write(next, filters));
    });
  };

function toFindingQuery(query: Static<typeof Query>): Omit<FindingQuery, 'after'> {
  return {
    fraudTypes: query.type ?? null,
    levels: query.level ?? ['critical', 'high', 'medium'],
    statuses: query.status ?? ['active', 'reviewed', 'confirmed'],
    fromMs: query.from ?? null,
    toMs: query.to ?? null,
    mint: query.token_address ?? null,
    wallet: query.wallet_address ?? null,
    orderBy: query.order_by,
    orderDir: query.order_dir,
    limit: query.limit,
  };
}

/** What a cursor is valid for: everything but the number of items. */
function filtersOf({ limit: _, ...query }: Omit<FindingQuery, 'after'>): CursorFilters {
  const { fraudTypes, levels, statuses, ...rest } = query;
  return {
    ...rest,
    types: fraudTypes?.toSorted().join() ?? null,
    levels: levels.toSorted().join(),
    statuses: statuses.toSorted().join(),
  };
}
