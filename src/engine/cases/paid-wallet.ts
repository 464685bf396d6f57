import type { PaymentFlow } from '../../fraud/cases/payment-row.ts';
import type { CaseClass, CaseFunding } from '../../model/mint-case.ts';
import { type Address, asLamports, type Slot } from '../../model/units.ts';
import type { CaseSources } from './case-sources.ts';

/** A wallet and the sources that its payments are read from. */
export interface PaidWallet extends CaseSources {
  readonly address: Address;
}

/** The first time a wallet was seen. */
interface FirstSeen {
  readonly slot: Slot;
  readonly timeMs: number;
}

/**
 * Maximum number of funders returned for a wallet (METHODS §7.1), and the decay time of a payment.
 */
const FUNDINGS_MAX = 4;
const STRENGTH_SCALE_MS = 7 * 86_400_000;
/** A shell wallet forwards nearly everything at once and does nothing else (METHODS §7.1). */
const SHELL = { transactionsMax: 3, passedPercentMin: 95n, withinMs: 60_000 } as const;
/** Services whose payments count as funding; payments of others are rewards, fees and trades. */
const FUNDING_CLASSES: ReadonlySet<CaseClass> = new Set<CaseClass>([
  'cex',
  'bridge',
  'hub',
  'sponsor',
  'market_maker',
  'mev_searcher',
]);

/** The first time the wallet was seen; null for a wallet that may be older than that. */
export function readFirstSeen({ cases, walletBooks, address }: PaidWallet): FirstSeen | null {
  const wallet = cases.lists.paymentLogs.walletOf(address);
  const first = walletBooks.funding.firstFunding(address);
  if (wallet === null) return first;
  if (wallet.isOlder) return null;
  return first !== null && first.slot < wallet.slot ? first : wallet;
}

/** The funders of a wallet, strongest first: the weight of each payment is e^(-age / 7 d). */
export function readFundings(
  wallet: PaidWallet,
  classOf: (address: Address) => CaseClass | null,
): { readonly firstFunding: CaseFunding | null; readonly fundings: readonly CaseFunding[] } {
  const { cases, address, timeMs } = wallet;
  const logs = cases.lists.paymentLogs;
  const isFunder = (payer: Address) => {
    const known = classOf(payer);
    return known === null || FUNDING_CLASSES.has(known);
  };
  const entries = logs.receivedBy(address).filter((entry) => isFunder(logs.payerOf(entry)));
  const edges = edgesOf(logs.readFlows(entries), timeMs);
  const fundings = edges.slice(0, FUNDINGS_MAX).map(({ funding }) => funding);
  const [first] = edges.map(({ funding }) => funding).sort((one, other) => one.slot - other.slot);
  return { firstFunding: first ?? forgottenFunding(wallet), fundings };
}

/** Decayed strength and plain sum of the payments of one funder. */
interface FundingSum {
  readonly strength: number;
  readonly funding: CaseFunding;
}

function edgesOf(payments: readonly PaymentFlow[], nowMs: number): FundingSum[] {
  const edges = new Map<Address, FundingSum>();
  for (const { from: funder, lamports, timeMs, slot } of payments) {
    const known = edges.get(funder);
    const strength = Number(lamports) * Math.exp((timeMs - nowMs) / STRENGTH_SCALE_MS);
    const paid = asLamports((known?.funding.lamports ?? 0n) + lamports);
    const { sinceMs, slot: sinceSlot } = known?.funding ?? { sinceMs: timeMs, slot };
    edges.set(funder, {
      strength: (known?.strength ?? 0) + strength,
      funding: { funder, lamports: paid, sinceMs, lastMs: timeMs, slot: sinceSlot },
    });
  }
  return [...edges.values()].sort(
    (one, other) =>
      other.strength - one.strength || (one.funding.funder < other.funding.funder ? -1 : 1),
  );
}

/** The first funding, which is kept when the payment rows of a wallet have been evicted. */
function forgottenFunding({ walletBooks, address }: PaidWallet): CaseFunding | null {
  const first = walletBooks.funding.firstFunding(address);
  if (first === null) return null;
  const { funder, lamports, timeMs, slot } = first;
  return { funder, lamports, sinceMs: timeMs, lastMs: timeMs, slot };
}

/** Whether the wallet only forwarded funds: its funder then stands for it. */
export function isShellWallet({ cases, walletBooks, address }: PaidWallet): boolean {
  const logs = cases.lists.paymentLogs;
  const transactions = logs.walletOf(address)?.transactions ?? 0;
  if (transactions === 0 || transactions > SHELL.transactionsMax) return false;
  const id = walletBooks.ids.find(address);
  if (cases.trails.has(address) || (id !== -1 && walletBooks.wallets.has(id))) return false;
  const received = logs.readFlows(logs.receivedBy(address));
  const sent = logs.readFlows(logs.paidBy(address));
  if (received.length === 0 || sent.length === 0) return false;
  const passed = sent.filter(({ timeMs }) =>
    received.some((paid) => paid.timeMs <= timeMs && timeMs - paid.timeMs <= SHELL.withinMs),
  );
  return sumOf(passed) * 100n >= sumOf(received) * SHELL.passedPercentMin;
}

function sumOf(payments: readonly PaymentFlow[]): bigint {
  return payments.reduce((sum, { lamports }) => sum + lamports, 0n);
}
