/** GET /v1/signals: signals of the models and their outcomes (specification 2.5 and 4.8). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { SignalListing, SignalsWithRules } from '../../../model/signal-listing.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { setFreshness } from '../../present/freshness.ts';
import { presentSignal } from '../../present/present-signal.ts';
import { presentRuleSignal, SignalsBody } from '../../present/signals-body.ts';
import { REVERSED_RANGE, resolveSignalRange, SIGNAL_RANGE } from '../../requests/signal-range.ts';
import { askedAuthors, ResultAuthorsParameter } from '../../schemas/author-parameter.ts';
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
    'more than limit signals, pass the last row_id as before_row_id. With author, signals of rules ' +
    'are in rule_signals: both lists together have at most limit signals, and the last row_id is ' +
    'the lowest of both. With model_name, no signals of rules are listed.',
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
    author: Type.Optional(ResultAuthorsParameter('are listed in rule_signals')),
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
      const authors = askedAuthors(request.query.author, keyOf(request).accountId);
      const page = { ...query, limit, beforeRowId };
      const read =
        authors === null
          ? await deps.signals.list(page)
          : await deps.signals.listWithRules(page, authors);
      setFreshness(reply, deps, { fromMs, toMs, isStored: true }, read);
      const { offchain } = deps;
      if (isBuiltInAlone(read.data)) {
        const signals = await presentInTurns(read.data, (one) => presentSignal(one, offchain));
        return { ...echo, count: signals.length, signals };
      }
      const { data } = read;
      const signals = await presentInTurns(data.signals, (one) => presentSignal(one, offchain));
      const ruleSignals = await presentInTurns(data.ruleSignals, (one) =>
        presentRuleSignal(one, offchain),
      );
      const count = signals.length + ruleSignals.length;
      return { ...echo, count, signals, rule_signals: ruleSignals };
    });
  };

function isBuiltInAlone(
  data: readonly SignalListing[] | SignalsWithRules,
): data is readonly SignalListing[] {
  return Array.isArray(data);
}

async function presentInTurns<Listing, Shown>(
  listings: readonly Listing[],
  present: (listing: Listing) => Shown,
): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const listing of listings) {
    shown.push(present(listing));
    if (shown.length % SHOWN_AT_ONCE === 0) await nextTurn();
  }
  return shown;
}
