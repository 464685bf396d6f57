import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { type AccountUse, paying, readOnly, writable } from '../chain/account-use.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import { PUMP, PUMP_FEES_PROGRAM } from './pump-program.ts';

/** Addresses of one curve. */
export interface PumpCurveAccounts {
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** The wallet that launches it. */
  readonly launcher: Address;
  /**
   * The recipient of creator fees: the launcher, or the address that distributes them to holders.
   */
  readonly creator: Address;
  readonly curve: Address;
  readonly curveV2: Address;
  /** Collects the creator's fees. */
  readonly creatorVault: Address;
  readonly sharingConfig: Address;
  /** Wrapped SOL stands for lamports. */
  readonly quoteMint: Address;
}

/** Accounts that depend on the trader. */
export interface CurveTrader {
  readonly trader: Address;
  readonly userBase: Address;
  readonly userVolume: Address;
  readonly feeRecipient: Address;
}

/** Accounts of the newer instructions in addition to a curve's own addresses. */
export interface CurveSurroundings {
  readonly tokenAccounts: TokenAccounts;
  readonly quoteProgram: Address;
}

/**
 * IDL order of `buy`, `buy_exact_sol_in` and `sell`, then the curve's second account and the buyback
 * recipient. Sales have no volume accounts.
 */
export function firstUses(
  { mint, curve, curveV2, tokenProgram, creatorVault }: PumpCurveAccounts,
  vault: Address,
  { trader, userBase, userVolume, feeRecipient }: CurveTrader,
  isBuy: boolean,
): readonly AccountUse[] {
  const [program, creator] = [readOnly(tokenProgram), writable(creatorVault)];
  return [
    readOnly(PUMP.global),
    writable(feeRecipient),
    readOnly(mint),
    writable(curve),
    writable(vault),
    writable(userBase),
    paying(trader),
    readOnly(SYSTEM_PROGRAM),
    ...(isBuy ? [program, creator] : [creator, program]),
    readOnly(PUMP.eventAuthority),
    readOnly(PUMP.program),
    ...(isBuy ? [readOnly(PUMP.globalVolume), writable(userVolume)] : []),
    readOnly(PUMP.feeConfig),
    readOnly(PUMP_FEES_PROGRAM),
    readOnly(curveV2),
    writable(PUMP.buybackRecipient),
  ];
}

/** IDL order of `buy_v2` and `buy_exact_quote_in_v2`; `sell_v2` lacks the global volume account. */
export function secondUses(
  accounts: PumpCurveAccounts,
  { tokenAccounts, quoteProgram }: CurveSurroundings,
  { trader, userVolume, feeRecipient }: CurveTrader,
  isBuy: boolean,
): readonly AccountUse[] {
  const { mint, quoteMint, curve, creatorVault } = accounts;
  const quoteOf = (owner: Address) => writable(tokenAccounts.of(owner, quoteMint));
  return [
    readOnly(PUMP.global),
    readOnly(mint),
    readOnly(quoteMint),
    readOnly(accounts.tokenProgram),
    readOnly(quoteProgram),
    readOnly(ASSOCIATED_TOKEN_PROGRAM),
    writable(feeRecipient),
    quoteOf(feeRecipient),
    writable(PUMP.buybackRecipient),
    quoteOf(PUMP.buybackRecipient),
    writable(curve),
    writable(tokenAccounts.of(curve, mint)),
    quoteOf(curve),
    paying(trader),
    writable(tokenAccounts.of(trader, mint)),
    quoteOf(trader),
    writable(creatorVault),
    quoteOf(creatorVault),
    readOnly(accounts.sharingConfig),
    ...(isBuy ? [readOnly(PUMP.globalVolume)] : []),
    writable(userVolume),
    quoteOf(userVolume),
    readOnly(PUMP.feeConfig),
    readOnly(PUMP_FEES_PROGRAM),
    readOnly(SYSTEM_PROGRAM),
    readOnly(PUMP.eventAuthority),
    readOnly(PUMP.program),
  ];
}

/** IDL order of `buy_v3`, `buy_exact_quote_in_v3` and `sell_v3`. */
export function keptUses(
  accounts: PumpCurveAccounts,
  { tokenAccounts, quoteProgram }: CurveSurroundings,
  { trader, userVolume }: CurveTrader,
): readonly AccountUse[] {
  const { mint, quoteMint, curve } = accounts;
  return [
    readOnly(PUMP.global),
    readOnly(mint),
    readOnly(quoteMint),
    readOnly(accounts.tokenProgram),
    readOnly(quoteProgram),
    writable(curve),
    writable(tokenAccounts.of(curve, mint)),
    writable(tokenAccounts.of(curve, quoteMint)),
    paying(trader),
    writable(tokenAccounts.of(trader, mint)),
    writable(tokenAccounts.of(trader, quoteMint)),
    writable(userVolume),
    readOnly(PUMP.feeConfig),
    writable(buybackAccount(tokenAccounts, quoteMint)),
    readOnly(SYSTEM_PROGRAM),
    readOnly(PUMP.eventAuthority),
    readOnly(PUMP.program),
  ];
}

/**
 * The buyback recipient of the newest instructions: the wallet for lamports, otherwise its token
 * account.
 */
export function buybackAccount(tokenAccounts: TokenAccounts, quoteMint: Address): Address {
  const { buybackRecipient } = PUMP;
  return quoteMint === WRAPPED_SOL
    ? buybackRecipient
    : tokenAccounts.of(buybackRecipient, quoteMint);
}

/** IDL order of `sweep_protocol_fee` and `sweep_creator_fee` of curves. */
export function curveSweepUses(
  { mint, curve, quoteMint }: PumpCurveAccounts,
  { tokenAccounts, quoteProgram }: CurveSurroundings,
  payer: Address,
  recipient: Address,
): readonly AccountUse[] {
  return [
    paying(payer),
    readOnly(PUMP.global),
    readOnly(mint),
    readOnly(quoteMint),
    readOnly(quoteProgram),
    readOnly(ASSOCIATED_TOKEN_PROGRAM),
    readOnly(SYSTEM_PROGRAM),
    writable(curve),
    writable(tokenAccounts.of(curve, quoteMint)),
    writable(recipient),
    writable(tokenAccounts.of(recipient, quoteMint)),
    readOnly(PUMP.eventAuthority),
    readOnly(PUMP.program),
  ];
}
