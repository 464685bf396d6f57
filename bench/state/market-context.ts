import type { TransactionFacts } from '../../src/model/slot-facts.ts';
import type { Address } from '../../src/model/units.ts';
import type { MarketOptions } from './market-options.ts';
import type { MarketState } from './market-state.ts';
import type { MintMarkets } from './mint-markets.ts';
import { addressOf, KIND, signatureOf } from './numbered-texts.ts';
import type { TransactionDraft } from './transaction-draft.ts';

/** What the transactions of a slot are made from, and where they are collected. */
export interface MarketContext {
  readonly options: MarketOptions;
  readonly state: MarketState;
  readonly markets: MintMarkets;
  readonly transactions: TransactionFacts[];
}

const UNITS_MIN = 20_000;
const UNITS_SPREAD = 90_000;

/** Ends a transaction of the slot, as the last one so far. */
export function addTransaction(
  { state, transactions }: MarketContext,
  draft: TransactionDraft,
  error: string | null = null,
): void {
  const number = state.counters.transactions++;
  const units = UNITS_MIN + state.random.below(UNITS_SPREAD);
  transactions.push(draft.toFacts(transactions.length, signatureOf(number), { units, error }));
}

/** Numbers from here on are wallets that receive tokens without signing. */
export const FIRST_RECEIVER = 2 ** 31;

export function walletAddress(wallet: number): Address {
  if (wallet < FIRST_RECEIVER) return addressOf(KIND.wallet, wallet);
  return addressOf(KIND.receiver, wallet - FIRST_RECEIVER);
}

export function accountAddress(account: number): Address {
  return addressOf(KIND.account, account);
}
