import type { Funders } from '../../fraud/cases/received-payments.ts';
import type { CaseClass, CaseFunding } from '../../model/mint-case.ts';
import type { Slot } from '../../model/units.ts';
import type { CaseClasses } from './case-classes.ts';
import type { CaseSources } from './case-sources.ts';

/** The first time a wallet was seen. */
interface FirstSeen {
  readonly slot: Slot;
  readonly timeMs: number;
}

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

/** The funders of a wallet, given by its number. None for -1. */
export function readFundings(sources: CaseSources, wallet: number, classes: CaseClasses): Funders {
  const received = sources.cases.lists.paymentLogs.receivedPayments(wallet);
  const funders = received.fundersAmong((payer) => {
    const known = classes.ofId(payer);
    return known === null || FUNDING_CLASSES.has(known);
  });
  if (funders.firstFunding !== null) return funders;
  return { ...funders, firstFunding: forgottenFunding(sources, wallet) };
}

/** The first funding, which is kept when the payment rows of a wallet have been evicted. */
function forgottenFunding({ walletBooks }: CaseSources, wallet: number): CaseFunding | null {
  const first = walletBooks.funding.firstFundingById(wallet);
  if (first === null) return null;
  const { funder, lamports, timeMs, slot } = first;
  return { funder, lamports, sinceMs: timeMs, lastMs: timeMs, slot };
}
