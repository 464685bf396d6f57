import type { DecodeResult } from '../../src/decoders/legs/decoder.ts';
import type { ChainEvent } from '../../src/model/chain-event.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import { concat, flag, hex, i128, key, text, u64 } from './borsh-bytes.ts';
import { address, type InstructionDraft, type TokenBalanceDraft } from './build-transaction.ts';
import { tokenTransfer } from './pump-drafts.ts';

export const PUMP_AMM = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA';
export const POOL = address('pool');
export const ALICE = address('alice');
export const CAT_MINT = address('cat mint');
export const LP_MINT = address('lp mint');
export const POOL_BASE = address('pool base');
export const POOL_QUOTE = address('pool quote');
export const USER_BASE = address('alice base');
export const USER_QUOTE = address('alice quote');
/** Recipients of fees. */
export const PROTOCOL = address('protocol fees');
export const CREATOR_FEES = address('creator fees');

export const BUY = '66063d1201daebea';
export const BUY_EXACT_QUOTE_IN = 'c62e1552b4d9e870';
export const SELL = '33e685a4017f83ad';
export const BUY_V2 = 'b817ee6167c5d33d';
export const BUY_EXACT_QUOTE_IN_V2 = 'c2ab1c46684d5b2f';
export const SELL_V2 = '5df6823ce7e940b2';
export const BUY_EVENT = '67f4521f2cf57777';
export const SELL_EVENT = '3e2f370aa503dc2a';
/** Balance of every account before. */
export const HELD = 10n ** 12n;

/** 1,000,000 go into the curve; pool 2,000, protocol 500 and creator 300 on top of it. */
export const BUY_LEGS = [
  tokenTransfer(POOL_BASE, USER_BASE, POOL, 70_000n),
  tokenTransfer(USER_QUOTE, POOL_QUOTE, ALICE, 1_002_000n),
  tokenTransfer(USER_QUOTE, PROTOCOL, ALICE, 500n),
  tokenTransfer(USER_QUOTE, CREATOR_FEES, ALICE, 300n),
];
export const BOUGHT = { base: -70_000n, quote: 1_002_000n, user: [70_000n, -1_002_800n] } as const;

/** 1,000,000 leave the curve; pool 2,000, protocol 500 and creator 300 come off it. */
export const SALE_LEGS = [
  tokenTransfer(USER_BASE, POOL_BASE, ALICE, 70_000n),
  tokenTransfer(POOL_QUOTE, USER_QUOTE, POOL, 997_200n),
  tokenTransfer(POOL_QUOTE, PROTOCOL, POOL, 500n),
  tokenTransfer(POOL_QUOTE, CREATOR_FEES, POOL, 300n),
];
export const SOLD = { base: 70_000n, quote: -998_000n, user: [-70_000n, 997_200n] } as const;

/** A swap instruction. Its arguments are limits, which must not be read as amounts. */
export function swapDraft(tag: string, inner: readonly InstructionDraft[]): InstructionDraft {
  return {
    program: PUMP_AMM,
    accounts: [
      POOL,
      ALICE,
      address('global config'),
      CAT_MINT,
      WRAPPED_SOL,
      USER_BASE,
      USER_QUOTE,
      POOL_BASE,
      POOL_QUOTE,
      address('protocol'),
      PROTOCOL,
    ],
    data: concat(hex(tag), u64(999_999n), u64(888_888n)),
    inner,
  };
}

export function selfEvent(discriminator: string, fields: Uint8Array): InstructionDraft {
  const data = concat(hex('e445a52e51cb9a1d'), hex(discriminator), fields);
  return { program: PUMP_AMM, accounts: [address('event authority')], data };
}

/** Amounts of a trade event, by default those of BUY_LEGS. */
export interface TradeValues {
  /** The amount of `quote_amount_in` or `quote_amount_out`. */
  readonly quoteAmount: bigint;
  /** The amount of `user_quote_amount_in` or `user_quote_amount_out`. */
  readonly userQuoteAmount: bigint;
  readonly base?: bigint;
  readonly lp?: bigint;
  readonly protocol?: bigint;
  readonly creator?: bigint;
  readonly buyback?: bigint;
  readonly virtualQuote?: bigint;
  readonly pool?: string;
  /** The zero key when the fees stay in the pool. */
  readonly protocolRecipient?: string;
}

/** Fields of the first event layout: amounts and rates, then keys. Unused fields are 5s. */
export function firstTradeFields(values: TradeValues): Uint8Array {
  const amounts = Array.from({ length: 14 }, () => 5n);
  amounts[1] = values.base ?? 70_000n;
  amounts[7] = values.quoteAmount;
  amounts[9] = values.lp ?? 2_000n;
  amounts[11] = values.protocol ?? 500n;
  amounts[13] = values.userQuoteAmount;
  const keys = [
    values.pool ?? POOL,
    ALICE,
    USER_BASE,
    USER_QUOTE,
    values.protocolRecipient ?? PROTOCOL,
    PROTOCOL,
  ];
  return concat(...amounts.map(u64), ...keys.map(key));
}

/** The layout of October 2026. */
export function tradeFields(values: TradeValues, isBuy: boolean): Uint8Array {
  return concat(
    firstTradeFields(values),
    key(CREATOR_FEES),
    u64(30n),
    u64(values.creator ?? 300n),
    isBuy ? concat(flag(true), ...[5n, 5n, 5n, 5n, 5n].map(u64), text('buy_v2')) : hex(''),
    u64(0n),
    u64(0n),
    u64(5_000n),
    u64(values.buyback ?? 0n),
    i128(values.virtualQuote ?? 0n),
    flag(true),
    u64(1_000_000_000n),
    u64(30n),
    // Holder rewards repeat the creator fee.
    u64(values.creator ?? 300n),
    u64(777n),
  );
}

export function buyEvent(values: TradeValues): InstructionDraft {
  return selfEvent(BUY_EVENT, tradeFields(values, true));
}

export function sellEvent(values: TradeValues): InstructionDraft {
  return selfEvent(SELL_EVENT, tradeFields(values, false));
}

interface Changes {
  readonly base: bigint;
  readonly quote: bigint;
  readonly user: readonly [bigint, bigint];
}

/** Balances of Alice and the pool, which were equal before. */
export function balances(
  changes: Changes,
  mints = { base: CAT_MINT as string, quote: WRAPPED_SOL as string },
): Required<TokenBalanceDraft>[] {
  const balance = (account: string, mint: string, owner: string, change: bigint) => ({
    account,
    mint,
    owner,
    decimals: mint === WRAPPED_SOL ? 9 : 6,
    before: HELD,
    after: HELD + change,
  });
  return [
    balance(POOL_BASE, mints.base, POOL, changes.base),
    balance(POOL_QUOTE, mints.quote, POOL, changes.quote),
    balance(USER_BASE, mints.base, ALICE, changes.user[0]),
    balance(USER_QUOTE, mints.quote, ALICE, changes.user[1]),
  ];
}

/** A token account of the pool before and after, with six decimals unless it holds SOL. */
export function vault(
  account: string,
  mint: string,
  [before, after]: readonly [bigint, bigint],
  owner: string = POOL,
): Required<TokenBalanceDraft> {
  return { account, mint, owner, decimals: mint === WRAPPED_SOL ? 9 : 6, before, after };
}

/** The events of a result; none when it has none. */
export function eventsOf(result: DecodeResult): readonly ChainEvent[] {
  return result.status === 'event' ? result.events : [];
}
