import type { CaseFunding, CaseTrade, MintCase } from '../../model/mint-case.ts';
import { type Address, asLamports } from '../../model/units.ts';
import { feesPaid } from '../readings/fees-paid.ts';
import { paymentsFrom } from '../readings/payments-from.ts';
import {
  commonStrength,
  fundingsOf,
  HOP_DISCOUNT,
  isPersonalWallet,
  isShell,
} from './funding-paths.ts';
import { evenly, type LinkFamily, type LinkGroup, type LinkInput } from './link-family.ts';

/** A payment for a buy: at most 7 days before it, and at least half of its amount. */
const BUY_AFTER_MAX_MS = 7 * 86_400_000;
const STRENGTH = 0.9;
/** Any other payment. */
const LOOSE_STRENGTH = 0.55;

/**
 * F-direct: one wallet paid the other, directly or through shells. A fee that it paid in its own
 * trades funds nobody: else the users of a project would be linked through the account that collects
 * its fees, when that account buys.
 */
export const directFunding: LinkFamily = { name: 'direct-funding', kind: 'owner', find };

function* find(input: LinkInput): Iterable<LinkGroup> {
  const { mintCase, participants } = input;
  const tradesBy = Map.groupBy(mintCase.trades, ({ wallet }) => wallet);
  for (const wallet of participants) {
    for (const funding of fundingsOf(mintCase, wallet)) {
      yield* linksOf(input, { wallet, funding, tradesBy });
    }
  }
}

interface PaidWallet {
  readonly wallet: Address;
  readonly funding: CaseFunding;
  readonly tradesBy: ReadonlyMap<Address, readonly CaseTrade[]>;
}

function* linksOf(
  input: LinkInput,
  { wallet, funding, tradesBy }: PaidWallet,
): Iterable<LinkGroup> {
  const { mintCase } = input;
  const { funder } = funding;
  const payers = payersAmong(input, funder);
  if (payers.length === 0) return;
  const payments = paymentsFrom(mintCase)(funder, funding.sinceMs);
  const fees = feesPaid(
    payments.filter(({ to }) => to === wallet),
    tradesBy.get(funder) ?? [],
  );
  const lamports = asLamports(funding.lamports - fees);
  if (lamports <= 0n) return;
  const buys = tradesBy.get(wallet)?.filter(isBuy) ?? [];
  const isForBuy = buys.some((buy) => paysFor({ ...funding, lamports }, buy));
  for (const payer of payers) {
    const isDirect = payer === funder;
    yield {
      relationship: isDirect ? 'direct_funding' : 'indirect_funding',
      via: payer,
      strength: isForBuy ? STRENGTH : looseStrength(mintCase, payer, isDirect),
      members: evenly([payer, wallet]),
    };
  }
}

function isBuy({ side, isArbitrage }: CaseTrade): boolean {
  return side === 'buy' && !isArbitrage;
}

/**
 * Through shells, the strength is at least that of F-common over two hops: otherwise a wallet would
 * be linked more strongly to its funder if the shell between them turned out to be a service.
 */
function looseStrength(mintCase: MintCase, payer: Address, isDirect: boolean): number {
  if (isDirect) return LOOSE_STRENGTH;
  return Math.max(LOOSE_STRENGTH, commonStrength(mintCase, payer) * HOP_DISCOUNT);
}

/**
 * Of several payments the sum counts for every buy after the first of them: a further payment must
 * not make the earlier ones count less.
 */
function paysFor({ sinceMs, lastMs, lamports }: CaseFunding, buy: CaseTrade): boolean {
  if (sinceMs > buy.timeMs) return false;
  return lastMs >= buy.timeMs - BUY_AFTER_MAX_MS && lamports * 2n >= buy.lamports;
}

/** Participants among the funder and, if it is a shell, its own funders. */
function payersAmong({ mintCase, participants }: LinkInput, funder: Address): readonly Address[] {
  return [...payersOf(mintCase, funder)].filter((payer) => participants.has(payer));
}

/** The funder and, if it is a shell, its own funders. */
function payersOf(mintCase: MintCase, funder: Address): ReadonlySet<Address> {
  const payers = new Set(isPersonalWallet(mintCase, funder) ? [funder] : []);
  for (const payer of payers) {
    if (!isShell(mintCase, payer)) continue;
    for (const behind of fundingsOf(mintCase, payer)) {
      if (isPersonalWallet(mintCase, behind.funder)) payers.add(behind.funder);
    }
  }
  return payers;
}
