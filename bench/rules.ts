/** The cost of rules: one evaluation, and 1,000 rules in the fold of a market of mainnet's size. */
import { toChainBlock } from '../simulator/faces/to-chain-block.ts';
import { createSimulation } from '../simulator/simulation.ts';
import { decodeBlock } from '../src/decoders/decode-block.ts';
import { Engine } from '../src/engine/engine.ts';
import { HashDraws } from '../src/lib/hash-draws.ts';
import { RULES_MAX, type RuleChange } from '../src/model/rule-change.ts';
import type { SlotFacts } from '../src/model/slot-facts.ts';
import { asPriceE18 } from '../src/model/units.ts';
import { compileRule } from '../src/rules/compile-rule.ts';
import { givenFeatures } from '../src/rules/features/read-features.ts';
import { judge } from '../src/rules/judge.ts';
import { buildRuleFile, ruleContent } from '../tests/support/build-rule.ts';
import { tapeConfig } from './live-tape.ts';
import { PoolSpread } from './spread-pools.ts';
import { fixed, integer, printTable } from './table.ts';

const WARMUP_SLOTS = 300;
/** Two minutes of the tape. */
const SLOTS = 600;
/**
 * Recorded blocks of the main network trade 43 and 63 pools each (of 261 and 444 transactions without
 * votes), and 150 blocks make a minute: some thousands of pools.
 */
const COPIES = 40;
const EVALUATIONS = 1_000_000;

const TYPICAL =
  'pool.liquidity_usd > 10000 && token.market_cap_usd < 500000 && ' +
  'window.organic_buyers_5m >= 10 && window.return_5m > 0.05 && ' +
  'pool.venue in ["pump", "pumpswap", "raydium_cpmm"] && !token.is_freezable';

export function benchRules(): void {
  benchEvaluation();
  benchFold();
}

function benchEvaluation(): void {
  const { value: rule } = compileRule(buildRuleFile({ when: TYPICAL }));
  if (rule === null) throw new Error('the rule does not compile');
  const values = givenFeatures('pool_minute', {
    'pool.liquidity_usd': 40_000,
    'token.market_cap_usd': 90_000,
    'window.organic_buyers_5m': 14,
    'window.return_5m': 0.2,
    'pool.venue': 'pump',
    'token.is_freezable': false,
  });
  const time = (run: () => unknown) => {
    for (let warm = 0; warm < EVALUATIONS / 10; warm++) run();
    const begin = performance.now();
    for (let count = 0; count < EVALUATIONS; count++) run();
    return ((performance.now() - begin) * 1e6) / EVALUATIONS;
  };
  printTable('A rule of six conditions, all of which pass', [
    ['', 'ns'],
    [
      'the condition',
      fixed(
        time(() => rule.when.evaluate(values)),
        0,
      ),
    ],
    [
      'the judgement, with confidence and evidence',
      fixed(
        time(() => judge(rule, values)),
        0,
      ),
    ],
  ]);
}

/** The same slots in engines with and without rules, in turns. */
function benchFold(): void {
  const slots = marketSlots();
  const engines = [0, RULES_MAX].map((count) => ({
    count,
    engine: new Engine({ fallbackSolUsd: asPriceE18(150n * 10n ** 18n) }),
    changes: rules(count),
    ms: 0,
    minuteMs: 0,
    minutes: 0,
    hits: 0,
    judged: 0,
  }));
  for (const [at, facts] of slots.entries()) {
    for (const one of at % 2 === 0 ? engines : engines.toReversed()) {
      const given = at === 0 ? { ...facts, ruleChanges: one.changes } : facts;
      const before = process.cpuUsage();
      const { ruleHits, indicators } = one.engine.apply(given);
      const { user, system } = process.cpuUsage(before);
      if (at >= WARMUP_SLOTS) {
        add(one, (user + system) / 1_000, { hits: ruleHits.length, judged: indicators.length });
      }
    }
  }
  printFold(engines, slots.length - WARMUP_SLOTS);
}

function add(one: Measured, ms: number, slot: { readonly hits: number; readonly judged: number }) {
  one.ms += ms;
  one.hits += slot.hits;
  one.judged += slot.judged;
  if (slot.judged === 0) return;
  one.minuteMs += ms;
  one.minutes++;
}

interface Measured {
  readonly count: number;
  ms: number;
  /** Of slots that end a minute. */
  minuteMs: number;
  minutes: number;
  judged: number;
  hits: number;
}

/** Processor time, which other work on the machine changes least. */
function printFold(engines: readonly Measured[], measured: number): void {
  const [without] = engines;
  printTable(`${measured} slots at the pace of mainnet, processor time`, [
    ['rules', 'ms per slot', 'ratio', 'pools a minute', 'hits a minute', 'µs more per pool'],
    ...engines.map(({ count, ms, minuteMs, minutes, judged, hits }) => [
      integer(count),
      fixed(ms / measured, 3),
      fixed(ms / (without?.ms ?? ms), 3),
      integer(judged / minutes),
      fixed(hits / minutes, 1),
      fixed((1_000 * (minuteMs - (without?.minuteMs ?? minuteMs))) / judged, 1),
    ]),
  ]);
}

function marketSlots(): SlotFacts[] {
  const simulation = createSimulation(
    tapeConfig({
      seed: 'rules',
      warmupSlots: 0,
      votesPerBlock: 0,
      loadPercent: 100,
      mix: 'mainnet',
      blocks: SLOTS,
    }),
  );
  const spread = new PoolSpread(COPIES);
  const slots: SlotFacts[] = [];
  while (slots.length < WARMUP_SLOTS + SLOTS) {
    const step = simulation.step();
    simulation.takePosts();
    if (step?.isCanonical) {
      slots.push(spread.spread(decodeBlock(toChainBlock(step.block))));
    }
  }
  return slots;
}

/**
 * Rules as people would write them: five conditions, with limits of their own. Simulated people rush
 * into each launch, so the limits are high: most rules are to be silent in most minutes.
 */
function rules(count: number): RuleChange[] {
  const draws = new HashDraws('rules of the bench');
  const between = (least: number, most: number) => least + draws.unit() * (most - least);
  return Array.from({ length: count }, (_, index) => {
    const name = `rule-${index}`;
    const kind = (['signal', 'alert', 'label'] as const)[index % 3] ?? 'alert';
    const when = [
      `pool.liquidity_usd > ${fixed(between(1_000, 60_000), 0)}`,
      `token.market_cap_usd < ${fixed(between(50_000, 2_000_000), 0)}`,
      `window.organic_buyers_5m >= ${fixed(between(10, 100), 0)}`,
      `window.return_1m > ${fixed(between(0.5, 5), 3)}`,
      `wallets.bot_share < ${fixed(between(0.1, 0.6), 3)}`,
    ].join(' && ');
    const sequence =
      index % 20 === 0 ? { sequence: [{ when: 'window.return_5m < 0', within_minutes: 10 }] } : {};
    const label = kind === 'label' ? { label: 'busy' } : {};
    const content = ruleContent({ name, kind, when, ...label, ...sequence });
    return { author: 'bench', name, content };
  });
}
