/** Signals of the models, with what following them would have been worth. */
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { SIGNAL_MODELS } from '../../../model/signal.ts';
import { formatInstant } from '../../present/format-wire.ts';
import { SignalStatisticsBody } from '../../present/present-signal-statistics.ts';
import { SignalsBody } from '../../present/signals-body.ts';
import { ChoiceParameter, Defaulted, IntegerParameter } from '../../schemas/parameters.ts';
import { pathOf } from '../answer/answer-reader.ts';
import { untrusted } from '../answer/untrusted-text.ts';
import { DETAIL } from '../answer/write-answer.ts';
import { OF_RULES, ruleSignalFacts } from './rule-results.ts';
import { defineTool } from './tool.ts';

type Execution = Static<typeof SignalStatisticsBody>['execution_statistics'][number];

const HOUR_MS = 3_600_000;
const HOURS_MAX = 720;
/** Before every signal. */
const EARLIEST = '2020-01-01';
/** What most would do: a small purchase, held for an hour. */
const USUAL_RULE = 'hold_1h';

export const signals = defineTool({
  name: 'signals',
  title: 'Signals and their worth',
  description:
    'Signals that the models gave, and what following them was worth after fees and price impact, ' +
    'against random minutes of similar tokens. The highest price after a signal is not a profit: ' +
    'this tool does not show it. rule_signals are those of rules of the account and the operator, ' +
    'which the worth does not count.',
  arguments: {
    model_name: Type.Optional(
      ChoiceParameter(SIGNAL_MODELS, {
        description: 'Only signals of this model. All models by default.',
      }),
    ),
    hours: Defaulted(
      IntegerParameter({
        minimum: 1,
        maximum: HOURS_MAX,
        default: 24,
        description: 'Length of the span that ends with the newest data, in hours.',
      }),
    ),
  },
  async find({ model_name: model = null, hours }, reader, { detail, nowMs }) {
    const newest = { from_date: EARLIEST, model_name: model, limit: DETAIL[detail].entriesMax };
    const ofRules = { ...newest, ...OF_RULES };
    const [listed, listedOfRules] = await Promise.all([
      reader.read('/v1/signals', SignalsBody, newest),
      reader.read('/v1/signals', SignalsBody, ofRules),
    ]);
    const from = formatInstant(reader.dataTimeMs(nowMs) - hours * HOUR_MS);
    const span = { from_date: from, model_name: model };
    const statistics = await reader.read('/v1/signals/statistics', SignalStatisticsBody, span);
    const given = listed.signals.filter(({ created_at }) => created_at >= from);
    const givenByRules = (listedOfRules.rule_signals ?? []).filter(
      ({ created_at }) => created_at >= from,
    );
    const execution = statistics.execution_statistics;
    const usual = execution.find(({ exit_rule }) => exit_rule === USUAL_RULE);
    return {
      summary: `${statistics.total_signals} signals since ${from}${model === null ? '' : ` of ${model}`}. ${worthText(usual)}`,
      facts: { from, model_name: model, total_signals: statistics.total_signals },
      lists: {
        signals: given.map((one) => ({
          row_id: one.row_id,
          model_name: one.model_name,
          token_address: one.token_address,
          at: one.created_at,
          market_cap_usd: one.signal_market_cap,
          liquidity_usd: one.liquidity_usd,
          ...untrusted({ symbol: one.symbol }),
        })),
        rule_signals: givenByRules.map(ruleSignalFacts),
        worth_in_percent: statistics.total_signals === 0 ? [] : execution.map(worthOf),
      },
      links: {
        api: [
          pathOf('/v1/signals', span),
          pathOf('/v1/signals/statistics', span),
          pathOf('/v1/signals', { ...span, ...OF_RULES }),
        ],
        page: '/signals',
      },
    };
  },
});

function worthOf(one: Execution) {
  const compared = one.random_minutes;
  return {
    exit_rule: one.exit_rule,
    ticket_usd: one.ticket_usd,
    signal_count: one.signal_count,
    avg_return: one.signal_count === 0 ? null : one.avg_return,
    median_return: one.signal_count === 0 ? null : one.median_return,
    win_rate: one.win_rate,
    random_minutes_return: compared?.base_rate ?? null,
    lift: compared?.lift ?? null,
    lift_interval: compared?.lift_interval ?? null,
  };
}

/** One sentence about what holding for an hour was worth. */
function worthText(usual: Execution | undefined): string {
  if (usual === undefined || usual.signal_count === 0) {
    return 'None has an outcome to judge it by yet.';
  }
  const {
    ticket_usd: ticket,
    signal_count: count,
    avg_return: mean,
    median_return: median,
  } = usual;
  const outcome = `Bought for $${ticket} and held for an hour, ${count} of them returned ${mean} % on average (median ${median} %) after costs`;
  const compared = usual.random_minutes;
  if (compared === null) return `${outcome}; no random minutes to compare with.`;
  const interval = compared.lift_interval;
  const certainty =
    interval === null
      ? 'too few to say whether that is more than chance'
      : `interval ${JSON.stringify(interval)}`;
  return `${outcome}; random minutes returned ${compared.base_rate} % (lift ${compared.lift}, ${certainty}).`;
}
