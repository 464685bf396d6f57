import type { CaseFunding, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { isTrader } from '../readings/traders.ts';

/** Maximum number of hops to ancestors (METHODS §7.1). */
const HOPS_MAX = 3;
/**
 * Maximum number of ancestors of a wallet, the nearest: wallets that trade for long are
 * paid by more and more others, and behind those nearly the whole market would be found.
 */
export const ANCESTORS_MAX = 32;
/** A wallet that paid more wallets than this within 7 days is a service, even an unlabelled one. */
const FAN_OUT_MAX = 200;

/** Whether money from or to this address identifies an owner: false for services. */
export function isPersonalWallet(mintCase: MintCase, address: Address): boolean {
  const fanOut = mintCase.wallets.get(address)?.fanOut ?? 0;
  return isTrader(mintCase, address) && fanOut <= FAN_OUT_MAX;
}

/** Whether an address is a shell, which only forwards money: its funder stands for it. */
export function isShell(mintCase: MintCase, address: Address): boolean {
  return isTrader(mintCase, address) && mintCase.wallets.get(address)?.isShell === true;
}

/** The known payments to a wallet, including its first one. */
export function fundingsOf(mintCase: MintCase, address: Address): readonly CaseFunding[] {
  const wallet = mintCase.wallets.get(address);
  if (wallet === undefined) return [];
  const { fundings, firstFunding } = wallet;
  // A first funding that is listed already is the same one: it would be the same link again.
  return firstFunding === null || fundings.includes(firstFunding)
    ? fundings
    : [...fundings, firstFunding];
}

/** A wallet that paid another one, and is no service. */
interface PersonalPayer {
  readonly payer: Address;
  readonly isShell: boolean;
  /** Its first payment. */
  readonly sinceMs: number;
}

/** Cache by case and wallet: the ancestors of most participants have ancestors in common. */
const payersByCase = new WeakMap<MintCase, Map<Address, readonly PersonalPayer[]>>();

/** The payers of a wallet that are no services, each once, in the order of `fundingsOf`. */
function personalPayersOf(mintCase: MintCase, wallet: Address): readonly PersonalPayer[] {
  const known = payersByCase.get(mintCase) ?? new Map<Address, readonly PersonalPayer[]>();
  payersByCase.set(mintCase, known);
  const found = known.get(wallet);
  if (found !== undefined) return found;
  const payers: PersonalPayer[] = [];
  for (const { funder: payer, sinceMs } of fundingsOf(mintCase, wallet)) {
    const at = payers.findIndex((other) => other.payer === payer);
    const before = payers[at];
    if (before !== undefined) {
      payers[at] = { ...before, sinceMs: Math.min(before.sinceMs, sinceMs) };
    } else if (isPersonalWallet(mintCase, payer)) {
      payers.push({ payer, isShell: isShell(mintCase, payer), sinceMs });
    }
  }
  known.set(wallet, payers);
  return payers;
}

/** Which payments to a wallet are followed. */
export interface PathChoice {
  /** Payers that began later do not count; all count by default. */
  readonly untilMs?: number | undefined;
  /** Its own payments to the wallet are not followed, only those that reach it through others. */
  readonly notFrom?: Address;
}

/**
 * The wallets that a wallet's money came from, with the smallest number of hops, 1 to 3; of more than
 * `ANCESTORS_MAX` those found first, hop by hop. A shell and its payer have the same distance.
 * Exchanges, hubs, sponsors and other services end the search.
 */
export function ancestorsOf(
  mintCase: MintCase,
  wallet: Address,
  { untilMs = Number.POSITIVE_INFINITY, notFrom }: PathChoice = {},
): ReadonlyMap<Address, number> {
  let level: Address[] = [wallet];
  const hops = new Map<Address, number>();
  const isFollowed = (paid: Address, { payer, sinceMs }: PersonalPayer): boolean =>
    sinceMs <= untilMs &&
    payer !== wallet &&
    !hops.has(payer) &&
    !(paid === wallet && payer === notFrom);
  for (let hop = 1; hop <= HOPS_MAX; hop++) {
    const above: Address[] = [];
    // The list grows during the iteration: payers of a shell belong to the same level.
    for (const paid of level) {
      if (hops.size === ANCESTORS_MAX) return hops;
      const payers = personalPayersOf(mintCase, paid).filter((known) => isFollowed(paid, known));
      for (const { payer, isShell: isForwarding } of payers.slice(0, ANCESTORS_MAX - hops.size)) {
        hops.set(payer, hop);
        (isForwarding ? level : above).push(payer);
      }
    }
    level = above;
  }
  return hops;
}

/** The more wallets a funder pays within 7 days, the weaker the link between them. */
const STRENGTH_BY_FAN_OUT = [
  { fanOutMax: 20, strength: 0.85 },
  { fanOutMax: 100, strength: 0.6 },
  { fanOutMax: 200, strength: 0.4 },
];
/** Factor for every hop beyond the first. */
export const HOP_DISCOUNT = 0.75;

/** Strength of the link between two wallets that are both one hop from this funder. */
export function commonStrength(mintCase: MintCase, ancestor: Address): number {
  const fanOut = mintCase.wallets.get(ancestor)?.fanOut ?? 0;
  return STRENGTH_BY_FAN_OUT.find(({ fanOutMax }) => fanOut <= fanOutMax)?.strength ?? 0;
}
