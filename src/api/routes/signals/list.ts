/** GET /v1/signals: signals of the models and their outcomes (specification 2.5 and 4.8). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { ApiDeps } from '../../deps.ts';
import { setFreshness } from '../../present/freshness.ts';
import { presentSignal, SignalsBody } from '../../present/present-signal.ts';
import { REVERSED_RANGE, resolveSignalRange, SIGNAL_RANGE } from '../../requests/signal-range.ts';
import { errors } from '../../schemas/error-responses.ts';
import { Defaulted, IntegerParameter } from '../../schemas/parameters.ts';

const LIMIT_MAX = 10_000;
/** Signals presented per event loop turn: each reads its picture from a database. */
const SHOWN_AT_ONCE = 250;

const schema = {
  operationId: 'listSignals',
  summary: 'List signals',
  description:
    'Returns the signals of a time range, newest first, each with its outcome as of now. To get ' +
    'more than limit signals, pass the last row_id as before_row_id.',
  tags: ['signals'],
  querystring: Type.Object({
    ...SIGNAL_RANGE,
    limit: Defaulted(
      IntegerParameter({
        description: 'Maximum number of signals.',
        minimum: 1,
        maximum: LIMIT_MAX,
        default: LIMIT_MAX,
      }),
    ),
    before_row_id: Type.Optional(
      IntegerParameter({
        description: 'Return only signals issued before this one.',
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
    ),
  }),
  response: {
    200: SignalsBody,
    ...errors({ 400: 'from_date is required.', 422: REVERSED_RANGE }),
  },
};

export const signalsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/signals', { schema }, async (request, reply) => {
      const { query, echo } = resolveSignalRange(request.query, deps);
      const { limit, before_row_id: beforeRowId = null } = request.query;
      const { fromMs, toMs } = query;
      const read = await deps.signals.list({ ...query, limit, beforeRowId });
      setFreshness(reply, deps, { fromMs, toMs, isStored: true }, read);
      const shown: ReturnType<typeof presentSignal>[] = [];
      for (const signal of read.data) {
        shown.push(presentSignal(signal, deps.offchain));
        if (shown.length % SHOWN_AT_ONCE === 0) await nextTurn();
      }
      return { ...echo, count: shown.length, signals: shown };
    });
  };
