import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { createSimulation } from '../../simulator/simulation.ts';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import { lookAheadReport } from '../../src/backtest/proof/look-ahead.ts';
import { ProvenRecording } from '../../src/backtest/proof/proven-recording.ts';
import { TAPE_FEATURES } from '../../src/backtest/recording/compiled-tested-rule.ts';
import { judgeTape } from '../../src/backtest/recording/judge-tape.ts';
import type { MinuteTape } from '../../src/backtest/recording/minute-tape.ts';
import { TapeRecorder } from '../../src/backtest/recording/tape-recorder.ts';
import type { TestedRule } from '../../src/backtest/recording/tested-rule.ts';
import { reportOf } from '../../src/backtest/report-of.ts';
import { type HitWithPath, tradeHit } from '../../src/backtest/worth/traded-hits.ts';
import {
  executionOfTrades,
  JUDGED_DELAY,
  JUDGED_RULE,
  JUDGED_TICKET,
} from '../../src/backtest/worth/worth-of-hits.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import { HashDraws } from '../../src/lib/hash-draws.ts';
import { BACKTEST_DEFAULTS, type DelayedExecution } from '../../src/model/backtest.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { ruleOf, syntheticTape, tapeOptions } from '../support/synthetic-tape.ts';

export const SEEDS = Array.from({ length: 10 }, (_, at) => `quality ${at}`);
const DAYS = 28;
const DAY_MS = 86_400_000;
export const RULES_PER_SEED = 10;
/** Tries that planted edges are charged for. */
export const PLANTED_TRIES = 100;

export interface SeedHonesty {
  readonly seed: string;
  /** Of the random rules, those whose interval leaves zero out. */
  readonly misses: number;
  /** Lift of the planted edge and its charged interval; null if too few to say. */
  readonly planted: DelayedExecution;
}

/** Random rules and a planted edge on a synthetic market. */
export function seedHonesty(seed: string): SeedHonesty {
  const market = { days: DAYS, tokens: 12, everyMinutes: 20 };
  const fair = syntheticTape({ ...market, seed, omenShare: 0 });
  const random = Array.from({ length: RULES_PER_SEED }, (_, at) =>
    judged(fair, randomRule(`${seed} ${at}`), 1),
  );
  const edge = syntheticTape({ ...market, seed: `${seed} edge`, omenShare: 0.02 });
  const omen = ruleOf('omen', ['omen.seen'], (values) => values['omen.seen'] === true);
  const misses = random.filter(
    ({ lift }) => lift?.interval != null && (lift.interval[0] > 0 || lift.interval[1] < 0),
  ).length;
  return { seed, misses, planted: judged(edge, omen, PLANTED_TRIES) };
}

function randomRule(salt: string): TestedRule {
  return ruleOf(
    'random',
    [],
    (_, pool, minuteMs) => new HashDraws(`${salt} ${pool} ${minuteMs}`).unit() < 0.02,
  );
}

function judged(tape: MinuteTape, rule: TestedRule, tries: number): DelayedExecution {
  const options = tapeOptions(DAYS);
  const { hits, controls } = judgeTape(tape, [rule], options);
  const trade = (hit: HitWithPath) => tradeHit(hit, JUDGED_DELAY, options);
  const found = executionOfTrades((hits[0] ?? []).map(trade), controls.map(trade), tries).find(
    ({ rule: exit, ticketUsd }) => exit === JUDGED_RULE && ticketUsd === JUDGED_TICKET,
  );
  if (found === undefined) throw new Error('the judged exit is missing');
  return found;
}

/** Processor seconds of the steps of a backtest. */
export interface BacktestCost {
  readonly days: number;
  readonly slots: number;
  readonly transactions: number;
  readonly minutes: number;
  /** Recording without reading the cut log. */
  readonly plainS: number;
  readonly recordS: number;
  readonly judgeS: number;
  readonly checked: number;
  readonly faults: number;
}

/** A backtest of every judged minute of a simulated market, step by step. */
export function backtestCost(days: number): BacktestCost {
  const { log, startMs } = simulatedLog(days);
  const options = {
    ...BACKTEST_DEFAULTS,
    ...{ fromMs: startMs, toMs: startMs + days * DAY_MS },
  };
  const names = TAPE_FEATURES.map(({ name }) => name);
  const rule = ruleOf('every minute', names, () => true);
  // Compiles what is measured.
  record(log.slice(0, log.length >> 2));
  const [, plainS] = timed(() => recordPlainly(log));
  const [tape, recordS] = timed(() => record(log));
  const [hits, judgeS] = timed(() => {
    const found = judgeTape(tape, [rule], options);
    reportOf({ rules: [rule.id], options, tape, judged: found, tries: 1, lookAhead: null });
    return found.hits[0] ?? [];
  });
  const report = lookAheadReport(hits);
  const transactions = log.reduce((sum, facts) => sum + facts.transactions.length, 0);
  return {
    ...{ days, slots: log.length, transactions, minutes: tape.rows.length },
    ...{ plainS, recordS, judgeS },
    ...{ checked: report?.checked ?? 0, faults: report?.faults.length ?? 0 },
  };
}

function record(log: readonly SlotFacts[]): MinuteTape {
  const recording = new ProvenRecording(TAPE_FEATURES, 0);
  const engine = new Engine({ fallbackSolUsd: null, models: [recording.model] });
  for (const facts of log) recording.apply(engine, facts);
  return recording.finish();
}

function recordPlainly(log: readonly SlotFacts[]): MinuteTape {
  const recorder = new TapeRecorder(TAPE_FEATURES, 0);
  const engine = new Engine({ fallbackSolUsd: null, models: [recorder.model] });
  for (const facts of log) {
    const { solUsd } = engine;
    recorder.endSlot(engine.apply(facts), solUsd, engine.solUsd);
  }
  return recorder.finish();
}

function simulatedLog(days: number) {
  const config = { ...PRESETS.waves, seed: 'backtest' };
  const simulation = createSimulation(config);
  const log: SlotFacts[] = [];
  while (simulation.world.nowMs < config.startMs + days * DAY_MS) {
    const step = simulation.step();
    if (step?.isCanonical) log.push(decodeBlock(toChainBlock(step.block)));
    if (log.length % 1_000 === 0) simulation.takePosts();
  }
  return { log, startMs: config.startMs };
}

/** Processor time, which other work on the machine changes least. */
function timed<Result>(work: () => Result): readonly [result: Result, seconds: number] {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1e6];
}
