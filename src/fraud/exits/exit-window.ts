import type { CaseTrade, MintCase, TransactionRef } from '../../model/mint-case.ts';
import type { Address, Signature, Slot } from '../../model/units.ts';
import { tradesOf } from '../groups/crew.ts';
import type { Cluster, Clusters } from '../links/clusters.ts';
import { byChainOrder } from '../readings/block-order.ts';
import { countBefore, orderCase } from '../readings/case-order.ts';
import { createHoldings, type Holdings } from '../readings/holdings.ts';
import { findOneSidedPositions, type OneSidedPosition } from '../readings/liquidity-exits.ts';
import { fallOf, lowestFrom, priceBefore } from '../readings/price-readings.ts';
import { shareOf } from '../readings/shares.ts';
import type { CaseReading } from '../scoring/detector.ts';
import type { Gates } from '../scoring/scoring-card.ts';

const MINUTE_MS = 60_000;

/** METHODS §7.7. */
export const EXIT_GATES = {
  walletsMin: { value: 3, reason: 'One or two who sell at the same time are no ring.' },
  heldMin: { value: 0.05, reason: 'Who holds less of the supply cannot empty a pool.' },
  windowMs: {
    value: 10 * MINUTE_MS,
    reason: 'An agreed exit is over before others have understood it.',
  },
  shortWindowMs: { value: MINUTE_MS, reason: 'Programs leave within a minute.' },
  exitMin: { value: 0.6, reason: 'Who keeps more than two fifths takes a profit and stays.' },
  drainMin: {
    value: 0.2,
    reason: 'A fifth of the quote gone hurts everybody; it or the fall of the price must show.',
  },
  fallMin: { value: 0.4, reason: 'Two fifths of the price gone hurts everybody.' },
  emptiedMin: {
    value: 0.5,
    reason:
      'Who takes half of a pool’s quote out as liquidity leaves nothing to sell into: what it keeps is not held back, and counts as never held.',
  },
} as const satisfies Gates;

/** Links that the exit itself makes: they must not prove the ring that leaves (METHODS §7.1). */
export const EXIT_LINKS: readonly string[] = ['synchronized-exit'];

const PRICE_SPAN_MS = 5 * MINUTE_MS;
const WINDOWS_MAX = 16;

/** What is measured of it. */
export type ExitFeature = 'exit' | 'supply' | 'sync' | 'drain' | 'fall' | 'liquidity' | 'link';

/** What stays the same over the exits of one mint. */
export interface ExitContext {
  readonly mintCase: MintCase;
  readonly clusters: Clusters;
  readonly holdings: Holdings;
}

/** Something a crew did that moved tokens out of its hands, or in again. */
export interface ExitStep extends TransactionRef {
  readonly wallet: Address;
  /** Out of its hands; below zero for purchases, zero for liquidity of both sides. */
  readonly baseRaw: bigint;
  /** Taken from pools; below zero for what was paid in. */
  readonly lamports: bigint;
  /** Null for liquidity. */
  readonly trade: CaseTrade | null;
  readonly pool: Address;
}

/** A span in which a crew left. */
export interface CrewExit {
  readonly cluster: Cluster;
  /** In block order, the first one a step out. */
  readonly steps: readonly ExitStep[];
  readonly first: ExitStep;
  readonly endMs: number;
  /** Held before, in wallets and in liquidity of tokens alone; without what who emptied the pool keeps. */
  readonly heldRaw: bigint;
  readonly exitRaw: bigint;
  readonly takenLamports: bigint;
  /** Quote of the pool before; null when unknown. */
  readonly poolLamports: bigint | null;
  /** Part of the price that went, 0 to 1. */
  readonly fall: number;
}

export function toContext(reading: CaseReading): ExitContext {
  const mintCase = orderCase(reading.mintCase);
  return { mintCase, clusters: reading.clusters(EXIT_LINKS), holdings: createHoldings(mintCase) };
}

/** The largest exit of a cluster in spans of either length; none where a gate is shut. */
export function findExits(context: ExitContext, cluster: Cluster): readonly CrewExit[] {
  const { mintCase } = context;
  const members = new Set(cluster.members);
  if (everHeld(mintCase, members) < EXIT_GATES.walletsMin.value) return [];
  const positions = findOneSidedPositions(mintCase.liquidity, (wallet) => members.has(wallet));
  const steps = stepsOf(mintCase, members, positions);
  const emptied = steps.filter((step) => isEmptying(mintCase, step));
  const crew = { ...context, cluster, steps, emptied, positions };
  const lengths = [EXIT_GATES.windowMs.value, EXIT_GATES.shortWindowMs.value];
  return lengths.flatMap((lengthMs) => largestExit(crew, lengthMs) ?? []);
}

/** Members that got tokens at any time: forwarding leaves most of them without. */
function everHeld({ trades, transfers }: MintCase, members: ReadonlySet<Address>): number {
  const receivers = new Set<Address>();
  for (const { side, wallet } of trades) {
    if (side === 'buy' && members.has(wallet)) receivers.add(wallet);
  }
  for (const { to } of transfers) if (members.has(to)) receivers.add(to);
  return receivers.size;
}

function stepsOf(
  mintCase: MintCase,
  members: ReadonlySet<Address>,
  positions: readonly OneSidedPosition[],
): readonly ExitStep[] {
  const { sales, purchases } = tradesOf(mintCase, (wallet) => members.has(wallet));
  const sold = positions.flatMap(({ exits }) => exits);
  const exitOf = (change: TransactionRef & { readonly provider: Address }): bigint =>
    sold.find((exit) => exit.signature === change.signature && exit.provider === change.provider)
      ?.baseRaw ?? 0n;
  const steps: ExitStep[] = [
    ...sales.map((trade) => new TradeStep(trade, 1n)),
    ...purchases.map((trade) => new TradeStep(trade, -1n)),
    ...mintCase.liquidity
      .filter(({ provider }) => members.has(provider))
      .map((change) => ({
        ...placeOf(change),
        wallet: change.provider,
        baseRaw: exitOf(change),
        lamports: 0n - change.lamports,
        trade: null,
        pool: change.pool,
      })),
  ];
  return steps.sort(byChainOrder);
}

/** It stands where its trade does, whose signature may be made when it is asked for. */
class TradeStep implements ExitStep {
  readonly trade: CaseTrade;
  readonly slot: Slot;
  readonly timeMs: number;
  readonly txIndex: number;
  readonly wallet: Address;
  readonly pool: Address;
  readonly baseRaw: bigint;
  readonly lamports: bigint;

  constructor(trade: CaseTrade, sign: bigint) {
    this.trade = trade;
    this.slot = trade.slot;
    this.timeMs = trade.timeMs;
    this.txIndex = trade.txIndex;
    this.wallet = trade.wallet;
    this.pool = trade.pool;
    this.baseRaw = sign * trade.baseRaw;
    this.lamports = sign * trade.lamports;
  }

  get signature(): Signature {
    return this.trade.signature;
  }
}

function placeOf({ slot, timeMs, txIndex, signature }: TransactionRef): TransactionRef {
  return { slot, timeMs, txIndex, signature };
}

interface Crew extends ExitContext {
  readonly cluster: Cluster;
  readonly steps: readonly ExitStep[];
  /** Those of the steps that took most of a pool's quote out as liquidity. */
  readonly emptied: readonly ExitStep[];
  readonly positions: readonly OneSidedPosition[];
}

/** Of the steps: `end` is none of them. */
interface StepRange {
  readonly start: number;
  readonly end: number;
}

interface Span extends StepRange {
  readonly exitRaw: bigint;
  readonly heldRaw: bigint;
}

function largestExit(crew: Crew, lengthMs: number): CrewExit | null {
  const spans = [...spansOf(crew, lengthMs)].sort(bySize).slice(0, WINDOWS_MAX);
  for (const span of spans) {
    const exit = toExit(crew, span);
    if (exit !== null) return exit;
  }
  return null;
}

/** Spans that begin with a step out and hold enough of what the crew had. */
function* spansOf(crew: Crew, lengthMs: number): Generator<Span> {
  const { mintCase, cluster, holdings, steps } = crew;
  const heldBefore = holdings.together(cluster.members);
  let [end, exitRaw] = [0, 0n];
  for (const [start, first] of steps.entries()) {
    for (let step = steps[end]; step !== undefined; step = steps[end]) {
      if (step.timeMs > first.timeMs + lengthMs) break;
      exitRaw += step.baseRaw;
      end++;
    }
    const span = { start, end, exitRaw };
    exitRaw -= first.baseRaw;
    if (first.baseRaw <= 0n) continue;
    const inHands = heldBefore(first.slot) - keptInEmpty(crew, span);
    const heldRaw = inHands + inPositions(crew.positions, first.slot);
    if (shareOf(heldRaw, mintCase.supplyRaw) < EXIT_GATES.heldMin.value) continue;
    if (shareOf(span.exitRaw, heldRaw) < EXIT_GATES.exitMin.value) continue;
    yield { ...span, heldRaw };
  }
}

function isEmptying(mintCase: MintCase, step: ExitStep): boolean {
  if (step.trade !== null || step.lamports <= 0n) return false;
  const reserve = reserveBefore(mintCase, step, step.pool);
  return reserve !== null && shareOf(step.lamports, reserve) >= EXIT_GATES.emptiedMin.value;
}

/** What those who emptied a pool within these steps had and did not sell in them. */
function keptInEmpty({ holdings, emptied, steps: all }: Crew, { start, end }: StepRange): bigint {
  if (emptied.length === 0) return 0n;
  const steps = all.slice(start, end);
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined) return 0n;
  const within = emptied.filter(
    (step) => byChainOrder(step, first) >= 0 && byChainOrder(step, last) <= 0,
  );
  const wallets = new Set(within.map(({ wallet }) => wallet));
  let keptRaw = 0n;
  for (const wallet of wallets) {
    const soldRaw = steps
      .filter((step) => step.wallet === wallet && step.trade?.side === 'sell')
      .reduce((sum, { baseRaw }) => sum + baseRaw, 0n);
    const leftRaw = holdings.heldBefore(wallet, first.slot) - soldRaw;
    if (leftRaw > 0n) keptRaw += leftRaw;
  }
  return keptRaw;
}

/** Tokens in one-sided liquidity before a slot that came back as quote later. */
function inPositions(positions: readonly OneSidedPosition[], slot: number): bigint {
  return positions
    .filter(({ firstSlot }) => firstSlot < slot)
    .flatMap(({ exits }) => exits)
    .filter((exit) => exit.slot >= slot)
    .reduce((sum, { baseRaw }) => sum + baseRaw, 0n);
}

function bySize(one: Span, other: Span): number {
  if (one.exitRaw !== other.exitRaw) return one.exitRaw > other.exitRaw ? -1 : 1;
  return one.start - other.start;
}

function toExit(crew: Crew, { start, end, exitRaw, heldRaw }: Span): CrewExit | null {
  const { mintCase, cluster } = crew;
  const steps = crew.steps.slice(start, end);
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined) return null;
  const takenLamports = steps.reduce((sum, { lamports }) => sum + lamports, 0n);
  const poolLamports = reserveBefore(mintCase, first, mintCase.market?.pool ?? null);
  const spans = { spanMs: PRICE_SPAN_MS, decimals: mintCase.decimals };
  const lowest = lowestFrom(mintCase.trades, first, last.timeMs);
  const fall = fallOf(priceBefore(mintCase.trades, first, spans), lowest?.priceSol ?? null);
  const drain = poolLamports === null ? 0 : shareOf(takenLamports, poolLamports);
  if (drain < EXIT_GATES.drainMin.value && fall < EXIT_GATES.fallMin.value) return null;
  const amounts = { heldRaw, exitRaw, takenLamports, poolLamports };
  return { cluster, steps, first, endMs: last.timeMs, ...amounts, fall };
}

/** Quote that a pool held before something happened; of any pool where that one is not known. */
export function reserveBefore(
  { trades }: MintCase,
  place: TransactionRef,
  pool: Address | null,
): bigint | null {
  const older = trades.slice(0, countBefore(trades, place.timeMs + 1));
  const isKnown = (trade: CaseTrade): boolean =>
    trade.poolLamports !== null && byChainOrder(trade, place) < 0;
  const known =
    older.findLast((trade) => trade.pool === pool && isKnown(trade)) ?? older.findLast(isKnown);
  return known?.poolLamports ?? null;
}
