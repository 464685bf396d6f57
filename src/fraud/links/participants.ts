import type { CaseTrade, MintCase, TransactionRef } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { byChainOrder, compareText } from '../readings/block-order.ts';
import { isTrader } from '../readings/traders.ts';
import { ancestorsOf } from './funding-paths.ts';

const FIRST_BUYERS_MAX = 500;
/** As many as one cluster may have: what it costs to link them is bounded by it. */
export const PARTICIPANTS_MAX = 512;
/** One part in so many of the supply: 0.25 %. */
const SUPPLY_PARTS = 400n;

/** The first buy of each wallet; the legs of an arbitrage are nobody's purchase. Trades in block order. */
export function firstBuysOf({ trades }: MintCase): ReadonlyMap<Address, CaseTrade> {
  const firsts = new Map<Address, CaseTrade>();
  for (const trade of trades) {
    if (trade.side !== 'buy' || trade.isArbitrage || firsts.has(trade.wallet)) continue;
    firsts.set(trade.wallet, trade);
  }
  return firsts;
}

/**
 * The wallets of which a mint's clusters are made (METHODS §7.1): its creator and who paid for it,
 * who ever held 0.25 % of the supply, who provided liquidity, the first 500 buyers, and whoever got
 * tokens from one of these. Never an exchange, hub, sponsor or other service. Where they are more than
 * 512, the former come before the latter, of holders the largest first: who had little and came late
 * moves nothing. By address.
 */
export function participantsOf(
  mintCase: MintCase,
  firstBuys: ReadonlyMap<Address, CaseTrade>,
): ReadonlySet<Address> {
  const creator = mintCase.launch?.creator ?? null;
  const named = [
    ...(creator === null ? [] : [creator, ...ancestorsOf(mintCase, creator).keys()]),
    ...largeHolders(mintCase),
    ...mintCase.liquidity.map(({ provider }) => provider),
    ...[...firstBuys.keys()].slice(0, FIRST_BUYERS_MAX),
  ];
  // Counted before services are left out: else one more service would let one more wallet in.
  const counted = new Set([...new Set(named)].slice(0, PARTICIPANTS_MAX));
  const found = new Set([...counted].filter((wallet) => isTrader(mintCase, wallet)));
  const given = Map.groupBy(mintCase.transfers, ({ from }) => from);
  // Grows while it is walked: receivers pass tokens on.
  for (const wallet of found) {
    for (const { to } of given.get(wallet) ?? []) {
      if (counted.size >= PARTICIPANTS_MAX) break;
      counted.add(to);
      if (isTrader(mintCase, to)) found.add(to);
    }
  }
  return new Set([...found].sort());
}

/** Who holds 0.25 % of the supply now, or held it after some transaction of the case; who had most first. */
function largeHolders(mintCase: MintCase): readonly Address[] {
  const isLarge = (heldRaw: bigint) => heldRaw > 0n && heldRaw * SUPPLY_PARTS >= mintCase.supplyRaw;
  const mostRaw = new Map<Address, bigint>();
  const note = (wallet: Address, raw: bigint): void => {
    if (isLarge(raw) && raw > (mostRaw.get(wallet) ?? 0n)) mostRaw.set(wallet, raw);
  };
  for (const { address, balanceRaw } of mintCase.wallets.values()) note(address, balanceRaw);
  const heldRaw = new Map<Address, bigint>();
  const mayBeLarge = gainersOf(mintCase);
  if (mayBeLarge.size === 0) return byAmount(mostRaw);
  for (const { wallet, amountRaw } of changesOf(mintCase, mayBeLarge)) {
    // What a wallet had before the case begins is unknown: it cannot have less than nothing.
    const sum = (heldRaw.get(wallet) ?? 0n) + amountRaw;
    heldRaw.set(wallet, sum < 0n ? 0n : sum);
    note(wallet, sum);
  }
  return byAmount(mostRaw);
}

function byAmount(mostRaw: ReadonlyMap<Address, bigint>): readonly Address[] {
  return [...mostRaw]
    .sort(
      ([oneName, one], [otherName, other]) =>
        Number(other - one) || compareText(oneName, otherName),
    )
    .map(([wallet]) => wallet);
}

/** Sums of doubles err by less than this part of themselves. */
const SUM_ERROR = 1e-6;

/**
 * Who got so much over all the case that it may have held 0.25 % of the supply at some time: nobody
 * holds more than ever came in.
 */
function gainersOf({ trades, transfers, supplyRaw }: MintCase): ReadonlySet<Address> {
  const gained = new Map<Address, number>();
  const note = (wallet: Address, raw: bigint): void => {
    gained.set(wallet, (gained.get(wallet) ?? 0) + Number(raw));
  };
  for (const { wallet, side, baseRaw } of trades) if (side === 'buy') note(wallet, baseRaw);
  for (const { to, amountRaw } of transfers) note(to, amountRaw);
  const leastRaw = (Number(supplyRaw) / Number(SUPPLY_PARTS)) * (1 - SUM_ERROR);
  const enough = [...gained].filter(([, raw]) => raw > 0 && raw >= leastRaw);
  return new Set(enough.map(([wallet]) => wallet));
}

interface HoldingChange {
  readonly place: TransactionRef;
  readonly wallet: Address;
  readonly amountRaw: bigint;
}

/** Of these wallets in block order; within a transaction what leaves stands before what comes. */
function changesOf(
  { trades, transfers }: MintCase,
  wallets: ReadonlySet<Address>,
): readonly HoldingChange[] {
  const changes: HoldingChange[] = [];
  for (const trade of trades) {
    const { wallet, side, baseRaw } = trade;
    if (!wallets.has(wallet)) continue;
    changes.push({ place: trade, wallet, amountRaw: side === 'buy' ? baseRaw : 0n - baseRaw });
  }
  for (const transfer of transfers) {
    const { from, to, amountRaw } = transfer;
    if (wallets.has(from))
      changes.push({ place: transfer, wallet: from, amountRaw: 0n - amountRaw });
    if (wallets.has(to)) changes.push({ place: transfer, wallet: to, amountRaw: amountRaw + 0n });
  }
  return changes.sort(
    (one, other) =>
      byChainOrder(one.place, other.place) || (one.amountRaw < other.amountRaw ? -1 : 1),
  );
}
