import type { PaymentFlow } from '../../fraud/cases/payment-row.ts';
import type { CaseClass, CaseFunding } from '../../model/mint-case.ts';
import type { Address, Lamports, Slot } from '../../model/units.ts';
import type { CaseSources } from './case-sources.ts';

/** A wallet as what it paid and was paid shows it. */
export interface PaidWallet extends CaseSources {
  readonly address: Address;
}

/** Since when a wallet is known. */
interface Sight {
  readonly slot: Slot;
  readonly timeMs: number;
}

/** Funders that are told of a wallet (METHODS §7.1), and how fast a payment says less. */
const FUNDINGS_MAX = 4;
const STRENGTH_SCALE_MS = 7 * 86_400_000;
/** Who passes on nearly everything at once and does nothing else (METHODS §7.1). */
const SHELL = { transactionsMax: 3, passedPercentMin: 95n, withinMs: 60_000 } as const;
/** Services whose payments fund somebody; those of others are rewards, fees and trades. */
const FUNDING_CLASSES: ReadonlySet<CaseClass> = new Set<CaseClass>([
  'cex',
  'bridge',
  'hub',
  'sponsor',
  'market_maker',
  'mev_searcher',
]);

/** Null for a wallet that may be older than what is known of it. */
export function readSight({ cases, walletBooks, address }: PaidWallet): Sight | null {
  const sight = cases.lists.paymentLogs.sightOf(address);
  const first = walletBooks.funding.firstFunding(address);
  if (sight === null) return first;
  if (sight.isOlder) return null;
  return first !== null && first.slot < sight.slot ? first : sight;
}

/** Who paid it, strongest first: each payment weighs e^(-age / 7 d). */
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

/** Strength and sum of what each funder paid. */
interface FundingSum {
  readonly strength: number;
  readonly funding: CaseFunding;
}

function edgesOf(payments: readonly PaymentFlow[], nowMs: number): FundingSum[] {
  const edges = new Map<Address, FundingSum>();
  for (const { from: funder, lamports, timeMs, slot } of payments) {
    const known = edges.get(funder);
    const strength = Number(lamports) * Math.exp((timeMs - nowMs) / STRENGTH_SCALE_MS);
    const paid = ((known?.funding.lamports ?? 0n) + lamports) as Lamports;
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

/** Of a wallet whose payments made room for others there is still the first one. */
function forgottenFunding({ walletBooks, address }: PaidWallet): CaseFunding | null {
  const first = walletBooks.funding.firstFunding(address);
  if (first === null) return null;
  const { funder, lamports, timeMs, slot } = first;
  return { funder, lamports, sinceMs: timeMs, lastMs: timeMs, slot };
}

/** Passed on nearly everything at once and did nothing else: whoever paid it is meant. */
export function seemsShell({ cases, walletBooks, address }: PaidWallet): boolean {
  const logs = cases.lists.paymentLogs;
  const transactions = logs.sightOf(address)?.transactions ?? 0;
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
