import type { CaseTrade, MintCase, TransactionRef } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { CaseReading } from '../contract/detector.ts';
import { EXCHANGE_LINK } from '../groups/group-funding.ts';
import type { Cluster, Clusters } from '../links/clusters.ts';
import { byChainOrder } from '../readings/block-order.ts';
import { countBefore, orderCase } from '../readings/case-order.ts';
import { createHoldings, type Holdings } from '../readings/holdings.ts';
import { findOneSidedPositions, type OneSidedPosition } from '../readings/liquidity-exits.ts';
import { fallOf, lowestFrom, priceBefore } from '../readings/price-readings.ts';
import { shareOf } from '../readings/shares.ts';
import type { Gates } from '../scoring/scoring-card.ts';
import { type ExitStep, purchasesUntil, stepsOf } from './exit-steps.ts';

const MINUTE_MS = 60_000;

/** METHODS §7.7 and §13.3. */
export const EXIT_GATES = {
  walletsMin: { value: 3, reason: 'One or two simultaneous sellers are not a group.' },
  heldMin: { value: 0.05, reason: 'A smaller share of the supply cannot empty a pool.' },
  windowMs: {
    value: 10 * MINUTE_MS,
    reason: 'A coordinated exit is over before others react.',
  },
  shortWindowMs: { value: MINUTE_MS, reason: 'Programs leave within a minute.' },
  longWindowMs: {
    value: 60 * MINUTE_MS,
    reason: 'A crew that sells in small parts is out of a young token within an hour.',
  },
  buyBackMs: {
    value: 10 * MINUTE_MS,
    reason: 'Who buys back so soon has not left, but sold to buy cheaper.',
  },
  exitMin: { value: 0.6, reason: 'A wallet that keeps more than 40 % takes profit and stays.' },
  drainMin: {
    value: 0.2,
    reason:
      'A loss of a fifth of the quote harms all holders; this or the fall of the price is ' +
      'required.',
  },
  fallMin: { value: 0.4, reason: 'A fall of the price by 40 % harms all holders.' },
  emptiedMin: {
    value: 0.5,
    reason:
      "A provider that withdraws half of a pool's quote leaves too little to sell into: its " +
      'remaining tokens count as never held.',
  },
} as const satisfies Gates;

/**
 * Links that show no ring: those that the exit itself creates (METHODS §7.1), and withdrawals of like
 * amounts from one exchange. Copy traders have the latter too, and leave when their leader does.
 */
export const EXIT_LINKS: readonly string[] = ['synchronized-exit', EXCHANGE_LINK];

const PRICE_SPAN_MS = 5 * MINUTE_MS;
const WINDOWS_MAX = 16;

/** Features of an exit. */
export type ExitFeature = 'exit' | 'supply' | 'sync' | 'drain' | 'fall' | 'liquidity' | 'link';

/** Data shared by all exits of one mint. */
export interface ExitContext {
  readonly mintCase: MintCase;
  readonly clusters: Clusters;
  readonly holdings: Holdings;
}

/** A time span in which a crew exited. */
export interface CrewExit {
  readonly cluster: Cluster;
  /** In block order; the first step disposes of tokens. Without what was bought back later. */
  readonly steps: readonly ExitStep[];
  readonly first: ExitStep;
  readonly endMs: number;
  /**
   * Holdings before, in wallets and one-sided liquidity, without what those who emptied a pool
   * keep.
   */
  readonly heldRaw: bigint;
  /** Net of purchases in the exit and within ten minutes behind it, as are the lamports taken. */
  readonly exitRaw: bigint;
  readonly takenLamports: bigint;
  /** Quote reserve of the pool before; null when unknown. */
  readonly poolLamports: bigint | null;
  /** Fall of the price, 0 to 1. */
  readonly fall: number;
}

export function toContext(reading: CaseReading): ExitContext {
  const mintCase = orderCase(reading.mintCase);
  return { mintCase, clusters: reading.clusters(EXIT_LINKS), holdings: createHoldings(mintCase) };
}

/** The largest exit of a cluster for each window length; none unless every gate is passed. */
export function findExits(context: ExitContext, cluster: Cluster): readonly CrewExit[] {
  const { mintCase } = context;
  const members = new Set(cluster.members);
  if (everHeld(mintCase, members) < EXIT_GATES.walletsMin.value) return [];
  const positions = findOneSidedPositions(mintCase.liquidity, (wallet) => members.has(wallet));
  const steps = stepsOf(mintCase, members, positions);
  const emptied = steps.filter((step) => isEmptying(mintCase, step));
  const crew = { ...context, cluster, steps, emptied, positions };
  const { windowMs, shortWindowMs, longWindowMs } = EXIT_GATES;
  const lengths = [windowMs.value, shortWindowMs.value, longWindowMs.value];
  return lengths.flatMap((lengthMs) => largestExit(crew, lengthMs) ?? []);
}

/** Number of members that ever received tokens; after forwarding, most of them hold none. */
function everHeld({ trades, transfers }: MintCase, members: ReadonlySet<Address>): number {
  const receivers = new Set<Address>();
  for (const { side, wallet } of trades) {
    if (side === 'buy' && members.has(wallet)) receivers.add(wallet);
  }
  for (const { to } of transfers) if (members.has(to)) receivers.add(to);
  return receivers.size;
}

interface Crew extends ExitContext {
  readonly cluster: Cluster;
  readonly steps: readonly ExitStep[];
  /** The steps that withdrew at least half of a pool's quote as liquidity. */
  readonly emptied: readonly ExitStep[];
  readonly positions: readonly OneSidedPosition[];
}

/** A range of steps; `end` is exclusive. */
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

/** Spans that start with a disposal and contain enough of the crew's holdings. */
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

/** Holdings that wallets which emptied a pool within these steps did not sell in them. */
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

/** Tokens in one-sided liquidity before a slot that were later withdrawn as quote. */
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

function toExit(crew: Crew, { start, end, exitRaw: grossRaw, heldRaw }: Span): CrewExit | null {
  const { mintCase, cluster } = crew;
  const steps = crew.steps.slice(start, end);
  const [first] = steps;
  const last = steps.findLast(({ baseRaw, lamports }) => baseRaw > 0n || lamports > 0n);
  if (first === undefined || last === undefined) return null;
  const bought = purchasesUntil(crew.steps, end, last.timeMs + EXIT_GATES.buyBackMs.value);
  const exitRaw = bought.reduce((sum, { baseRaw }) => sum + baseRaw, grossRaw);
  if (shareOf(exitRaw, heldRaw) < EXIT_GATES.exitMin.value) return null;
  const takenLamports = [...steps, ...bought].reduce((sum, { lamports }) => sum + lamports, 0n);
  const poolLamports = reserveBefore(mintCase, first, mintCase.market?.pool ?? null);
  const spans = { spanMs: PRICE_SPAN_MS, decimals: mintCase.decimals };
  const lowest = lowestFrom(mintCase.trades, first, last.timeMs);
  const fall = fallOf(priceBefore(mintCase.trades, first, spans), lowest?.priceSol ?? null);
  const drain = poolLamports === null ? 0 : shareOf(takenLamports, poolLamports);
  if (drain < EXIT_GATES.drainMin.value && fall < EXIT_GATES.fallMin.value) return null;
  const amounts = { heldRaw, exitRaw, takenLamports, poolLamports };
  return { cluster, steps, first, endMs: last.timeMs, ...amounts, fall };
}

/** Quote reserve of a pool before a transaction; of any pool if that one is unknown. */
export function reserveBefore(
  { trades }: MintCase,
  ref: TransactionRef,
  pool: Address | null,
): bigint | null {
  const older = trades.slice(0, countBefore(trades, ref.timeMs + 1));
  const isKnown = (trade: CaseTrade): boolean =>
    trade.poolLamports !== null && byChainOrder(trade, ref) < 0;
  const known =
    older.findLast((trade) => trade.pool === pool && isKnown(trade)) ?? older.findLast(isKnown);
  return known?.poolLamports ?? null;
}
