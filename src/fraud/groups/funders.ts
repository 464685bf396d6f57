import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { fundingsOf, isOwnPurse, isShell } from '../links/funding-paths.ts';
import { compareText } from '../readings/block-order.ts';

/** Hops up from a wallet, shells not counted (METHODS §7.1). */
const HOPS_MAX = 3;
/** Wallets that make a funder a common one. */
const BACKED_MIN = 2;

/** Somebody whose money reached several wallets before they bought. */
export interface CommonFunder {
  readonly funder: Address;
  /** Whom it reached, itself included where it is one of them; by address. */
  readonly wallets: readonly Address[];
  /** Who passed the money on, shells and others; by address. */
  readonly between: readonly Address[];
  /** It paid every wallet itself. */
  readonly isDirect: boolean;
}

/**
 * Those who stand behind these wallets, fewest first: the one who reaches most wallets, the nearest
 * of equals, then whoever reaches most of the others. Money through exchanges, hubs and other services
 * is nobody's. `wallets` come with the time up to which a payment counts.
 */
export function findCommonFunders(
  mintCase: MintCase,
  wallets: ReadonlyMap<Address, number>,
): CommonFunder[] {
  const traces = new Map(
    [...wallets].map(([wallet, untilMs]) => [wallet, trace(mintCase, wallet, untilMs)]),
  );
  const found: CommonFunder[] = [];
  for (let best = bestFunder(traces); best !== null; best = bestFunder(traces)) {
    found.push(best);
    for (const wallet of best.wallets) traces.delete(wallet);
  }
  return found;
}

/**
 * Who stands first behind a wallet's money, up to three hops, and who passed it on: at each hop the one
 * who paid most up to a time. Null for whoever was paid by services alone, or by nobody.
 */
export function originOf(
  mintCase: MintCase,
  wallet: Address,
  untilMs: number,
): Pick<CommonFunder, 'funder' | 'between'> | null {
  const way: Address[] = [];
  const seen = new Set([wallet]);
  let hops = 0;
  for (let paid = wallet; hops < HOPS_MAX; ) {
    const funder = largestFunder(mintCase, paid, untilMs);
    if (funder === null || seen.has(funder)) break;
    seen.add(funder);
    way.push(funder);
    if (!isPassingOn(mintCase, funder, untilMs)) hops++;
    paid = funder;
  }
  const first = way.findLastIndex((funder) => !isPassingOn(mintCase, funder, untilMs));
  const funder = way[first];
  return funder === undefined ? null : { funder, between: way.slice(0, first) };
}

function largestFunder(mintCase: MintCase, wallet: Address, untilMs: number): Address | null {
  const [largest] = fundingsOf(mintCase, wallet)
    .filter(({ funder, sinceMs }) => sinceMs <= untilMs && isOwnPurse(mintCase, funder))
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

/** Everybody above a wallet, and how far; the wallet itself at no distance. */
type Trace = ReadonlyMap<Address, Reached>;

function trace(mintCase: MintCase, wallet: Address, untilMs: number): Trace {
  const reached = new Map<Address, Reached>([[wallet, { hops: 0, between: [], isShell: false }]]);
  let level: Address[] = [wallet];
  for (let hops = 1; hops <= HOPS_MAX; hops++) {
    const above: Address[] = [];
    // Shells join the level while it is walked: they are no hop of their own.
    for (const paid of level) {
      const between = wayUp(reached, paid);
      for (const funder of fundersOf(mintCase, paid, untilMs)) {
        if (reached.has(funder)) continue;
        const isPassing = isPassingOn(mintCase, funder, untilMs);
        reached.set(funder, { hops, between, isShell: isPassing });
        (isPassing ? level : above).push(funder);
      }
    }
    level = above;
  }
  return reached;
}

/** A shell that somebody stands behind: one that services alone have paid stands for itself. */
function isPassingOn(mintCase: MintCase, funder: Address, untilMs: number): boolean {
  return isShell(mintCase, funder) && fundersOf(mintCase, funder, untilMs).length > 0;
}

/** Who stands between the wallet that was begun with and whoever paid this one. */
function wayUp(reached: Trace, paid: Address): readonly Address[] {
  const way = reached.get(paid);
  return way === undefined || way.hops === 0 ? [] : [...way.between, paid];
}

/** Who paid a wallet up to a time and is a hand of its own, by address. */
function fundersOf(mintCase: MintCase, wallet: Address, untilMs: number): Address[] {
  const inTime = fundingsOf(mintCase, wallet).filter(({ sinceMs }) => sinceMs <= untilMs);
  return [...new Set(inTime.map(({ funder }) => funder))]
    .filter((funder) => isOwnPurse(mintCase, funder))
    .sort(compareText);
}

interface Candidate {
  hops: number;
  readonly wallets: Address[];
  readonly ways: Reached[];
}

function bestFunder(traces: ReadonlyMap<Address, Trace>): CommonFunder | null {
  const candidates = new Map<Address, Candidate>();
  for (const [wallet, reached] of traces) {
    for (const [funder, reach] of reached) {
      if (reach.isShell) continue;
      const known = candidates.get(funder) ?? { hops: 0, wallets: [], ways: [] };
      known.hops += reach.hops;
      known.wallets.push(wallet);
      known.ways.push(reach);
      candidates.set(funder, known);
    }
  }
  const [best] = [...candidates]
    .filter(([, { wallets }]) => wallets.length >= BACKED_MIN)
    .sort(
      ([oneName, one], [otherName, other]) =>
        other.wallets.length - one.wallets.length ||
        one.hops - other.hops ||
        compareText(oneName, otherName),
    );
  if (best === undefined) return null;
  const [funder, { wallets, ways }] = best;
  return {
    funder,
    wallets: wallets.sort(compareText),
    between: [...new Set(ways.flatMap(({ between }) => between))].sort(compareText),
    isDirect: ways.every(({ hops, between }) => hops <= 1 && between.length === 0),
  };
}
