import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { ANCESTORS_MAX, fundingsOf, isPersonalWallet, isShell } from '../links/funding-paths.ts';
import { compareText } from '../readings/block-order.ts';

/** Maximum number of hops up from a wallet, not counting shells (METHODS §7.1). */
const HOPS_MAX = 3;
/** Minimum number of wallets that a common funder reaches. */
const BACKED_MIN = 2;

/** A wallet whose money reached several wallets before they bought. */
export interface CommonFunder {
  readonly funder: Address;
  /** The wallets it reached, including itself if it is one of them; by address. */
  readonly wallets: readonly Address[];
  /** Wallets that forwarded the money, shells and others; by address. */
  readonly between: readonly Address[];
  /** Whether it paid every wallet directly. */
  readonly isDirect: boolean;
}

/**
 * A small set of funders behind these wallets: the funder that reaches most wallets (ties: the
 * nearest), then the one that reaches most of the remaining wallets, and so on. Money is not
 * followed through exchanges, hubs and other services. `wallets` maps each wallet to the time up to
 * which payments count.
 */
export function findCommonFunders(
  mintCase: MintCase,
  wallets: ReadonlyMap<Address, number>,
): CommonFunder[] {
  const traces = new Map(
    [...wallets].map(([wallet, untilMs]) => [wallet, trace(mintCase, wallet, untilMs)]),
  );
  const candidates = candidatesOf(traces);
  const found: CommonFunder[] = [];
  for (let best = bestOf(candidates); best !== null; best = bestOf(candidates)) {
    const common = toCommonFunder(best);
    found.push(common);
    for (const wallet of common.wallets) {
      withdraw(candidates, wallet, traces.get(wallet) ?? NO_TRACE);
    }
  }
  return found;
}

/**
 * Who directly paid at least two of these wallets up to their times, services aside: the nearest
 * payers they share, also where one root stands behind several of them; by address.
 */
export function findNearestPayers(
  mintCase: MintCase,
  wallets: ReadonlyMap<Address, number>,
): Address[] {
  const paid = new Map<Address, number>();
  for (const [wallet, untilMs] of wallets) {
    for (const payer of fundersOf(mintCase, wallet, untilMs)) {
      if (payer !== wallet) paid.set(payer, (paid.get(payer) ?? 0) + 1);
    }
  }
  return [...paid]
    .filter(([, count]) => count >= BACKED_MIN)
    .map(([payer]) => payer)
    .sort(compareText);
}

/**
 * The origin of a wallet's money within three hops, and the wallets that forwarded it; each hop
 * follows the largest payer up to a time. Null for a wallet without payers other than services.
 */
export function originOf(
  mintCase: MintCase,
  wallet: Address,
  untilMs: number,
): Pick<CommonFunder, 'funder' | 'between'> | null {
  const path: Address[] = [];
  const seen = new Set([wallet]);
  let hops = 0;
  for (let paid = wallet; hops < HOPS_MAX; ) {
    const funder = largestFunder(mintCase, paid, untilMs);
    if (funder === null || seen.has(funder)) break;
    seen.add(funder);
    path.push(funder);
    if (!isForwarding(mintCase, funder, untilMs)) hops++;
    paid = funder;
  }
  const first = path.findLastIndex((funder) => !isForwarding(mintCase, funder, untilMs));
  const funder = path[first];
  return funder === undefined ? null : { funder, between: path.slice(0, first) };
}

function largestFunder(mintCase: MintCase, wallet: Address, untilMs: number): Address | null {
  const [largest] = fundingsOf(mintCase, wallet)
    .filter(({ funder, sinceMs }) => sinceMs <= untilMs && isPersonalWallet(mintCase, funder))
    .sort(
      (one, other) =>
        Number(other.lamports - one.lamports) || compareText(one.funder, other.funder),
    );
  return largest?.funder ?? null;
}

interface Reached {
  readonly hops: number;
  readonly between: readonly Address[];
  readonly isShell: boolean;
}

/**
 * The funders above a wallet with their distance, at most `ANCESTORS_MAX`, the nearest and of one
 * hop by address; the wallet itself has distance 0.
 */
type Trace = ReadonlyMap<Address, Reached>;

const NO_TRACE: Trace = new Map();

function trace(mintCase: MintCase, wallet: Address, untilMs: number): Trace {
  const reached = new Map<Address, Reached>([[wallet, { hops: 0, between: [], isShell: false }]]);
  let level: Address[] = [wallet];
  for (let hops = 1; hops <= HOPS_MAX; hops++) {
    const above: Address[] = [];
    // Shells are added to the current level during the iteration: they do not count as a hop.
    for (const paid of level) {
      const room = ANCESTORS_MAX + 1 - reached.size;
      if (room === 0) return reached;
      const between = pathUp(reached, paid);
      const funders = fundersOf(mintCase, paid, untilMs).filter((funder) => !reached.has(funder));
      for (const funder of funders.slice(0, room)) {
        const isForwarded = isForwarding(mintCase, funder, untilMs);
        reached.set(funder, { hops, between, isShell: isForwarded });
        (isForwarded ? level : above).push(funder);
      }
    }
    level = above;
  }
  return reached;
}

/**
 * Whether a funder is a shell with a funder of its own; a shell paid only by services is an origin.
 */
function isForwarding(mintCase: MintCase, funder: Address, untilMs: number): boolean {
  return isShell(mintCase, funder) && fundersOf(mintCase, funder, untilMs).length > 0;
}

/** The wallets between the start of the trace and the payers of this wallet. */
function pathUp(reached: Trace, paid: Address): readonly Address[] {
  const path = reached.get(paid);
  return path === undefined || path.hops === 0 ? [] : [...path.between, paid];
}

/** The payers of a wallet up to a time that are not services, by address. */
function fundersOf(mintCase: MintCase, wallet: Address, untilMs: number): Address[] {
  const inTime = fundingsOf(mintCase, wallet).filter(({ sinceMs }) => sinceMs <= untilMs);
  return [...new Set(inTime.map(({ funder }) => funder))]
    .filter((funder) => isPersonalWallet(mintCase, funder))
    .sort(compareText);
}

/** Who may be a common funder: the wallets that it reaches, in the order of the given ones. */
interface Candidate {
  readonly funder: Address;
  hops: number;
  readonly reaches: Map<Address, Reached>;
}

function candidatesOf(traces: ReadonlyMap<Address, Trace>): Map<Address, Candidate> {
  const candidates = new Map<Address, Candidate>();
  for (const [wallet, reached] of traces) {
    for (const [funder, reach] of reached) {
      if (reach.isShell) continue;
      const known = candidates.get(funder) ?? { funder, hops: 0, reaches: new Map() };
      known.hops += reach.hops;
      known.reaches.set(wallet, reach);
      candidates.set(funder, known);
    }
  }
  for (const { funder, reaches } of candidates.values()) {
    if (reaches.size < BACKED_MIN) candidates.delete(funder);
  }
  return candidates;
}

/** Takes a wallet from all candidates that reach it. */
function withdraw(candidates: Map<Address, Candidate>, wallet: Address, reached: Trace): void {
  for (const [funder, { hops }] of reached) {
    const candidate = candidates.get(funder);
    if (candidate?.reaches.delete(wallet) !== true) continue;
    candidate.hops -= hops;
    if (candidate.reaches.size < BACKED_MIN) candidates.delete(funder);
  }
}

function bestOf(candidates: ReadonlyMap<Address, Candidate>): Candidate | null {
  let best: Candidate | null = null;
  for (const candidate of candidates.values()) {
    if (best === null || isBetter(candidate, best)) best = candidate;
  }
  return best;
}

function isBetter(one: Candidate, other: Candidate): boolean {
  const difference = one.reaches.size - other.reaches.size || other.hops - one.hops;
  return difference === 0 ? one.funder < other.funder : difference > 0;
}

function toCommonFunder({ funder, reaches }: Candidate): CommonFunder {
  const paths = [...reaches.values()];
  return {
    funder,
    wallets: [...reaches.keys()].sort(compareText),
    between: [...new Set(paths.flatMap(({ between }) => between))].sort(compareText),
    isDirect: paths.every(({ hops, between }) => hops <= 1 && between.length === 0),
  };
}
