import { Type } from 'typebox';
import {
  type BacktestOptions,
  type BacktestReport,
  type DelayedExecution,
  type DelayReport,
  ENTRY_DELAYS,
  type LookAheadFault,
  type LookAheadReport,
  type WalkForward,
  type WalkWeek,
} from '../../model/backtest.ts';
import { type BacktestJob, JOB_STATES } from '../../model/backtest-job.ts';
import { EXIT_RULES, type ExitRule } from '../../model/signal.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { ExecutionBody } from './present-signal-statistics.ts';
import {
  address,
  described,
  instant,
  integer,
  list,
  maybeInstant,
  nullable,
  number,
  rounded,
  text,
  uuid,
  word,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const share = rounded(4);

const Options = wireRecord<BacktestOptions>()({
  from: [instant, 'fromMs'],
  to: [instant, 'toMs', 'Exclusive.'],
  failed_share: [number, 'failedShare', 'Share of the entries that fail on the chain, 0 to 1.'],
  network_sol: [number, 'networkSol', 'Priority fee and rent of each transaction, in SOL.'],
  tip_sol: [number, 'tipSol', 'Tip of each transaction, in SOL.'],
  terminal_fee: [number, 'terminalFee', 'Share of the traded amount, charged by the terminal.'],
  control_share: [number, 'controlShare', 'Share of the minutes that are drawn for comparison.'],
});

const Execution = wireRecord<DelayedExecution>()({
  ...ExecutionBody.fields,
  charged_interval: [
    nullable(list(described(share, 'Percent.'))),
    'chargedInterval',
    'Interval of the lift, widened for the number of tries (Bonferroni); null if too few to say.',
  ],
});

type Capacity = DelayReport['capacityUsd'];
const capacityFields = Object.fromEntries(
  EXIT_RULES.map((rule) => [rule, [nullable(integer), (capacity: Capacity) => capacity[rule]]]),
) as Record<
  ExitRule,
  [
    ReturnType<typeof nullable<number, typeof integer.schema, unknown>>,
    (capacity: Capacity) => number | null,
  ]
>;

const CapacityBody = wireRecord<Capacity>()(capacityFields);

const Delay = wireRecord<DelayReport>()({
  entry_delay: [word(ENTRY_DELAYS), 'delay', 'Time between the hit and the trade.'],
  failed: [integer, 'failed', 'Entries that failed; they are valued at what they cost.'],
  open: [integer, 'open', 'Hits too late in the log for the exit after 24 hours.'],
  unpriced: [integer, 'unpriced', 'Hits in pools without known reserves.'],
  execution_statistics: [list(Execution), 'execution'],
  capacity_usd: [
    CapacityBody,
    'capacityUsd',
    'By exit rule, the largest ticket with a mean return above 0; null if there is none.',
  ],
});

const Fault = wireRecord<LookAheadFault>()({
  feature: [text, 'feature'],
  token_address: [address, ({ hit }) => hit.mint],
  pair_address: [address, ({ hit }) => hit.pool],
  minute: [instant, ({ hit }) => hit.minuteMs],
  slot: [integer, ({ hit }) => hit.slot, 'First slot after the minute, where the log was cut.'],
  backtest_value: [
    nullable(text),
    'recorded',
    'JSON of the value in the backtest; null is unknown.',
  ],
  cut_value: [nullable(text), 'cut', 'JSON of the value when the log ends with the minute.'],
});

const LookAhead = wireRecord<LookAheadReport>()({
  checked_hits: [integer, 'checked', 'Hits at which the log was cut and the features read again.'],
  faults: [list(Fault), 'faults', 'Features that depend on what came later. None is expected.'],
});

const Week = wireRecord<WalkWeek>()({
  from: [instant, 'fromMs'],
  to: [instant, 'toMs'],
  variant: [nullable(integer), 'chosen', 'The variant that was best before; null: too few hits.'],
  hits: [integer, 'hits'],
});

const Walk = wireRecord<WalkForward>()({
  weeks: [list(Week), 'weeks'],
  result: [Execution, 'result', 'Over all tested weeks, entered after 10 seconds.'],
});

const Report = wireRecord<BacktestReport>()({
  rules: [list(text), 'rules', 'name@version+hash of the rule and of each variant.'],
  options: [Options, 'options'],
  first_slot: [nullable(integer), 'firstSlot'],
  last_slot: [nullable(integer), 'lastSlot'],
  judged_minutes: [integer, 'minutes', 'Minutes of pools, under no veto.'],
  hits: [integer, 'hits'],
  hit_tokens: [integer, 'hitMints'],
  compared_minutes: [integer, 'controls', 'Minutes that were drawn for comparison.'],
  delays: [list(Delay), 'delays'],
  tries: [
    integer,
    ({ tries }) => tries.count,
    'Contents that the account has backtested under this name, which the intervals are charged for.',
  ],
  deflated_sharpe: [
    nullable(share),
    ({ tries }) => tries.deflatedSharpe,
    'Probability that the true Sharpe ratio is above the luck of so many tries; null if too few to say.',
  ],
  walk_forward: [
    nullable(Walk),
    'walkForward',
    'Null without variants, or for less than three weeks.',
  ],
  look_ahead: [nullable(LookAhead), 'lookAhead', 'Null if it was not asked for.'],
});

const QUEUED_EXAMPLE = {
  id: EXAMPLE.uuid,
  name: 'quiet-accumulation',
  state: 'queued',
  progress: '0.0000',
  created_at: EXAMPLE.instant,
  ended_at: null,
  reason: null,
  report: null,
} as const;

export const BacktestBody = wireRecord<BacktestJob>()(
  {
    id: [uuid, 'id'],
    name: [text, 'name', 'Name of the rule.'],
    state: [word(JOB_STATES), 'state'],
    progress: [share, 'progress', 'From 0 to 1.'],
    created_at: [instant, 'createdAtMs'],
    ended_at: [maybeInstant, 'endedAtMs', 'Null until it has ended.'],
    reason: [nullable(text), 'reason', 'Why it failed; null otherwise.'],
    report: [nullable(Report), 'report', 'Null until it is done.'],
  },
  {
    title: 'Backtest',
    description: 'The backtest.',
    examples: [QUEUED_EXAMPLE],
  },
);

export const BacktestListBody = Type.Object(
  { backtests: Type.Array(BacktestBody.schema) },
  {
    description: 'The backtests of the account, newest first, without their reports.',
    examples: [{ backtests: [QUEUED_EXAMPLE] }],
  },
);
