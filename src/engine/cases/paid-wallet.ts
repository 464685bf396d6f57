import type { PaymentFlow } from '../../fraud/cases/payment-row.ts';
import type { CaseClass, CaseFunding } from '../../model/mint-case.ts';
import { type Address, asLamports, type Slot } from '../../model/units.ts';
import type { CaseClasses } from './case-classes.ts';
import type { CaseSources } from './case-sources.ts';

/** The first time a wallet was seen. */
interface FirstSeen {
  readonly slot: Slot;
  readonly timeMs: number;
}

/**
 * Maximum number of funders returned for a wallet (METHODS §7.1), and the decay time of a payment.
 */
const FUNDINGS_MAX = 4;
/** Funders of the first payments are returned besides, so that no later payment hides them. */
const FIRST_PAYMENTS = 4;
const STRENGTH_SCALE_MS = 7 * 86_400_000;
/** Shared: many wallets have no known funder. */
const NO_FUNDINGS: readonly CaseFunding[] = [];
/** Services whose payments count as funding; payments of others are rewards, fees and trades. */
const FUNDING_CLASSES: ReadonlySet<CaseClass> = new Set<CaseClass>([
  'cex',
  'bridge',
  'hub',
  'sponsor',
  'market_maker',
  'mev_searcher',
]);

/**
 * The first time a wallet, given by its number, was seen; null for one that may be older than that,
 * and for -1.
 */
export function readFirstSeen(
  { cases, walletBooks }: CaseSources,
  wallet: number,
): FirstSeen | null {
  const paid = cases.lists.paymentLogs.walletById(wallet);
  const first = walletBooks.funding.firstFundingById(wallet);
  if (paid === null) return first;
  if (paid.isOlder) return null;
  return first !== null && first.slot < paid.slot ? first : paid;
}

/**
 * The funders of a wallet, given by its number, strongest first: the weight of each payment is
 * e^(-age / 7 d). None for -1.
 */
export function readFundings(
  sources: CaseSources,
  wallet: number,
  classes: CaseClasses,
): { readonly firstFunding: CaseFunding | null; readonly fundings: readonly CaseFunding[] } {
  const logs = sources.cases.lists.paymentLogs;
  const flows = logs.receivedFlowsById(wallet).filter(({ payer }) => {
    const known = classes.ofId(payer);
    return known === null || FUNDING_CLASSES.has(known);
  });
  const fundings = fundingsOf(flows, sources.timeMs);
  let [firstFunding = null] = fundings;
  for (const funding of fundings) {
    if (firstFunding !== null && funding.slot < firstFunding.slot) firstFunding = funding;
  }
  return {
    firstFunding: firstFunding ?? forgottenFunding(sources, wallet),
    fundings: fundings.length > FUNDINGS_MAX ? firstAndStrongest(fundings, flows) : fundings,
  };
}

/** `fundings` strongest first, `flows` oldest first. */
function firstAndStrongest(
  fundings: readonly CaseFunding[],
  flows: readonly PaymentFlow[],
): readonly CaseFunding[] {
  const first = new Set(flows.slice(0, FIRST_PAYMENTS).map(({ from }) => from));
  return fundings.filter(({ funder }, place) => place < FUNDINGS_MAX || first.has(funder));
}

/** The payments of each funder as one, strongest first. */
function fundingsOf(payments: readonly PaymentFlow[], nowMs: number): readonly CaseFunding[] {
  const [only] = payments;
  // Most wallets were paid once, which needs no strength.
  if (only === undefined) return NO_FUNDINGS;
  if (payments.length === 1) return [toFunding(only)];
  const sums = new Map<Address, { strength: number; funding: CaseFunding }>();
  for (const payment of payments) {
    const { from: funder, lamports, timeMs } = payment;
    const strength = Number(lamports) * Math.exp((timeMs - nowMs) / STRENGTH_SCALE_MS);
    const known = sums.get(funder);
    if (known === undefined) sums.set(funder, { strength, funding: toFunding(payment) });
    else {
      known.strength += strength;
      const paid = asLamports(known.funding.lamports + lamports);
      known.funding = { ...known.funding, lamports: paid, lastMs: timeMs };
    }
  }
  return [...sums.values()]
    .sort(
      (one, other) =>
        other.strength - one.strength || (one.funding.funder < other.funding.funder ? -1 : 1),
    )
    .map(({ funding }) => funding);
}

function toFunding({ from, lamports, timeMs, slot }: PaymentFlow): CaseFunding {
  return { funder: from, lamports, sinceMs: timeMs, lastMs: timeMs, slot };
}

/** The first funding, which is kept when the payment rows of a wallet have been evicted. */
function forgottenFunding({ walletBooks }: CaseSources, wallet: number): CaseFunding | null {
  const first = walletBooks.funding.firstFundingById(wallet);
  if (first === null) return null;
  const { funder, lamports, timeMs, slot } = first;
  return { funder, lamports, sinceMs: timeMs, lastMs: timeMs, slot };
}
