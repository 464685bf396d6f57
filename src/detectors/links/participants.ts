import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { byPlace } from '../block-order.ts';
import { isTrader } from '../traders.ts';
import { ancestorsOf } from './funding-paths.ts';

const FIRST_BUYERS_MAX = 500;
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
 * the first 500 buyers, who ever held 0.25 % of the supply, who provided liquidity, and whoever got
 * tokens from one of these. Never an exchange, hub, sponsor or other service. By address.
 */
export function participantsOf(
  mintCase: MintCase,
  firstBuys: ReadonlyMap<Address, CaseTrade>,
): ReadonlySet<Address> {
  const creator = mintCase.launch?.creator ?? null;
  const named = [
    ...(creator === null ? [] : [creator, ...ancestorsOf(mintCase, creator).keys()]),
    // Counted before services are left out: else one more service would let one more wallet in.
    ...[...firstBuys.keys()].slice(0, FIRST_BUYERS_MAX),
    ...largeHolders(mintCase),
    ...mintCase.liquidity.map(({ provider }) => provider),
  ];
  const found = new Set(named.filter((wallet) => isTrader(mintCase, wallet)));
  const given = Map.groupBy(mintCase.transfers, ({ from }) => from);
  // Grows while it is walked: receivers pass tokens on.
  for (const wallet of found) {
    for (const { to } of given.get(wallet) ?? []) if (isTrader(mintCase, to)) found.add(to);
  }
  return new Set([...found].sort());
}

/** Who holds 0.25 % of the supply now, or held it after some transaction of the case. */
function largeHolders(mintCase: MintCase): readonly Address[] {
  const isLarge = (heldRaw: bigint) => heldRaw > 0n && heldRaw * SUPPLY_PARTS >= mintCase.supplyRaw;
  const large = new Set<Address>();
  for (const { address, balanceRaw } of mintCase.wallets.values()) {
    if (isLarge(balanceRaw)) large.add(address);
  }
  const heldRaw = new Map<Address, bigint>();
  for (const { wallet, amountRaw } of changesOf(mintCase)) {
    // What a wallet had before the case begins is unknown: it cannot have less than nothing.
    const sum = (heldRaw.get(wallet) ?? 0n) + amountRaw;
    heldRaw.set(wallet, sum < 0n ? 0n : sum);
    if (isLarge(sum)) large.add(wallet);
  }
  return [...large];
}

/** In block order; within a transaction what leaves stands before what comes. */
function changesOf({ trades, transfers }: MintCase) {
  const changes = [
    ...trades.map((trade) => ({
      place: trade,
      wallet: trade.wallet,
      amountRaw: trade.side === 'buy' ? trade.baseRaw : 0n - trade.baseRaw,
    })),
    ...transfers.flatMap((transfer) => [
      { place: transfer, wallet: transfer.from, amountRaw: 0n - transfer.amountRaw },
      { place: transfer, wallet: transfer.to, amountRaw: transfer.amountRaw + 0n },
    ]),
  ];
  return changes.sort(
    (one, other) => byPlace(one.place, other.place) || (one.amountRaw < other.amountRaw ? -1 : 1),
  );
}
