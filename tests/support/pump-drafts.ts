import {
  ASSOCIATED_TOKEN_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../src/model/program.ts';
import { concat, flag, hex, key, text, u8, u32, u64 } from './borsh-bytes.ts';
import { address, type InstructionDraft, type TokenBalanceDraft } from './build-transaction.ts';

export const PUMP = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P';

/** A curve and a wallet that trades on it. */
export const CAT = {
  mint: address('cat mint'),
  curve: address('cat curve'),
  baseVault: address('cat curve tokens'),
  quoteVault: address('cat curve quote'),
  feeRecipient: address('fee recipient'),
  buybackRecipient: address('buyback recipient'),
  creatorVault: address('creator vault'),
  cashback: address('alice volume'),
  alice: address('alice'),
  aliceBase: address('alice cats'),
  aliceQuote: address('alice quote'),
};

export type TradeForm =
  | 'buy'
  | 'buy_exact_sol_in'
  | 'sell'
  | 'buy_v2'
  | 'buy_exact_quote_in_v2'
  | 'sell_v2'
  | 'buy_v3'
  | 'buy_exact_quote_in_v3'
  | 'sell_v3';

const DISCRIMINATOR: Readonly<Record<TradeForm, string>> = {
  buy: '66063d1201daebea',
  buy_exact_sol_in: '38fc74089edfcd5f',
  sell: '33e685a4017f83ad',
  buy_v2: 'b817ee6167c5d33d',
  buy_exact_quote_in_v2: 'c2ab1c46684d5b2f',
  sell_v2: '5df6823ce7e940b2',
  buy_v3: '07051dc4f5176550',
  buy_exact_quote_in_v3: 'e1f7501ed5b38488',
  sell_v3: '1c92de7726c469d5',
};

/** A trade instruction. Its arguments are limits, which must not be read as amounts. */
export function tradeDraft(form: TradeForm, inner: readonly InstructionDraft[]): InstructionDraft {
  const accounts = accountsOf(form);
  const data = concat(hex(DISCRIMINATOR[form]), u64(999_999n), u64(888_888n));
  return { program: PUMP, accounts, data, inner };
}

function accountsOf(form: TradeForm): string[] {
  if (form.endsWith('_v3')) return v3Accounts();
  return form.endsWith('_v2') ? v2Accounts() : accountsBeforeV2();
}

/** The instruction's accounts as its first interface lists them; later ones only append. */
function accountsBeforeV2(): string[] {
  return [
    address('global'),
    CAT.feeRecipient,
    CAT.mint,
    CAT.curve,
    CAT.baseVault,
    CAT.aliceBase,
    CAT.alice,
    SYSTEM_PROGRAM,
    SPL_TOKEN_PROGRAM,
    CAT.creatorVault,
    address('event authority'),
    PUMP,
  ];
}

function v2Accounts(): string[] {
  return [
    address('global'),
    CAT.mint,
    address('quote mint'),
    SPL_TOKEN_PROGRAM,
    SPL_TOKEN_PROGRAM,
    ASSOCIATED_TOKEN_PROGRAM,
    CAT.feeRecipient,
    address('fee recipient quote'),
    CAT.buybackRecipient,
    address('buyback quote'),
    CAT.curve,
    CAT.baseVault,
    CAT.quoteVault,
    CAT.alice,
    CAT.aliceBase,
    CAT.aliceQuote,
    CAT.creatorVault,
    address('creator vault quote'),
  ];
}

function v3Accounts(): string[] {
  return [
    address('global'),
    CAT.mint,
    address('quote mint'),
    SPL_TOKEN_PROGRAM,
    SPL_TOKEN_PROGRAM,
    CAT.curve,
    CAT.baseVault,
    CAT.quoteVault,
    CAT.alice,
    CAT.aliceBase,
    CAT.aliceQuote,
    address('alice volume accumulator'),
    address('fee config'),
    CAT.buybackRecipient,
    SYSTEM_PROGRAM,
    address('event authority'),
    PUMP,
  ];
}

/** Data of an event that a program emits by calling itself. */
export function selfEvent(discriminator: string, fields: Uint8Array): InstructionDraft {
  return {
    program: PUMP,
    accounts: [address('event authority')],
    data: concat(hex('e445a52e51cb9a1d'), hex(discriminator), fields),
  };
}

export interface TradeValues {
  readonly mint?: string;
  readonly isBuy: boolean;
  readonly solAmount: bigint;
  readonly tokenAmount: bigint;
  readonly virtualSol?: bigint;
  readonly virtualToken?: bigint;
  readonly realSol?: bigint;
  readonly realToken?: bigint;
}

export interface FeeValues {
  readonly fee: bigint;
  readonly creatorFee: bigint;
  /** SYSTEM_PROGRAM, the zero key, means that the fees stay on the curve. */
  readonly feeRecipient?: string;
}

export const TRADE_EVENT = 'bddb7fd34ee661ee';

/** Fields of a TradeEvent in the oldest layout. */
export function oldestTradeFields(values: TradeValues): Uint8Array {
  return concat(
    key(values.mint ?? CAT.mint),
    u64(values.solAmount),
    u64(values.tokenAmount),
    flag(values.isBuy),
    key(CAT.alice),
    u64(1_750_000_000n),
    u64(values.virtualSol ?? 31_000_000_000n),
    u64(values.virtualToken ?? 1_038_387_096_774_194n),
  );
}

/** The next layout: the curve's real reserves. */
export function tradeFields(values: TradeValues): Uint8Array {
  return concat(
    oldestTradeFields(values),
    u64(values.realSol ?? 1_000_000_000n),
    u64(values.realToken ?? 758_487_096_774_194n),
  );
}

/** The layout of 2025: fees of the protocol and of the creator, with u64 rates. */
export function tradeFieldsWithFees(values: TradeValues, fees: FeeValues): Uint8Array {
  return concat(
    tradeFields(values),
    key(fees.feeRecipient ?? CAT.feeRecipient),
    u64(95n),
    u64(fees.fee),
    key(address('creator')),
    u64(5n),
    u64(fees.creatorFee),
  );
}

export interface LatestValues extends TradeValues, FeeValues {
  readonly cashback: bigint;
  readonly buybackFee: bigint;
  /** SYSTEM_PROGRAM means native SOL. */
  readonly quoteMint: string;
  readonly quoteAmount: bigint;
  readonly virtualQuote: bigint;
  readonly realQuote: bigint;
  /** Repeats the creator fee when it goes to the holders. */
  readonly holderRewards?: bigint;
}

/** The newest layout, in the parts that were added to it. */
export function latestTradePieces(values: LatestValues): Uint8Array[] {
  return [
    tradeFieldsWithFees(values, values),
    concat(flag(false), u64(0n), u64(0n), u64(0n), u64(0n)),
    text('buy_exact_quote_in'),
    flag(true),
    concat(u64(30n), u64(values.cashback)),
    concat(u64(5_000n), u64(values.buybackFee)),
    concat(u32(1), key(address('shareholder')), Uint8Array.of(16, 39)),
    concat(
      key(values.quoteMint),
      u64(values.quoteAmount),
      u64(values.virtualQuote),
      u64(values.realQuote),
    ),
    concat(u64(30n), u64(values.holderRewards ?? 0n)),
    u64(41_201_679n),
  ];
}

export function systemTransfer(from: string, to: string, lamports: bigint): InstructionDraft {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [from, to],
    data: concat(u32(2), u64(lamports)),
  };
}

export function createAccount(from: string, to: string, lamports: bigint): InstructionDraft {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [from, to],
    data: concat(u32(0), u64(lamports), u64(165n), key(SPL_TOKEN_PROGRAM)),
  };
}

export function tokenTransfer(
  from: string,
  to: string,
  authority: string,
  amount: bigint,
): InstructionDraft {
  return {
    program: SPL_TOKEN_PROGRAM,
    accounts: [from, to, authority],
    data: concat(u8(3), u64(amount)),
  };
}

/** Token balances of the curve and of Alice when `sold` tokens (negative: bought) leave the curve. */
export function catBalances(sold: bigint): TokenBalanceDraft[] {
  const held = 10n ** 15n;
  return [
    { account: CAT.baseVault, mint: CAT.mint, owner: CAT.curve, before: held, after: held - sold },
    { account: CAT.aliceBase, mint: CAT.mint, owner: CAT.alice, before: held, after: held + sold },
  ];
}
