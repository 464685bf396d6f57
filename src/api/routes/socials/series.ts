/**
 * GET /v1/socials/sentiment-over-time, reach-over-time and posts-over-time: what is posted about a
 * token, minute by minute (specification 4.11, 4.12 and 4.14, CONTRACT §2.8).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import type { MinuteFigure } from '../../../model/social-reads.ts';
import { MINUTE_MS } from '../../../model/social-series.ts';
import type { ApiDeps } from '../../deps.ts';
import { formatInstant } from '../../present/format-wire.ts';
import { setFreshness } from '../../present/freshness.ts';
import { type MinuteRange, presentMood, presentSeries } from '../../present/present-social.ts';
import { assertTracked, UNTRACKED } from '../../requests/untracked.ts';
import {
  badRequest,
  busy,
  COMMON_ERRORS,
  notFound,
  unprocessable,
} from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import {
  AddressParameter,
  ChoiceParameter,
  Defaulted,
  EchoedInstantParameter,
} from '../../schemas/parameters.ts';
import {
  CountSeriesBody,
  ReachSeriesBody,
  SentimentSeriesBody,
} from '../../schemas/social-body.ts';

/** A week. */
const POINTS_MAX = 10_080;
const VIEWS = ['raw', 'filtered'] as const;
type View = (typeof VIEWS)[number];

function queryOf(view: View) {
  return Type.Object({
    token_address: AddressParameter({
      description: 'Mint address.',
      example: EXAMPLE.mint,
      invalidStatus: 422,
    }),
    from_date: EchoedInstantParameter({ description: 'The first minute is the one this lies in.' }),
    to_date: Type.Optional(
      EchoedInstantParameter({ description: 'Minutes that begin before this; default now.' }),
    ),
    view: Defaulted(
      ChoiceParameter(VIEWS, {
        description:
          'raw counts every post alike; filtered by the quality of its author, and copies of one ' +
          'text less and less.',
        default: view,
      }),
    ),
    explain: Defaulted(
      ChoiceParameter(['true', 'false'], {
        description: 'Whether points say which platforms and which model made them.',
        default: 'false',
      }),
    ),
  });
}

type Query = Static<ReturnType<typeof queryOf>>;

function schemaOf<Body extends TObject<TProperties>>(
  named: { readonly operationId: string; readonly summary: string; readonly description: string },
  view: View,
  body: Body,
) {
  return {
    ...named,
    tags: ['socials'],
    querystring: queryOf(view),
    response: {
      200: body,
      ...COMMON_ERRORS,
      ...badRequest('from_date is required.'),
      ...notFound(UNTRACKED),
      ...unprocessable('from_date must be before to_date.'),
      ...busy(),
    },
  };
}

const sentimentSchema = schemaOf(
  {
    operationId: 'getSentimentOverTime',
    summary: 'Sentiment over time',
    description:
      'The mood of what is posted about a token, from −1 to 1, of every minute of the range: the ' +
      'mean by the weight of authors, or with view=raw the mean of all posts. 0 without posts. A ' +
      'post that came more than ten minutes late counts in the summary only.',
  },
  'filtered',
  SentimentSeriesBody,
);

const reachSchema = schemaOf(
  {
    operationId: 'getReachOverTime',
    summary: 'Reach over time',
    description:
      'Followers of the accounts that posted about a token, of every minute of the range, each ' +
      'account once in a minute. With view=filtered each times its quality, from 0.05 to 1.',
  },
  'raw',
  ReachSeriesBody,
);

const postsSchema = schemaOf(
  {
    operationId: 'getPostsOverTime',
    summary: 'Posts over time',
    description:
      'Posts about a token, of every minute of the range. With view=filtered only those that were ' +
      'the first of their like in 24 hours.',
  },
  'raw',
  CountSeriesBody,
);

/** The figure of a series in each view. */
const SENTIMENT = { raw: 'sentiment', filtered: 'weightedSentiment' } as const;
const REACH = { raw: 'reach', filtered: 'qualityReach' } as const;
const COUNT = { raw: 'posts', filtered: 'distinctPosts' } as const;

export const socialSeriesRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/socials/sentiment-over-time', { schema: sentimentSchema }, (request, reply) =>
      answer<'sentiment'>(deps, reply, request.query, SENTIMENT, (timestamp, value) => ({
        timestamp,
        sentiment: presentMood(value),
      })),
    );
    app.get('/v1/socials/reach-over-time', { schema: reachSchema }, (request, reply) =>
      answer<'reach'>(deps, reply, request.query, REACH, (timestamp, reach) => ({
        timestamp,
        reach,
      })),
    );
    app.get('/v1/socials/posts-over-time', { schema: postsSchema }, (request, reply) =>
      answer<'count'>(deps, reply, request.query, COUNT, (timestamp, count) => ({
        timestamp,
        count,
      })),
    );
  };

function answer<Name extends string>(
  deps: ApiDeps,
  reply: FastifyReply,
  query: Query,
  figures: Readonly<Record<View, MinuteFigure>>,
  pointOf: Parameters<typeof presentSeries<Name>>[3],
) {
  const { token_address: mint, from_date: from, to_date: to } = query;
  const nowMs = deps.nowMs();
  const range = resolveRange(from.timeMs, to?.timeMs ?? nowMs);
  setFreshness(reply, deps, { fromSlot: deps.chain.freshness().slot });
  assertTracked(deps.social.tracked(mint));
  const isExplained = query.explain === 'true';
  const figure = figures[query.view];
  const minutes = deps.social.values({ mint, ...range, figure, isExplained });
  return {
    token_address: mint,
    from_date: from.text,
    to_date: to?.text ?? formatInstant(nowMs),
    interval: '1m' as const,
    data_points: presentSeries(range, minutes, isExplained, pointOf),
  };
}

function resolveRange(fromMs: number, toMs: number): MinuteRange {
  if (fromMs >= toMs) throw new ApiError(422, 'from_date must be before to_date.');
  const range = {
    fromMs: Math.floor(fromMs / MINUTE_MS) * MINUTE_MS,
    toMs: Math.ceil(toMs / MINUTE_MS) * MINUTE_MS,
  };
  if ((range.toMs - range.fromMs) / MINUTE_MS > POINTS_MAX) {
    throw new ApiError(422, `A range is at most ${POINTS_MAX} minutes.`);
  }
  return range;
}
