/**
 * GET /v1/socials/sentiment-over-time, reach-over-time and posts-over-time: social figures of a
 * token by minute (specification 4.11, 4.12 and 4.14, CONTRACT §2.8).
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
import {
  CountSeriesBody,
  ReachSeriesBody,
  SentimentSeriesBody,
} from '../../present/social-body.ts';
import { assertTracked, UNTRACKED } from '../../requests/untracked.ts';
import { errors } from '../../schemas/error-responses.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import {
  AddressParameter,
  ChoiceParameter,
  Defaulted,
  EchoedInstantParameter,
} from '../../schemas/parameters.ts';

/** One week of minutes. */
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
    from_date: EchoedInstantParameter({
      description: 'Start of the range; the first minute contains this time.',
      example: EXAMPLE.hourBefore,
    }),
    to_date: Type.Optional(
      EchoedInstantParameter({
        description: 'End of the range, exclusive. Defaults to now.',
        example: EXAMPLE.instant,
      }),
    ),
    view: Defaulted(
      ChoiceParameter(VIEWS, {
        description:
          'raw counts all posts equally; filtered weights posts by the quality of their author ' +
          'and discounts repeated copies of a text.',
        default: view,
      }),
    ),
    explain: Defaulted(
      ChoiceParameter(['true', 'false'], {
        description: 'Whether to add sources and model_version to the data points.',
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
      ...errors({
        400: 'from_date is required.',
        404: UNTRACKED,
        422: 'from_date must be before to_date.',
      }),
    },
  };
}

const sentimentSchema = schemaOf(
  {
    operationId: 'getSentimentOverTime',
    summary: 'Retrieve sentiment over time',
    description:
      'Returns the sentiment of the posts about a token, from −1 to 1, for every minute of the ' +
      'range: the mean weighted by author, or with view=raw the mean over all posts. 0 ' +
      'without posts. Posts that arrive more than ten minutes late are counted only in the ' +
      'summary.',
  },
  'filtered',
  SentimentSeriesBody,
);

const reachSchema = schemaOf(
  {
    operationId: 'getReachOverTime',
    summary: 'Retrieve reach over time',
    description:
      'Returns the combined followers of the accounts that posted about a token in each minute ' +
      'of the range, each account counted once per minute. With view=filtered, followers are ' +
      'multiplied by the quality of the account, from 0.05 to 1.',
  },
  'raw',
  ReachSeriesBody,
);

const postsSchema = schemaOf(
  {
    operationId: 'getPostsOverTime',
    summary: 'Retrieve the number of posts over time',
    description:
      'Returns the number of posts about a token in each minute of the range. With ' +
      'view=filtered, only posts without a similar post in the preceding 24 hours are ' +
      'counted.',
  },
  'raw',
  CountSeriesBody,
);

/** Figure of each series, by view. */
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
