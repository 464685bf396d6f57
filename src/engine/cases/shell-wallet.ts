import type { PaymentFlow } from '../../fraud/cases/payment-row.ts';
import type { CaseSources } from './case-sources.ts';

/**
 * A shell wallet forwards nearly everything within a day and does nothing else (METHODS §13.3): at
 * most three transactions of its own, none of them a trade.
 */
const SHELL = { transactionsMax: 3, passedPercentMin: 95n, withinMs: 86_400_000 } as const;

/**
 * Whether a wallet, given by its number, only forwarded funds: its funder then stands for it. False
 * for -1.
 */
export function isShellWallet({ cases, walletBooks }: CaseSources, wallet: number): boolean {
  const logs = cases.lists.paymentLogs;
  const transactions = logs.walletById(wallet)?.transactions ?? 0;
  if (transactions === 0 || transactions > SHELL.transactionsMax) return false;
  if (walletBooks.wallets.has(wallet) || cases.trails.hasById(wallet)) return false;
  const sent = logs.readFlows(logs.paidById(wallet));
  return sent.length > 0 && isPassedOn(logs.receivedPayments(wallet).flows, sent);
}

/**
 * Whether nearly all that was received was sent on in time; both in block order. What arrives after
 * the last of it was sent does not count: anybody can pay a wallet, so a later payment must not
 * change what the wallet was.
 */
export function isPassedOn(
  received: readonly PaymentFlow[],
  sent: readonly PaymentFlow[],
): boolean {
  const passed = sent.filter(({ timeMs }) =>
    received.some((paid) => paid.timeMs <= timeMs && timeMs - paid.timeMs <= SHELL.withinMs),
  );
  const last = passed.at(-1);
  if (last === undefined) return false;
  const before = received.filter(({ slot }) => slot <= last.slot);
  return sumOf(passed) * 100n >= sumOf(before) * SHELL.passedPercentMin;
}

function sumOf(payments: readonly PaymentFlow[]): bigint {
  return payments.reduce((sum, { lamports }) => sum + lamports, 0n);
}
