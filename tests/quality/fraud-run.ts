import { isDeepStrictEqual } from 'node:util';
import { blockText } from '../../simulator/faces/format-block.ts';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import type {
  AttackLabel,
  BenignFamily,
  Difficulty,
  FraudType,
} from '../../simulator/truth/labels.ts';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { createReading, detectGroups } from '../../src/fraud/detect/inspect-case.ts';
import { applyPrecedence } from '../../src/fraud/detect/precedence.ts';
import type { Finding } from '../../src/model/fraud.ts';
import type { MintCase } from '../../src/model/mint-case.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address, Slot } from '../../src/model/units.ts';
import { NaiveCases } from '../support/naive-case.ts';
import {
  runAttack,
  runAttackVariant,
  runBenign,
  runInnocentVariant,
  type ScenarioRun,
} from '../support/scenario-stage.ts';

/**
 * A scenario to be run; `difficulty` is null for an innocent one. `variant` names another scenario of
 * the type than that of the simulated market.
 */
export type FraudPlan =
  | {
      readonly type: FraudType;
      readonly difficulty: Difficulty;
      readonly seed: string;
      readonly variant?: string;
    }
  | { readonly type: BenignFamily; readonly difficulty: null; readonly seed: string }
  | {
      readonly type: null;
      readonly difficulty: null;
      readonly seed: string;
      readonly variant: string;
    };

/** The name of a plan's scenario. */
export function nameOf(plan: FraudPlan): string {
  return ('variant' in plan ? plan.variant : undefined) ?? plan.type ?? '';
}

/**
 * The seed that a plan's scenario draws from. Each has its own: scenarios that drew from one seed
 * alike would be missed together, and intervals over them would be too narrow.
 */
export function streamOf(plan: FraudPlan): string {
  return `${plan.seed}/${nameOf(plan)}/${plan.difficulty ?? 'innocent'}`;
}

/** The findings of one type in one run. */
export interface TypeFound {
  readonly fraudType: FraudType;
  /** Highest confidence of all evaluations. */
  readonly confidence: number;
  /** Highest before calibration. */
  readonly rawScore: number;
}

/** Comparison of a found attack with its label. */
export interface AttackMatch {
  /** Wallets in both over wallets in either. */
  readonly jaccard: number;
  /** Labelled attackers and funding sources, and how many of them were found with that role. */
  readonly roles: number;
  readonly rolesRight: number;
  /**
   * From the pattern's last trade to the first evaluation that finds it; 0 when it was found
   * earlier.
   */
  readonly delaySlots: number;
  readonly delayMs: number;
}

export interface FraudRun {
  readonly plan: FraudPlan;
  /** Its blocks went through the text of a node's answers as well, with the same findings. */
  readonly isRaw: boolean;
  readonly transactions: number;
  /** Duration of each evaluation in milliseconds, without building the case. */
  readonly evaluationsMs: readonly number[];
  readonly seconds: number;
  /** Types found at any confidence. */
  readonly found: readonly TypeFound[];
  /** Null for an innocent run, and when the type was not found with `FOUND_MIN`. */
  readonly match: AttackMatch | null;
  /** A fake dump was found, and left out as part of a bundle-and-launder. */
  readonly isCovered: boolean;
}

/** From this confidence on a type counts as found. */
export const FOUND_MIN = 0.5;
/** USD per SOL at which simulated markets begin. */
const SOL_USD = 180;
/** Runs of the first seeds of every series go through base64 as well. */
const RAW_SEEDS = 3;
/** What was seen on one series of held-back seeds is judged on the next one. */
const SERIES_SEEDS = 80;
/** Without trades, one in this many slots is evaluated. */
const IDLE_SLOTS = 25;

/** Plays a scenario as blocks through the decoders and runs every detector repeatedly. */
export function judgeRun(plan: FraudPlan): FraudRun {
  const began = performance.now();
  const { run, slots, mint } = playPlan(plan);
  const log = inspectSlots(slots, mint);
  const isRaw = isOfRawSeed(plan);
  if (isRaw) assertSameOfBytes(plan, run, log);
  return {
    plan,
    isRaw,
    transactions: slots.reduce((sum, { transactions }) => sum + transactions.length, 0),
    evaluationsMs: log.evaluationsMs,
    seconds: (performance.now() - began) / 1_000,
    found: log.found,
    match: run.attack === null ? null : matchOf(log, run.attack, slots),
    isCovered: log.isDumpCovered,
  };
}

/** A plan that was played, and the mint that it is about. */
export interface PlayedPlan {
  readonly run: ScenarioRun;
  readonly slots: readonly SlotFacts[];
  readonly mint: Address;
}

/** Plays a scenario as blocks through the decoders. */
export function playPlan(plan: FraudPlan): PlayedPlan {
  const run = playOf(plan);
  const label = run.attack ?? run.benign;
  if (label === null) throw new Error(`${nameOf(plan)} ${plan.seed} left no label`);
  const slots = run.blocks.map((block) => decodeBlock(toChainBlock(block)));
  return { run, slots, mint: label.mint };
}

function inspectSlots(slots: readonly SlotFacts[], mint: Address): FindingLog {
  const log = new FindingLog();
  for (const mintCase of evaluatedCases(slots, mint)) log.ask(mintCase);
  return log;
}

/** The case of a mint in each slot in which it is evaluated. */
export function* evaluatedCases(slots: readonly SlotFacts[], mint: Address): Generator<MintCase> {
  const cases = new NaiveCases(mint, { solUsd: SOL_USD });
  const last = slots.at(-1)?.slot;
  let trades = 0;
  let askedSlot = 0;
  for (const facts of slots) {
    cases.add(facts);
    const isDue = facts.slot - askedSlot >= IDLE_SLOTS || facts.slot === last;
    if (cases.tradeCount === 0 || (cases.tradeCount === trades && !isDue)) continue;
    trades = cases.tradeCount;
    askedSlot = facts.slot;
    yield cases.read();
  }
}

function isOfRawSeed({ seed }: FraudPlan): boolean {
  const number = Number(/-(\d+)$/.exec(seed)?.[1] ?? Number.NaN);
  return (number - 1) % SERIES_SEEDS < RAW_SEEDS;
}

/** Throws when the same blocks as a node's answers in base64 give other findings. */
function assertSameOfBytes(plan: FraudPlan, run: ScenarioRun, log: FindingLog): void {
  const slots = run.blocks.map((block) => {
    const reading = readBlock(JSON.parse(blockText(block, 'base64')), block.slot as Slot);
    if (reading.status !== 'ok') throw new Error(`slot ${block.slot} was ${reading.status}`);
    return decodeBlock(reading.value);
  });
  const mint = (run.attack ?? run.benign)?.mint;
  if (mint === undefined || !isDeepStrictEqual(inspectSlots(slots, mint).findings, log.findings)) {
    throw new Error(`${nameOf(plan)} ${plan.seed} gives other findings through bytes`);
  }
}

function playOf(plan: FraudPlan): ScenarioRun {
  const seed = streamOf(plan);
  if (plan.type === null) return runInnocentVariant(plan.variant, seed);
  if (plan.difficulty === null) return runBenign(plan.type, seed);
  return plan.variant === undefined
    ? runAttack(plan.type, plan.difficulty, seed)
    : runAttackVariant(plan.variant, plan.difficulty, seed);
}

interface TimedFinding {
  readonly slot: number;
  readonly timeMs: number;
  readonly finding: Finding;
}

/** The findings over the evaluations of a run. */
class FindingLog {
  /** All findings, by evaluation. */
  readonly findings: (readonly Finding[])[] = [];
  readonly evaluationsMs: number[] = [];
  isDumpCovered = false;
  private readonly best = new Map<FraudType, Finding>();
  private readonly first = new Map<FraudType, TimedFinding>();
  private readonly latest = new Map<FraudType, TimedFinding>();

  ask(mintCase: MintCase): void {
    const began = performance.now();
    const reading = createReading(mintCase);
    const all = detectGroups(reading);
    const findings = applyPrecedence(all);
    this.findings.push(findings);
    this.isDumpCovered ||= countDumps(findings) < countDumps(all);
    this.evaluationsMs.push(performance.now() - began);
    for (const [fraudType, own] of Map.groupBy(findings, (finding) => finding.fraudType)) {
      const strongest = own.reduce((one, other) =>
        other.confidence > one.confidence ? other : one,
      );
      if (strongest.confidence > (this.best.get(fraudType)?.confidence ?? -1)) {
        this.best.set(fraudType, strongest);
      }
      if (strongest.confidence < FOUND_MIN) continue;
      const timed = { slot: mintCase.slot, timeMs: mintCase.timeMs, finding: strongest };
      if (!this.first.has(fraudType)) this.first.set(fraudType, timed);
      this.latest.set(fraudType, timed);
    }
  }

  get found(): TypeFound[] {
    return [...this.best.values()]
      .map(({ fraudType, confidence, rawScore }) => ({ fraudType, confidence, rawScore }))
      .sort((one, other) => (one.fraudType < other.fraudType ? -1 : 1));
  }

  /** When a type was first found, and its latest finding. */
  of(type: FraudType): { readonly first: TimedFinding; readonly latest: TimedFinding } | null {
    const first = this.first.get(type);
    const latest = this.latest.get(type);
    return first === undefined || latest === undefined ? null : { first, latest };
  }
}

function matchOf(
  log: FindingLog,
  { type, roles, endSlot }: AttackLabel,
  slots: readonly SlotFacts[],
): AttackMatch | null {
  const timed = log.of(type);
  if (timed === null || endSlot === null) return null;
  const endMs = slots.findLast(({ slot }) => slot <= endSlot)?.blockTimeMs ?? 0;
  const found = new Map(timed.latest.finding.wallets.map(({ address, role }) => [address, role]));
  const asked = [...roles].filter(([, role]) => role === 'attacker' || role === 'funding_source');
  return {
    jaccard: jaccardOf(new Set(found.keys()), new Set(roles.keys())),
    roles: asked.length,
    rolesRight: asked.filter(([wallet, role]) => found.get(wallet) === role).length,
    delaySlots: Math.max(0, timed.first.slot - endSlot),
    delayMs: Math.max(0, timed.first.timeMs - endMs),
  };
}

function countDumps(findings: readonly Finding[]): number {
  return findings.filter(
    ({ fraudType, confidence }) => fraudType === 'fake_dump' && confidence >= FOUND_MIN,
  ).length;
}

/** Members of both over members of either; 1 for two empty sets. */
export function jaccardOf<Member>(one: ReadonlySet<Member>, other: ReadonlySet<Member>): number {
  const both = [...one].filter((member) => other.has(member)).length;
  const either = one.size + other.size - both;
  return either === 0 ? 1 : both / either;
}
