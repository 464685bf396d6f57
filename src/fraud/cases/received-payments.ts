import type { CaseFunding } from '../../model/mint-case.ts';
import { type Address, asLamports } from '../../model/units.ts';
import type { PaymentFlow } from './payment-row.ts';

/** A payment to a wallet, with the number of the payer. */
export interface ReceivedFlow extends PaymentFlow {
  readonly payer: number;
}

/** The funders of a wallet. */
export interface Funders {
  /** The one of the first payment. */
  readonly firstFunding: CaseFunding | null;
  /** Strongest first. */
  readonly fundings: readonly CaseFunding[];
}

/** The strongest funders of a wallet that are returned (METHODS §7.1). */
const FUNDINGS_MAX = 4;
/** Funders of the first payments are returned besides, so that no later payment hides them. */
const FIRST_PAYMENTS = 4;
/** The age at which a payment counts 1/e of what it did at first. */
const STRENGTH_SCALE_MS = 7 * 86_400_000;
/** Shared: many wallets have no known funder. */
const NO_FUNDERS: Funders = { firstFunding: null, fundings: [] };

/** The payments to a wallet, oldest first. What was computed of them last is kept. */
export class ReceivedPayments {
  readonly flows: readonly ReceivedFlow[];
  #counted: readonly ReceivedFlow[] = [];
  #funders = NO_FUNDERS;

  constructor(flows: readonly ReceivedFlow[]) {
    this.flows = flows;
  }

  /**
   * The funders among the payers that count, given by their numbers: the weight of each payment is
   * e^(-age / 7 d).
   */
  fundersAmong(counts: (payer: number) => boolean): Funders {
    const counted = this.flows.filter(({ payer }) => counts(payer));
    if (!isSame(counted, this.#counted)) {
      this.#counted = counted;
      this.#funders = fundersOf(counted);
    }
    return this.#funders;
  }
}

function isSame(one: readonly ReceivedFlow[], other: readonly ReceivedFlow[]): boolean {
  return one.length === other.length && one.every((flow, index) => flow === other[index]);
}

/** `flows` oldest first. */
function fundersOf(flows: readonly ReceivedFlow[]): Funders {
  const fundings = fundingsOf(flows);
  let [firstFunding = null] = fundings;
  for (const funding of fundings) {
    if (firstFunding !== null && funding.slot < firstFunding.slot) firstFunding = funding;
  }
  return {
    firstFunding,
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

/**
 * The payments of each funder as one, strongest first. Ages are those at the newest payment: later,
 * all weights are smaller by the same factor.
 */
function fundingsOf(payments: readonly PaymentFlow[]): readonly CaseFunding[] {
  const newest = payments.at(-1);
  if (newest === undefined) return NO_FUNDERS.fundings;
  // Most wallets were paid once, which needs no strength.
  if (payments.length === 1) return [toFunding(newest)];
  const sums = new Map<Address, { strength: number; funding: CaseFunding }>();
  for (const payment of payments) {
    const { from: funder, lamports, timeMs } = payment;
    const strength = Number(lamports) * Math.exp((timeMs - newest.timeMs) / STRENGTH_SCALE_MS);
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
