import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { createSimulation } from '../../simulator/simulation.ts';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import { TAPE_FEATURES, testedRule } from '../../src/backtest/recording/compiled-tested-rule.ts';
import { type JudgedTape, judgeTape } from '../../src/backtest/recording/judge-tape.ts';
import { TapeRecorder } from '../../src/backtest/recording/tape-recorder.ts';
import { reportOf } from '../../src/backtest/report-of.ts';
import {
  JUDGED_DELAY,
  JUDGED_RULE,
  JUDGED_TICKET,
} from '../../src/backtest/worth/worth-of-hits.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import {
  BACKTEST_DEFAULTS,
  type BacktestOptions,
  type BacktestReport,
  type DelayedExecution,
} from '../../src/model/backtest.ts';
import type { RuleChange } from '../../src/model/rule-change.ts';
import type { Slot } from '../../src/model/units.ts';
import { type CompiledRule, compileRuleText } from '../../src/rules/compile-rule.ts';
import { problemText } from '../../src/rules/problem.ts';
import { canonicalRule } from '../../src/rules/rule-id.ts';

export const LIBRARY_FOLDER = 'docs/rules/library';
/** Never looked at while thresholds were chosen; that was done on `train 0`. */
export const HELD_BACK_SEEDS = ['library 1', 'library 2', 'library 3'] as const;
const DAY_MS = 86_400_000;
/** After the last judged minute, so that exits of at most an hour are known. */
const AFTER_MS = 2 * 3_600_000;
/** Simulated weeks have few tokens. */
const CONTROL_SHARE = 0.5;

/** The worth of one rule of the library, over all seeds. */
export interface LibraryWorth {
  readonly rule: CompiledRule;
  /** Hits that the fold gave, of pools under vetoes too. */
  readonly foldHits: number;
  readonly report: BacktestReport;
  /** By the judged exit rule, ticket and delay. */
  readonly execution: DelayedExecution;
}

export interface LibraryRun {
  readonly days: number;
  readonly transactions: number;
  readonly minutes: number;
  readonly controls: number;
  readonly tokens: number;
  readonly rules: readonly LibraryWorth[];
  /** Processor time of all. */
  readonly seconds: number;
}

/** The rules of the library by name. Throws if one of them is none. */
export function libraryRules(root = '.'): CompiledRule[] {
  return globSync(`${LIBRARY_FOLDER}/*.yaml`, { cwd: root })
    .sort()
    .map((file) => {
      const { value, problems } = compileRuleText(readFileSync(join(root, file), 'utf8'));
      if (value === null) throw new Error(`${file}: ${problems.map(problemText).join(' ')}`);
      return value;
    });
}

interface Market {
  readonly judged: JudgedTape;
  readonly firstSlot: Slot | null;
  readonly lastSlot: Slot | null;
  readonly transactions: number;
  readonly tokens: number;
  /** By rule. */
  readonly foldHits: readonly number[];
}

/** Backtests every rule on markets of so many days each, one after the other in time. */
export function runLibrary(
  rules: readonly CompiledRule[],
  seeds: readonly string[],
  days: number,
): LibraryRun {
  const before = process.cpuUsage();
  const { startMs } = PRESETS.waves;
  // Days of different markets are different days: the interval draws days.
  const stepMs = (Math.ceil(days) + 1) * DAY_MS;
  const optionsOf = (fromMs: number, toMs: number): BacktestOptions => ({
    ...BACKTEST_DEFAULTS,
    ...{ fromMs, toMs, controlShare: CONTROL_SHARE },
  });
  const markets = seeds.map((seed, at) => {
    const fromMs = startMs + at * stepMs;
    return runMarket(rules, seed, optionsOf(fromMs, fromMs + days * DAY_MS));
  });
  const options = optionsOf(startMs, startMs + seeds.length * stepMs);
  const sum = (figure: (market: Market) => number) =>
    markets.reduce((total, market) => total + figure(market), 0);
  const worth = rules.map((rule, at) => worthOf(rule, at, markets, options, rules.length));
  const { user, system } = process.cpuUsage(before);
  return {
    days,
    transactions: sum(({ transactions }) => transactions),
    minutes: sum(({ judged }) => judged.minutes),
    controls: sum(({ judged }) => judged.controls.length),
    tokens: sum(({ tokens }) => tokens),
    rules: worth,
    seconds: (user + system) / 1e6,
  };
}

/** Charged for all rules of the library, which were written for the same market. */
function worthOf(
  rule: CompiledRule,
  at: number,
  markets: readonly Market[],
  options: BacktestOptions,
  tries: number,
): LibraryWorth {
  const judged: JudgedTape = {
    hits: [markets.flatMap((market) => market.judged.hits[at] ?? [])],
    controls: markets.flatMap((market) => market.judged.controls),
    minutes: markets.reduce((sum, market) => sum + market.judged.minutes, 0),
  };
  const tape = {
    firstSlot: markets[0]?.firstSlot ?? null,
    lastSlot: markets.at(-1)?.lastSlot ?? null,
  };
  const report = reportOf({ rules: [rule.id], options, tape, judged, tries, lookAhead: null });
  const execution = report.delays
    .find(({ delay }) => delay === JUDGED_DELAY)
    ?.execution.find((one) => one.rule === JUDGED_RULE && one.ticketUsd === JUDGED_TICKET);
  if (execution === undefined) throw new Error('the judged exit is missing');
  const foldHits = markets.reduce((sum, market) => sum + (market.foldHits[at] ?? 0), 0);
  return { rule, foldHits, report, execution };
}

/** The fold of one market with the rules published before its first slot, and its recording. */
function runMarket(rules: readonly CompiledRule[], seed: string, options: BacktestOptions): Market {
  const simulation = createSimulation({ ...PRESETS.waves, seed, startMs: options.fromMs });
  const recorder = new TapeRecorder(TAPE_FEATURES, options.fromMs);
  const engine = new Engine({ fallbackSolUsd: null, models: [recorder.model] });
  const foldHits = new Map<string, number>();
  let ruleChanges: readonly RuleChange[] | undefined = rules.map(({ file }) => ({
    ...{ author: 'library', name: file.name, content: canonicalRule(file) },
  }));
  let transactions = 0;
  for (let slots = 0; simulation.world.nowMs < options.toMs + AFTER_MS; slots++) {
    if (slots % 1_000 === 0) simulation.takePosts();
    const step = simulation.step();
    if (step === null || !step.isCanonical) continue;
    const facts = decodeBlock(toChainBlock(step.block));
    transactions += facts.transactions.length;
    const { solUsd } = engine;
    const changes = engine.apply(ruleChanges === undefined ? facts : { ...facts, ruleChanges });
    ruleChanges = undefined;
    recorder.endSlot(changes, solUsd, engine.solUsd);
    for (const { name } of changes.ruleHits) foldHits.set(name, (foldHits.get(name) ?? 0) + 1);
  }
  const tape = recorder.finish();
  return {
    judged: judgeTape(tape, rules.map(testedRule), options),
    ...{ firstSlot: tape.firstSlot, lastSlot: tape.lastSlot, transactions },
    tokens: new Set(tape.rows.map(({ at }) => at.mint)).size,
    foldHits: rules.map(({ file }) => foldHits.get(file.name) ?? 0),
  };
}
