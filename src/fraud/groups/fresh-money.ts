import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { firstBuysOf } from '../links/participants.ts';
import { byChainOrder } from '../readings/block-order.ts';
import type { Gates } from '../scoring/scoring-card.ts';
import { burstiness, usualBuyersPerSlot } from './burst-readings.ts';

/** Thresholds of a burst of fresh money. */
export const FRESH_MONEY_GATES = {
  freshMoneyMsMax: {
    value: 30 * 60_000,
    reason: 'Funds received so shortly before a purchase were sent for it.',
  },
  burstApartSlotsMax: {
    value: 5,
    reason: 'Maximum time between consecutive purchases: the same as for joint exits.',
  },
  burstWalletsMin: {
    value: 5,
    reason: 'So many at once are not a coincidence, as with a batch of withdrawals.',
  },
  burstSurpriseMin: {
    value: 4,
    reason: 'Probability of 10^-4 at the usual rate of buyers, the same as for joint exits.',
  },
} as const satisfies Gates;

/**
 * Link strength between a wallet of such a burst and the earlier sale: that of an exchange batch.
 */
export const FRESH_MONEY_STRENGTH = 0.6;

export interface BurstRead {
  readonly mintCase: MintCase;
  /** Buys that may belong to a burst. */
  readonly buys: readonly CaseTrade[];
  /** Earliest time of a payment that counts as funding of the burst. */
  readonly paidFromMs: number;
  /**
   * Wallets that are known to buy together: a burst contains them, but their number makes none of
   * the others improbable. None by default.
   */
  readonly known?: ReadonlySet<Address>;
}

const NOBODY: ReadonlySet<Address> = new Set();

/**
 * Bursts of first purchases of the mint by wallets that were paid shortly before, by an exchange or
 * any other payer: at least five of them in close succession, with a probability of at most one in
 * ten thousand at the usual rate of buyers. Money that goes through exchanges or many wallets
 * cannot be followed, but it appears in many wallets at once; programs that buy dips have their
 * money in advance. Each burst in block order, the earliest burst first.
 */
export function findFreshMoneyBursts({
  mintCase,
  buys,
  paidFromMs,
  known = NOBODY,
}: BurstRead): readonly (readonly CaseTrade[])[] {
  const firstBuys = firstBuysOf(mintCase);
  const candidates = buys.filter(
    (buy) =>
      firstBuys.get(buy.wallet) === buy && !buy.isTerminal && isPaid(mintCase, buy, paidFromMs),
  );
  return runsOf(candidates.sort(byChainOrder)).filter((run) => isSurprising(mintCase, run, known));
}

function isPaid(mintCase: MintCase, { wallet, timeMs }: CaseTrade, paidFromMs: number): boolean {
  const fromMs = Math.max(paidFromMs, timeMs - FRESH_MONEY_GATES.freshMoneyMsMax.value);
  const fundings = mintCase.wallets.get(wallet)?.fundings ?? [];
  return fundings.some(({ sinceMs, lastMs }) =>
    [sinceMs, lastMs].some((paidMs) => paidMs >= fromMs && paidMs <= timeMs),
  );
}

function runsOf(buys: readonly CaseTrade[]): CaseTrade[][] {
  const runs: CaseTrade[][] = [];
  for (const buy of buys) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const apart = last === undefined ? Number.POSITIVE_INFINITY : buy.slot - last.slot;
    if (apart <= FRESH_MONEY_GATES.burstApartSlotsMax.value) run?.push(buy);
    else runs.push([buy]);
  }
  return runs;
}

function isSurprising(
  mintCase: MintCase,
  run: readonly CaseTrade[],
  known: ReadonlySet<Address>,
): boolean {
  const [first] = run;
  const last = run.at(-1);
  if (first === undefined || last === undefined) return false;
  if (run.length < FRESH_MONEY_GATES.burstWalletsMin.value) return false;
  const usual = usualBuyersPerSlot(mintCase, {
    firstSlot: first.slot,
    firstMs: first.timeMs,
    lastSlot: last.slot,
    lastMs: last.timeMs,
  });
  const others = run.filter(({ wallet }) => !known.has(wallet)).length;
  const surprise = burstiness(others, usual, last.slot - first.slot + 1);
  return surprise >= FRESH_MONEY_GATES.burstSurpriseMin.value;
}
