/**
 * pump.fun bonding curves, program 6EF8rrec….
 *
 * Trades are read from the movements of the curve's token account and of its quote vault or
 * lamports. The program's event adds fees and reserves, the fees that stay on the curve, and the
 * amount of a native sell, which no instruction shows. `create` creates a curve; `migrate` moves it
 * to a pump_amm pool. The 2024 `withdraw` handed a complete curve to an operator who created the
 * pool in a later transaction. It names no pool and is ignored; the completion of the curve is part
 * of the buy that caused it.
 */

import type { ChainEvent } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Address } from '../../model/units.ts';
import { type CreatorEventName, decodeCreatorChange } from '../families/pump-creator-change.ts';
import { readCurveSwap } from '../families/pump-curve-swap.ts';
import { decodePumpLaunch, type LaunchAccounts } from '../families/pump-launch.ts';
import { pumpLayout } from '../families/pump-layout.ts';
import { decodePumpMigration, type MigrateAccounts } from '../families/pump-migration.ts';
import { decodeMultiHopCurveSwap } from '../families/pump-multi-hop.ts';
import { completeEventLayout } from '../families/pump-pool-part.ts';
import type { CurveAccounts } from '../families/pump-quote-leg.ts';
import { decodeSweep, type SweepAccounts } from '../families/pump-sweep.ts';
import {
  type DecodeResult,
  type Decoder,
  events,
  IGNORED,
  resultOf,
  unknown,
} from '../legs/decoder.ts';
import { isSelfEvent } from '../transaction/discriminator.ts';
import { accountsOf, eventTable, instructionTable } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

const INSTRUCTIONS = instructionTable(pumpLayout);
const EVENTS = eventTable(pumpLayout);

export const pump: Decoder = {
  name: 'pump',
  programId: '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P' as Address,
  isVenue: true,
  decode(instruction, view) {
    const { data } = instruction;
    if (isSelfEvent(data)) {
      return EVENTS.get(data, 8) === undefined ? unknown(data.subarray(8), 8) : IGNORED;
    }
    switch (INSTRUCTIONS.get(data)) {
      case 'buy':
      case 'buy_exact_sol_in':
      case 'sell':
        return decodeTrade(instruction, view, tradeAccounts(instruction));
      case 'buy_v2':
      case 'buy_exact_quote_in_v2':
      case 'sell_v2':
        return decodeTrade(instruction, view, tradeV2Accounts(instruction));
      case 'buy_v3':
      case 'buy_exact_quote_in_v3':
      case 'sell_v3':
        return decodeTrade(instruction, view, tradeV3Accounts(instruction));
      default:
        return decodeOther(instruction, view);
    }
  },
};

/** Instructions other than trades on one curve. */
function decodeOther(instruction: Instruction, view: TransactionView): DecodeResult {
  const kind = INSTRUCTIONS.get(instruction.data);
  switch (kind) {
    case 'multi_hop_curve_swap': {
      const at = accountsOf(instruction, pumpLayout.instructions.multi_hop_curve_swap);
      return decodeMultiHopCurveSwap(instruction, view, at.user);
    }
    case 'create':
    case 'create_v2':
      return decodePumpLaunch(instruction, view, launchAccounts(instruction, kind));
    case 'migrate':
      return decodePumpMigration(instruction, view, migrateAccounts(instruction));
    case 'migrate_v2':
      return decodePumpMigration(instruction, view, migrateV2Accounts(instruction));
    case 'sweep_protocol_fee':
      return decodeSweep(instruction, view, sweepAccounts(instruction), 'protocol');
    case 'sweep_creator_fee':
      return decodeSweep(instruction, view, sweepAccounts(instruction), 'creator');
    case 'set_creator':
    case 'set_metaplex_creator':
    case 'migrate_bonding_curve_creator':
    case 'admin_set_creator':
    case 'admin_cto':
      return decodeCreatorChange(instruction, view, CREATOR_EVENTS[kind]);
    case 'ignored':
      return IGNORED;
    default:
      return unknown(instruction.data, 8);
  }
}

/** The event emitted by each change of the creator. */
const CREATOR_EVENTS = {
  set_creator: 'SetCreatorEvent',
  set_metaplex_creator: 'SetMetaplexCreatorEvent',
  migrate_bonding_curve_creator: 'MigrateBondingCurveCreatorEvent',
  admin_set_creator: 'AdminSetCreatorEvent',
  admin_cto: 'AdminCtoEvent',
} as const satisfies Record<string, CreatorEventName>;

function tradeAccounts(instruction: Instruction): CurveAccounts {
  const at = accountsOf(instruction, pumpLayout.instructions.buy);
  return {
    curve: at.bonding_curve,
    mint: at.mint,
    baseVault: at.associated_bonding_curve,
    quoteVault: -1,
    user: at.user,
    userBase: at.associated_user,
    userQuote: -1,
    feeRecipient: at.fee_recipient,
  };
}

function tradeV2Accounts(instruction: Instruction): CurveAccounts {
  const at = accountsOf(instruction, pumpLayout.instructions.buy_v2);
  return {
    curve: at.bonding_curve,
    mint: at.base_mint,
    baseVault: at.associated_base_bonding_curve,
    quoteVault: at.associated_quote_bonding_curve,
    user: at.user,
    userBase: at.associated_base_user,
    userQuote: at.associated_quote_user,
    feeRecipient: at.fee_recipient,
  };
}

function tradeV3Accounts(instruction: Instruction): CurveAccounts {
  const at = accountsOf(instruction, pumpLayout.instructions.buy_v3);
  return {
    curve: at.bonding_curve,
    mint: at.base_mint,
    baseVault: at.associated_base_bonding_curve,
    quoteVault: at.associated_quote_bonding_curve,
    user: at.user,
    userBase: at.associated_base_user,
    userQuote: at.associated_quote_user,
    feeRecipient: -1,
  };
}

/** The last buy of a curve also completes it. */
function decodeTrade(
  instruction: Instruction,
  view: TransactionView,
  at: CurveAccounts,
): DecodeResult {
  const reading = readCurveSwap(view, instruction, at);
  if (reading.status !== 'event') return resultOf(reading);
  if (view.selfEventOf(instruction, completeEventLayout.discriminator) === null) {
    return events(reading.event);
  }
  const { outerIx, innerIx } = instruction;
  const { baseMint: mint, pool } = reading.event;
  const complete: ChainEvent = {
    kind: 'curveComplete',
    outerIx,
    innerIx,
    venue: 'pump',
    mint,
    pool,
  };
  return events(reading.event, complete);
}

function launchAccounts(instruction: Instruction, name: LaunchAccounts['name']): LaunchAccounts {
  const at = accountsOf(instruction, pumpLayout.instructions[name]);
  return {
    mint: at.mint,
    curve: at.bonding_curve,
    user: at.user,
    tokenProgram: at.token_program,
    name,
  };
}

function migrateAccounts(instruction: Instruction): MigrateAccounts {
  const at = accountsOf(instruction, pumpLayout.instructions.migrate);
  return {
    mint: at.mint,
    curve: at.bonding_curve,
    baseVault: at.associated_bonding_curve,
    pool: at.pool,
  };
}

function migrateV2Accounts(instruction: Instruction): MigrateAccounts {
  const at = accountsOf(instruction, pumpLayout.instructions.migrate_v2);
  return {
    mint: at.base_mint,
    curve: at.bonding_curve,
    baseVault: at.associated_base_bonding_curve,
    pool: at.pool,
  };
}

function sweepAccounts(instruction: Instruction): SweepAccounts {
  const at = accountsOf(instruction, pumpLayout.instructions.sweep_protocol_fee);
  return { curve: at.bonding_curve, quoteVault: at.associated_quote_bonding_curve };
}
