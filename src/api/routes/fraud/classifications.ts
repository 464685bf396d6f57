/** GET /v1/fraud/classifications: fraud findings of all tokens (CONTRACT §4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import {
  CONFIDENCE_LEVELS,
  FINDING_ORDERS,
  type FindingQuery,
  PUBLISHED_LEVELS,
} from '../../../model/finding-page.ts';
import { FRAUD_TYPES } from '../../../model/fraud.ts';
import { CLASSIFICATION_STATUSES } from '../../../model/fraud-review.ts';
import type { AskedAuthors } from '../../../model/rule-hit-page.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { findingCursor } from '../../parameters/list-cursors.ts';
import type { CursorFilters } from '../../parameters/page-cursor.ts';
import { FindingListBody } from '../../present/finding-list-body.ts';
import { setFreshness } from '../../present/freshness.ts';
import { askedAuthors, ResultAuthorsParameter } from '../../schemas/author-parameter.ts';
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
const CURSORS = findingCursor('classifications');

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
  author: Type.Optional(ResultAuthorsParameter('are listed in rule_hits')),
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
    'may appear on both or on neither; detection_slot never changes. With author, hits of rules of ' +
    'kind fraud are in rule_hits: a page has at most limit classifications and hits together, in ' +
    'one order, in which the slot of a hit is its detection_slot, its value at risk is unknown, and ' +
    'of equals hits are last. Hits have no type and no review: a filter of types, or of statuses ' +
    'without active, leaves them out.',
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
      const authors = askedAuthors(request.query.author, keyOf(request).accountId);
      const filters = filtersOf(query, authors);
      const asked = { ...query, after: CURSORS.read(cursor, filters) };
      const read =
        authors === null
          ? await deps.fraud.list(asked)
          : await deps.fraud.listWithHits(asked, authors);
      setFreshness(reply, deps, { isStored: true }, read);
      return FindingListBody.present(read.data, (next) => CURSORS.write(next, filters));
    });
  };

function toFindingQuery(query: Static<typeof Query>): Omit<FindingQuery, 'after'> {
  return {
    fraudTypes: query.type ?? null,
    levels: query.level ?? PUBLISHED_LEVELS,
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
function filtersOf(
  { limit: _, ...query }: Omit<FindingQuery, 'after'>,
  authors: AskedAuthors | null,
): CursorFilters {
  const { fraudTypes, levels, statuses, ...rest } = query;
  return {
    ...rest,
    types: fraudTypes?.toSorted().join() ?? null,
    levels: levels.toSorted().join(),
    statuses: statuses.toSorted().join(),
    // Cursors of earlier versions, which had no authors, remain valid.
    ...(authors === null ? {} : { authors: [authors.isBuiltIn, ...authors.ofRules].join() }),
  };
}
