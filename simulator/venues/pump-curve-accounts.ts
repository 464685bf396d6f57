import { SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { type AccountUse, paying, readOnly, writable } from '../chain/account-use.ts';
import { PUMP, PUMP_FEES_PROGRAM } from './pump-program.ts';

/** Addresses of one curve. */
export interface PumpCurveAccounts {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly creator: Address;
  readonly curve: Address;
  readonly curveV2: Address;
  /** Where the creator's fees gather. */
  readonly creatorVault: Address;
}

/** Accounts that depend on who trades. */
export interface CurveTrader {
  readonly trader: Address;
  readonly userBase: Address;
  readonly userVolume: Address;
  readonly feeRecipient: Address;
}

/** IDL order of `buy` and `buy_exact_sol_in`, then the curve's second account and who buys back. */
export function buyUses(
  accounts: PumpCurveAccounts,
  vault: Address,
  user: CurveTrader,
): readonly AccountUse[] {
  return [
    ...firstUses(accounts, vault, user),
    readOnly(accounts.tokenProgram),
    writable(accounts.creatorVault),
    readOnly(PUMP.eventAuthority),
    readOnly(PUMP.program),
    readOnly(PUMP.globalVolume),
    writable(user.userVolume),
    ...lastUses(accounts),
  ];
}

/** IDL order of `sell`, then the same two. */
export function sellUses(
  accounts: PumpCurveAccounts,
  vault: Address,
  user: CurveTrader,
): readonly AccountUse[] {
  return [
    ...firstUses(accounts, vault, user),
    writable(accounts.creatorVault),
    readOnly(accounts.tokenProgram),
    readOnly(PUMP.eventAuthority),
    readOnly(PUMP.program),
    ...lastUses(accounts),
  ];
}

function firstUses(
  { mint, curve }: PumpCurveAccounts,
  vault: Address,
  { trader, userBase, feeRecipient }: CurveTrader,
): readonly AccountUse[] {
  return [
    readOnly(PUMP.global),
    writable(feeRecipient),
    readOnly(mint),
    writable(curve),
    writable(vault),
    writable(userBase),
    paying(trader),
    readOnly(SYSTEM_PROGRAM),
  ];
}

function lastUses({ curveV2 }: PumpCurveAccounts): readonly AccountUse[] {
  return [
    readOnly(PUMP.feeConfig),
    readOnly(PUMP_FEES_PROGRAM),
    readOnly(curveV2),
    writable(PUMP.buybackRecipient),
  ];
}
