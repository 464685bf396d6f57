import { type InvolvedWallet, WALLET_ROLES, type WalletRole } from '../../model/fraud.ts';
import type { CasePayment, MintCase } from '../../model/mint-case.ts';
import { type Address, asLamports, asRawAmount, asSlot, type Slot } from '../../model/units.ts';
import { compareText } from '../readings/block-order.ts';
import { paymentsFrom } from '../readings/payments-from.ts';
import { isTrader } from '../readings/traders.ts';

/** A role of a wallet. Of several claims for one address the most severe role is used. */
export type RoleClaim = readonly [wallet: Address, role: WalletRole];

/** A sender to more recipients than this is an airdrop, not forwarding (METHODS §7.1, T-token). */
const RECIPIENTS_MAX = 50;
/**
 * Minimum part of sale proceeds that makes a receiver their destination (METHODS §7.1, F-sweep).
 */
const SWEPT_PERCENT_MIN = 70n;
const SWEEP_MS = 24 * 3_600_000;

/**
 * The wallets of a finding with their activity in the mint, ordered by role (attackers first) and
 * address.
 */
export function involveWallets(
  mintCase: MintCase,
  claims: Iterable<RoleClaim>,
  labels: ReadonlyMap<Address, readonly string[]> = new Map(),
): InvolvedWallet[] {
  const roles = strongestRoles(claims);
  const parts = new Map([...roles.keys()].map((wallet) => [wallet, newPart()]));
  addTrades(parts, mintCase);
  const involved = [...roles].map(([address, role]) => {
    const { acquiredRaw, spent, received, firstSlot } = parts.get(address) ?? newPart();
    return {
      address,
      role,
      tokensAcquiredRaw: asRawAmount(acquiredRaw),
      spentLamports: asLamports(spent),
      receivedLamports: asLamports(received),
      firstSeenSlot: firstSlot ?? firstKnownSlot(mintCase, address),
      labels: labels.get(address) ?? [],
    };
  });
  return involved.sort(
    (one, other) =>
      WALLET_ROLES.indexOf(one.role) - WALLET_ROLES.indexOf(other.role) ||
      compareText(one.address, other.address),
  );
}

/**
 * Receivers outside of the group of its tokens, or of the proceeds of its sales, from a slot on.
 * Shells are followed through and claimed as intermediaries.
 */
export function findDestinations(
  mintCase: MintCase,
  group: ReadonlySet<Address>,
  fromSlot: Slot,
): RoleClaim[] {
  const isOutside = (wallet: Address) => !group.has(wallet) && isTrader(mintCase, wallet);
  const receivers = [
    ...tokenReceivers(mintCase, group, fromSlot),
    ...proceedsReceivers(mintCase, group, fromSlot),
  ];
  return receivers
    .filter(isOutside)
    .map((wallet) => [
      wallet,
      mintCase.wallets.get(wallet)?.isShell ? 'intermediary' : 'destination',
    ]);
}

function strongestRoles(claims: Iterable<RoleClaim>): Map<Address, WalletRole> {
  const roles = new Map<Address, WalletRole>();
  for (const [wallet, role] of claims) {
    const known = roles.get(wallet);
    if (known === undefined || WALLET_ROLES.indexOf(role) < WALLET_ROLES.indexOf(known)) {
      roles.set(wallet, role);
    }
  }
  return roles;
}

interface Part {
  /** Tokens bought, or received without a trade. */
  acquiredRaw: bigint;
  spent: bigint;
  received: bigint;
  /** First slot of its activity in the mint. */
  firstSlot: Slot | null;
}

function newPart(): Part {
  return { acquiredRaw: 0n, spent: 0n, received: 0n, firstSlot: null };
}

function addTrades(parts: ReadonlyMap<Address, Part>, mintCase: MintCase): void {
  const partOf = (wallet: Address, slot: Slot): Part | undefined => {
    const part = parts.get(wallet);
    if (part && (part.firstSlot === null || slot < part.firstSlot)) part.firstSlot = slot;
    return part;
  };
  const { launch, trades, transfers, liquidity } = mintCase;
  if (launch?.creator) partOf(launch.creator, launch.slot);
  for (const { wallet, slot, side, baseRaw, lamports } of trades) {
    const part = partOf(wallet, slot);
    if (part === undefined) continue;
    if (side === 'sell') part.received += lamports;
    else {
      part.spent += lamports;
      part.acquiredRaw += baseRaw;
    }
  }
  for (const { from, to, slot, amountRaw } of transfers) {
    partOf(from, slot);
    const part = partOf(to, slot);
    if (part !== undefined) part.acquiredRaw += amountRaw;
  }
  for (const { provider, slot } of liquidity) partOf(provider, slot);
}

/** First slot of a wallet without activity in the mint: of its payments and known fundings. */
function firstKnownSlot({ slot, wallets }: MintCase, address: Address): Slot {
  const wallet = wallets.get(address);
  // No payment is earlier than the slot in which a wallet was first seen.
  const seenSlot = wallet?.firstSeenSlot ?? wallet?.firstPaymentSlot ?? slot;
  return asSlot(Math.min(wallet?.firstFunding?.slot ?? slot, seenSlot));
}

function tokenReceivers(
  { transfers }: MintCase,
  group: ReadonlySet<Address>,
  fromSlot: Slot,
): Address[] {
  const sent = new Map<Address, Set<Address>>();
  for (const { from, to, slot } of transfers) {
    if (!group.has(from) || slot < fromSlot) continue;
    const receivers = sent.get(from) ?? new Set();
    sent.set(from, receivers.add(to));
  }
  return [...sent.values()]
    .filter(({ size }) => size <= RECIPIENTS_MAX)
    .flatMap((receivers) => [...receivers]);
}

interface Proceeds {
  readonly lamports: bigint;
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * Receivers of most of the sale proceeds of a wallet of the group, including shells on the path.
 */
function proceedsReceivers(
  mintCase: MintCase,
  group: ReadonlySet<Address>,
  fromSlot: Slot,
): Address[] {
  const sentBy = paymentsFrom(mintCase);
  const sales = proceedsOf(mintCase, group, fromSlot);
  const receivers: Address[] = [];
  const seen = new Set(sales.map(([wallet]) => wallet));
  // The list grows during the iteration: a shell forwards what it received.
  for (const [wallet, proceeds] of sales) {
    for (const [to, lamports] of sweptFrom(sentBy(wallet, proceeds.firstMs), proceeds)) {
      receivers.push(to);
      if (!mintCase.wallets.get(to)?.isShell || seen.has(to)) continue;
      seen.add(to);
      sales.push([to, { ...proceeds, lamports }]);
    }
  }
  return receivers;
}

function proceedsOf(
  { trades }: MintCase,
  group: ReadonlySet<Address>,
  fromSlot: Slot,
): [Address, Proceeds][] {
  const sales = new Map<Address, Proceeds>();
  for (const { wallet, side, slot, timeMs, lamports } of trades) {
    if (side === 'buy' || !group.has(wallet) || slot < fromSlot) continue;
    const known = sales.get(wallet) ?? { lamports: 0n, firstMs: timeMs, lastMs: timeMs };
    sales.set(wallet, {
      lamports: known.lamports + lamports,
      firstMs: Math.min(known.firstMs, timeMs),
      lastMs: Math.max(known.lastMs, timeMs),
    });
  }
  return [...sales];
}

/** Receivers of most of the proceeds, within a day after the last sale; `payments` begin with it. */
function sweptFrom(
  payments: readonly CasePayment[],
  { lamports, lastMs }: Proceeds,
): [Address, bigint][] {
  const inTime = payments.filter(({ timeMs }) => timeMs <= lastMs + SWEEP_MS);
  return [...sumByReceiver(inTime)].filter(
    ([, paid]) => paid * 100n >= lamports * SWEPT_PERCENT_MIN,
  );
}

function sumByReceiver(payments: readonly CasePayment[]): Map<Address, bigint> {
  const sums = new Map<Address, bigint>();
  for (const { to, lamports } of payments) sums.set(to, (sums.get(to) ?? 0n) + lamports);
  return sums;
}
