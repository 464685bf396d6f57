import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { isPersonalWallet } from '../links/funding-paths.ts';
import { compareText } from '../readings/block-order.ts';
import type { Gates } from '../scoring/scoring-card.ts';

/** Thresholds of money from services (METHODS §13.3). */
export const SERVICE_MONEY_GATES = {
  withdrawalsApartMs: {
    value: 10 * 60_000,
    reason: 'Withdrawals for one purpose are made one after the other, as in an exchange batch.',
  },
  amountFactorMax: {
    value: 2,
    reason: 'Wallets with one task get about as much; amounts are blurred, not of another size.',
  },
} as const satisfies Gates;

interface Withdrawal {
  readonly wallet: Address;
  readonly timeMs: number;
  readonly lamports: bigint;
}

/**
 * Wallets whose last money before their first trade came from exchanges or other services, within
 * minutes of others of these wallets and in amounts of the same size, whichever services they were.
 * `sinceMs` maps each wallet to its first trade.
 */
export function paidAlike(
  mintCase: MintCase,
  sinceMs: ReadonlyMap<Address, number>,
): ReadonlySet<Address> {
  const withdrawals = [...sinceMs]
    .flatMap(([wallet, beforeMs]) => lastWithdrawal(mintCase, wallet, beforeMs) ?? [])
    .sort((one, other) => one.timeMs - other.timeMs || compareText(one.wallet, other.wallet));
  const alike = new Set<Address>();
  for (const [index, one] of withdrawals.entries()) {
    for (const other of withdrawals.slice(index + 1)) {
      if (other.timeMs - one.timeMs > SERVICE_MONEY_GATES.withdrawalsApartMs.value) break;
      if (isAlike(one.lamports, other.lamports)) alike.add(one.wallet).add(other.wallet);
    }
  }
  return alike;
}

function lastWithdrawal(mintCase: MintCase, wallet: Address, beforeMs: number): Withdrawal | null {
  let last: Withdrawal | null = null;
  for (const { funder, lamports, lastMs, sinceMs } of mintCase.wallets.get(wallet)?.fundings ??
    []) {
    const timeMs = lastMs <= beforeMs ? lastMs : sinceMs;
    if (timeMs > beforeMs || (last !== null && last.timeMs >= timeMs)) continue;
    if (!isPersonalWallet(mintCase, funder)) last = { wallet, timeMs, lamports };
  }
  return last;
}

function isAlike(one: bigint, other: bigint): boolean {
  const [less, more] = one < other ? [one, other] : [other, one];
  return more <= less * BigInt(SERVICE_MONEY_GATES.amountFactorMax.value);
}
