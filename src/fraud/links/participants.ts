import type { CaseTrade, MintCase, TransactionRef } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { byChainOrder, compareText } from '../readings/block-order.ts';
import { isTrader } from '../readings/traders.ts';
import { ancestorsOf } from './funding-paths.ts';

const FIRST_BUYERS_MAX = 500;
/**
 * Maximum number of participants, and thereby of the size of a cluster: bounds the cost of linking.
 */
export const PARTICIPANTS_MAX = 512;
/** Divisor of the supply for large holders: 1/400 is 0.25 %. */
const SUPPLY_PARTS = 400n;

/** The first buy of each wallet, without legs of arbitrage. Trades must be in block order. */
export function firstBuysOf({ trades }: MintCase): ReadonlyMap<Address, CaseTrade> {
  const firsts = new Map<Address, CaseTrade>();
  for (const trade of trades) {
    if (trade.side !== 'buy' || trade.isArbitrage || firsts.has(trade.wallet)) continue;
    firsts.set(trade.wallet, trade);
  }
  return firsts;
}

/**
 * The wallets that clusters of a mint consist of (METHODS §7.1): its creator and that wallet's
 * funders, wallets that ever held 0.25 % of the supply, liquidity providers, the first 500 buyers,
 * and receivers of tokens from any of these. Exchanges, hubs, sponsors and other services are
 * excluded. At most 512, preferred in that order, holders by size: late wallets with small holdings
 * have no influence. By address.
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
  // Counted before services are removed: otherwise one more service would admit one more wallet.
  const counted = new Set([...new Set(named)].slice(0, PARTICIPANTS_MAX));
  const found = new Set([...counted].filter((wallet) => isTrader(mintCase, wallet)));
  const given = Map.groupBy(mintCase.transfers, ({ from }) => from);
  // The set grows during the iteration: receivers pass tokens on.
  for (const wallet of found) {
    for (const { to } of given.get(wallet) ?? []) {
      if (counted.size >= PARTICIPANTS_MAX) break;
      counted.add(to);
      if (isTrader(mintCase, to)) found.add(to);
    }
  }
  return new Set([...found].sort());
}

/**
 * Wallets that hold 0.25 % of the supply, or held it after any transaction of the case; largest
 * first.
 */
function largeHolders(mintCase: MintCase): readonly Address[] {
  const leastRaw = leastLargeRaw(mintCase.supplyRaw);
  const mostRaw = new Map<Address, bigint>();
  const note = (wallet: Address, raw: bigint): void => {
    if (raw >= leastRaw && raw > (mostRaw.get(wallet) ?? 0n)) mostRaw.set(wallet, raw);
  };
  for (const { address, balanceRaw } of mintCase.wallets.values()) note(address, balanceRaw);
  const heldRaw = new Map<Address, bigint>();
  const mayBeLarge = gainersOf(mintCase);
  if (mayBeLarge.size === 0) return byAmount(mostRaw);
  for (const { wallet, amountRaw } of changesOf(mintCase, mayBeLarge)) {
    // The balance before the start of the case is unknown, but it cannot become negative.
    const sum = (heldRaw.get(wallet) ?? 0n) + amountRaw;
    heldRaw.set(wallet, sum < 0n ? 0n : sum);
    note(wallet, sum);
  }
  return byAmount(mostRaw);
}

/** The smallest large holding: 0.25 % of the supply, rounded up, and at least one unit. */
function leastLargeRaw(supplyRaw: bigint): bigint {
  const partRaw = (supplyRaw + SUPPLY_PARTS - 1n) / SUPPLY_PARTS;
  return partRaw > 0n ? partRaw : 1n;
}

function byAmount(mostRaw: ReadonlyMap<Address, bigint>): readonly Address[] {
  return [...mostRaw]
    .sort(
      ([oneName, one], [otherName, other]) =>
        Number(other - one) || compareText(oneName, otherName),
    )
    .map(([wallet]) => wallet);
}

/** Upper bound of the relative error of sums of doubles. */
const SUM_ERROR = 1e-6;

/**
 * Wallets that received enough over the whole case to have held 0.25 % of the supply at some time:
 * no wallet holds more than it received.
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
  readonly ref: TransactionRef;
  readonly wallet: Address;
  readonly amountRaw: bigint;
}

/** Changes of these wallets in block order; within a transaction outgoing before incoming. */
function changesOf(
  { trades, transfers }: MintCase,
  wallets: ReadonlySet<Address>,
): readonly HoldingChange[] {
  const changes: HoldingChange[] = [];
  for (const trade of trades) {
    const { wallet, side, baseRaw } = trade;
    if (!wallets.has(wallet)) continue;
    changes.push({ ref: trade, wallet, amountRaw: side === 'buy' ? baseRaw : 0n - baseRaw });
  }
  for (const transfer of transfers) {
    const { from, to, amountRaw } = transfer;
    if (wallets.has(from)) changes.push({ ref: transfer, wallet: from, amountRaw: 0n - amountRaw });
    if (wallets.has(to)) changes.push({ ref: transfer, wallet: to, amountRaw: amountRaw + 0n });
  }
  return changes.sort(
    (one, other) => byChainOrder(one.ref, other.ref) || (one.amountRaw < other.amountRaw ? -1 : 1),
  );
}
