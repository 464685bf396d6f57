/**
 * pump.fun bonding curves, program 6EF8rrec….
 *
 * Trades are what moved: the curve's token account, and the quote vault or the lamports into the
 * curve; the program's event adds fees and reserves, and the amount of a native sale, which no
 * instruction shows. `create` opens a curve, `migrate` moves it into a pump_amm pool. The 2024
 * `withdraw` handed a complete curve to an operator who opened the pool in a later transaction: it
 * names no pool and is ignored, the curve's completion stands in the buy that caused it.
 */

import { BorshReader } from '../../model/borsh-reader.ts';
import type { ChainEvent, Launch, MetadataSet } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import {
  type DecodeResult,
  type Decoder,
  events,
  IGNORED,
  malformed,
  resultOf,
  unknown,
} from '../decoder.ts';
import { isSelfEvent } from '../discriminator.ts';
import { mintedSupply } from '../minted-supply.ts';
import { accountsOf, eventTable, instructionTable } from '../program-layout.ts';
import { type PumpCreateEvent, readCreateEvent } from '../pump-create-event.ts';
import { readCurveSwap } from '../pump-curve-swap.ts';
import { pumpLayout } from '../pump-layout.ts';
import type { CurveAccounts } from '../pump-quote-leg.ts';
import { deltaOf } from '../swap-legs.ts';
import { EVENT_FIELDS_OFFSET, type TransactionView } from '../transaction-view.ts';

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
      case 'create':
        return decodeCreate(instruction, view, 'create');
      case 'create_v2':
        return decodeCreate(instruction, view, 'create_v2');
      case 'migrate':
      case 'migrate_v2':
        return decodeMigrate(instruction, view, migrateAccounts(instruction));
      case 'ignored':
        return IGNORED;
      default:
        return unknown(data, 8);
    }
  },
};

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

/** The last buy of a curve also completes it. */
function decodeTrade(
  instruction: Instruction,
  view: TransactionView,
  at: CurveAccounts,
): DecodeResult {
  const reading = readCurveSwap(view, instruction, at);
  if (reading.status !== 'event') return resultOf(reading);
  const { CompleteEvent } = pumpLayout.events;
  if (view.selfEventOf(instruction, CompleteEvent.discriminator) === null) {
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

function decodeCreate(
  instruction: Instruction,
  view: TransactionView,
  name: 'create' | 'create_v2',
): DecodeResult {
  const at = accountsOf(instruction, pumpLayout.instructions[name]);
  if (Object.values(at).some((index) => index < 0)) return malformed('too few accounts');
  const { keys } = view.transaction;
  const mint = keys.at(at.mint);
  const text = readArguments(instruction);
  if (text === null) return malformed(`${name} arguments end early`);
  const data = view.selfEventOf(instruction, pumpLayout.events.CreateEvent.discriminator);
  const event = data === null ? null : readCreateEvent(data);
  if (data !== null && event === null) return malformed('CreateEvent ends inside its fields');
  const { outerIx, innerIx } = instruction;
  const launch: Launch = {
    kind: 'launch',
    outerIx,
    innerIx,
    venue: 'pump',
    mint,
    quoteMint: event?.quoteMint ?? WRAPPED_SOL,
    pool: keys.at(at.bonding_curve),
    creator: event?.creator ?? text.creator ?? keys.at(at.user),
    tokenProgram: keys.at(at.token_program),
    supply: mintedSupply(view, instruction, mint),
    reserves: startOf(event),
  };
  const metadata: MetadataSet = {
    kind: 'metadataSet',
    outerIx,
    innerIx,
    standard: name === 'create' ? 'metaplex' : 'token2022',
    mint,
    name: text.name,
    symbol: text.symbol,
    uri: text.uri,
    sellerFeeBps: null,
    creators: null,
    isMutable: null,
    primarySaleHappened: null,
    tokenStandard: null,
  };
  return events(launch, metadata);
}

/** Name, symbol and link as given; the creator since the program asks for one. */
function readArguments(instruction: Instruction) {
  const reader = new BorshReader(instruction.data, 8);
  const name = reader.string();
  const symbol = reader.string();
  const uri = reader.string();
  const creator = reader.remaining > 0 ? reader.address() : null;
  return reader.isShort ? null : { name, symbol, uri, creator };
}

function startOf(event: PumpCreateEvent | null): Launch['reserves'] {
  if (event === null || event.reserves === null) return null;
  const { realBase, virtualBase, virtualQuote } = event.reserves;
  return {
    base: realBase as RawAmount,
    quote: 0n as RawAmount,
    virtualBase: virtualBase as RawAmount,
    virtualQuote: virtualQuote as RawAmount,
  };
}

/** Where a migration keeps its accounts, as key indices. */
interface MigrateAccounts {
  readonly mint: number;
  readonly curve: number;
  readonly baseVault: number;
  readonly pool: number;
}

function migrateAccounts(instruction: Instruction): MigrateAccounts {
  const { migrate, migrate_v2 } = pumpLayout.instructions;
  if (INSTRUCTIONS.get(instruction.data) === 'migrate') {
    const at = accountsOf(instruction, migrate);
    return {
      mint: at.mint,
      curve: at.bonding_curve,
      baseVault: at.associated_bonding_curve,
      pool: at.pool,
    };
  }
  const at = accountsOf(instruction, migrate_v2);
  return {
    mint: at.base_mint,
    curve: at.bonding_curve,
    baseVault: at.associated_base_bonding_curve,
    pool: at.pool,
  };
}

/** Anybody may call it again on a migrated curve; then it moves nothing and sends no event. */
function decodeMigrate(
  instruction: Instruction,
  view: TransactionView,
  at: MigrateAccounts,
): DecodeResult {
  if (Math.min(at.mint, at.curve, at.baseVault, at.pool) < 0) return malformed('too few accounts');
  const left = -deltaOf(view.tokenMovementsUnder(instruction), at.baseVault);
  const { CompletePumpAmmMigrationEvent } = pumpLayout.events;
  const data = view.selfEventOf(instruction, CompletePumpAmmMigrationEvent.discriminator);
  if (data === null) return left === 0n ? IGNORED : malformed('a migration without its event');
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  reader.skip(2 * 32);
  const baseRaw = reader.u64();
  const quoteRaw = reader.u64();
  if (reader.isShort) return malformed('CompletePumpAmmMigrationEvent ends inside its fields');
  if (left < baseRaw) return malformed(`event says ${baseRaw} tokens, ${left} left the curve`);
  return events({
    kind: 'migrate',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'pump',
    mint: view.transaction.keys.at(at.mint),
    fromPool: view.transaction.keys.at(at.curve),
    toPool: view.transaction.keys.at(at.pool),
    baseRaw: baseRaw as RawAmount,
    quoteRaw: quoteRaw as RawAmount,
  });
}
