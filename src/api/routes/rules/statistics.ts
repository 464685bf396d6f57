/** GET /v1/rules/{rule_id}/statistics: what the signals of a rule were worth. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import { OPERATOR, RULE_AUTHORS } from '../../../model/rule-change.ts';
import { parseRuleId } from '../../../model/rule-hit.ts';
import { ruleModelName } from '../../../model/signal.ts';
import type { ApiDeps } from '../../deps.ts';
import { keyOf } from '../../http/admission.ts';
import { setFreshness } from '../../present/freshness.ts';
import {
  presentStatistics,
  SignalStatisticsBody,
} from '../../present/present-signal-statistics.ts';
import { REVERSED_RANGE, resolveSignalRange, SIGNAL_RANGE } from '../../requests/signal-range.ts';
import { errors } from '../../schemas/error-responses.ts';
import { ChoiceParameter, Defaulted } from '../../schemas/parameters.ts';
import { NO_RULE_ID, RulePath } from '../../schemas/rule-path.ts';

const { from_date, to_date } = SIGNAL_RANGE;

const schema = {
  operationId: 'getRuleStatistics',
  summary: 'Retrieve statistics of a rule',
  description:
    'Returns what /v1/signals/statistics does, of the signals of one rule of kind signal, all its ' +
    'versions together: returns after all costs, compared with random minutes of similar tokens ' +
    'under the same vetoes, without an interval below 20 signals.',
  tags: ['rules'],
  params: RulePath,
  querystring: Type.Object({
    from_date,
    to_date,
    author: Defaulted(
      ChoiceParameter(RULE_AUTHORS, {
        description: 'Whose rule it is: of the account of the key, or of the operator.',
        default: 'account',
      }),
    ),
  }),
  response: { 200: SignalStatisticsBody, ...errors({ 400: NO_RULE_ID, 422: REVERSED_RANGE }) },
};

const OPTIONS = { schema, config: { access: 'own alerts' } } as const;

export const ruleStatisticsRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/rules/:rule_id/statistics', OPTIONS, async (request, reply) => {
      const { accountId } = keyOf(request);
      const id = parseRuleId(request.params.rule_id);
      if (id === null) throw new ApiError(400, NO_RULE_ID);
      const { author, ...range } = request.query;
      const { query, echo } = resolveSignalRange(range, deps);
      const model = ruleModelName(author === 'operator' ? OPERATOR : accountId, id.name);
      const read = await deps.signals.statistics({ ...query, model });
      setFreshness(reply, deps, { fromMs: query.fromMs, toMs: query.toMs, isStored: true }, read);
      const { statistics, execution } = read.data;
      // Its models are the rule alone, under a name with the id of the account.
      const shown = { ...statistics, models: [] };
      return { ...echo, ...presentStatistics(shown, execution) };
    });
  };
