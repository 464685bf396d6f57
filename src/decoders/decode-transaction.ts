import type { ChainEvent } from '../model/chain-event.ts';
import type { Instruction } from '../model/instruction.ts';
import { ASSOCIATED_TOKEN_PROGRAM, isVenue, SYSTEM_PROGRAM } from '../model/program.ts';
import type { TokenBalanceChange, TransactionFacts } from '../model/slot-facts.ts';
import type { ChainTransaction } from '../model/transaction.ts';
import { type Address, asLamports, asRawAmount } from '../model/units.ts';
import { addInferredSwaps, type ProgramRole } from './inferred/inferred-swap.ts';
import { settleNativeCurves } from './inferred/native-curve.ts';
import type { PoolExchange } from './inferred/pool-exchanges.ts';
import { poolMovementOf } from './inferred/pool-movement.ts';
import { markRoundTrips } from './inferred/round-trips.ts';
import type { Decoder } from './legs/decoder.ts';
import { ALL_DECODERS, type DecoderSet } from './registry.ts';
import type { Tally } from './tally.ts';
import { readComputeBudget } from './transaction/compute-budget.ts';
import { hasNoPools } from './transaction/no-pool-programs.ts';
import { skeletonOf } from './transaction/skeleton.ts';
import { terminalOf } from './transaction/terminals.ts';
import { tipsOf } from './transaction/tips.ts';
import { isTokenProgram } from './transaction/token-movements.ts';
import { TransactionView } from './transaction/transaction-view.ts';

/**
 * Decodes one transaction. A failed transaction yields its fee and error, but no events. One that
 * cannot be read is recorded in the tally and yields only its header fields; it does not affect the
 * others. Programs outside `decoders` are treated as unknown.
 */
export function decodeTransaction(
  transaction: ChainTransaction,
  txIndex: number,
  tally: Tally,
  decoders: DecoderSet = ALL_DECODERS,
): TransactionFacts {
  try {
    return readFacts(transaction, txIndex, { tally, decoders });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    tally.note('failed', null, transaction.signature, { outerIx: 0, innerIx: -1 }, reason);
    return unreadFacts(transaction, txIndex);
  }
}

/** Context for decoding the transactions of a block. */
interface Reader {
  readonly tally: Tally;
  readonly decoders: DecoderSet;
}

function readFacts(
  transaction: ChainTransaction,
  txIndex: number,
  reader: Reader,
): TransactionFacts {
  const { isVenueProgram } = reader.decoders;
  const succeeded = transaction.error === null;
  const view = succeeded ? new TransactionView(transaction, isVenueProgram) : null;
  const budget = readComputeBudget(transaction);
  const programIds = outerPrograms(transaction);
  const events = view === null ? [] : decodeEvents(view, reader);
  const tips = view === null ? [] : tipsOf(view);
  const hasSwap = events.some(({ kind }) => kind === 'swap');
  const facts: TransactionFacts = {
    signature: transaction.signature,
    txIndex,
    isIndexKnown: transaction.txIndex !== null,
    feePayer: transaction.keys.at(0),
    signers: signersOf(transaction),
    error: transaction.error,
    feeLamports: asLamports(transaction.feeLamports),
    computeUnitLimit: budget.unitLimit,
    computeUnitPriceMicroLamports: budget.unitPriceMicroLamports,
    computeUnitsUsed: transaction.computeUnitsUsed,
    tips,
    programIds,
    usesLookupTables: transaction.usesLookupTables,
    tokenBalances: view === null ? [] : changedBalances(transaction),
    events,
    terminal: terminalOf(programIds, events),
    skeleton: hasSwap ? skeletonOf(transaction, tips.length > 0) : null,
  };
  const { priorityFeeLamports } = budget;
  return priorityFeeLamports === null
    ? facts
    : { ...facts, priorityFeeLamports: asLamports(priorityFeeLamports) };
}

/** Facts that need no decoding. */
function unreadFacts(transaction: ChainTransaction, txIndex: number): TransactionFacts {
  const feePayer = transaction.keys.at(0);
  return {
    signature: transaction.signature,
    txIndex,
    isIndexKnown: transaction.txIndex !== null,
    feePayer,
    signers: [feePayer],
    error: transaction.error,
    feeLamports: asLamports(transaction.feeLamports),
    computeUnitLimit: null,
    computeUnitPriceMicroLamports: null,
    computeUnitsUsed: transaction.computeUnitsUsed,
    tips: [],
    programIds: [],
    usesLookupTables: transaction.usesLookupTables,
    tokenBalances: [],
    events: [],
    terminal: null,
    skeleton: null,
  };
}

function decodeEvents(view: TransactionView, reader: Reader): ChainEvent[] {
  const { tally, decoders } = reader;
  const known: ChainEvent[] = [];
  for (const instruction of view.transaction.instructions) {
    const decoder = decoders.decoderOf(instruction.programId);
    if (decoder !== undefined) known.push(...decodeInstruction(decoder, instruction, view, reader));
  }
  const decoded = addInferredSwaps(known, view, roleIn(decoders));
  for (const event of decoded) {
    if (event.kind === 'swap' && event.venue === 'inferred') tally.count('inferred', 'event');
  }
  decoded.sort(byPosition);
  for (const { sweep, reason } of settleNativeCurves(decoded, view)) {
    tally.count(sweep.venue, 'quarantined');
    tally.note('quarantined', sweep.venue, view.transaction.signature, sweep, reason);
  }
  markRoundTrips(decoded);
  for (const event of decoded) {
    if (event.kind !== 'swap' || event.quarantine === null) continue;
    tally.count(event.venue, 'quarantined');
    tally.note('quarantined', event.venue, view.transaction.signature, event, event.quarantine);
  }
  noteCoverage(view, decoded, tally);
  return decoded;
}

/**
 * Hops of one instruction are ordered by the transfer that paid them, among the events of inner
 * instructions.
 */
function byPosition(one: ChainEvent, other: ChainEvent): number {
  return one.outerIx - other.outerIx || one.innerIx - other.innerIx;
}

/**
 * Token and system programs act for their caller; every other program with a decoder acts for
 * itself.
 */
function roleIn({ decoderOf }: DecoderSet): (programId: Address) => ProgramRole {
  return (programId) => {
    if (isTokenProgram(programId)) return 'transparent';
    if (programId === SYSTEM_PROGRAM || programId === ASSOCIATED_TOKEN_PROGRAM) {
      return 'transparent';
    }
    return decoderOf(programId) === undefined && !hasNoPools(programId) ? 'unknown' : 'known';
  };
}

function noteCoverage(view: TransactionView, decoded: readonly ChainEvent[], tally: Tally): void {
  const { movesPools, unexplained } = poolMovementOf(view, decoded);
  if (!movesPools) return;
  tally.poolMovingCount++;
  if (unexplained.length === 0) tally.explainedCount++;
  const { signature } = view.transaction;
  for (const exchange of unexplained) {
    const { instruction } = exchange;
    // The venue already has a problem recorded for this instruction.
    if (tally.hasNoted(signature, instruction)) continue;
    tally.note('unexplained', null, signature, instruction, inWords(exchange));
  }
}

function inWords({ instruction, authority, changes }: PoolExchange): string {
  const amounts = [...changes].sort(([one], [other]) => (one < other ? -1 : 1));
  const moved = amounts.map(([mint, change]) => `${change} of ${mint}`).join(', ');
  return `tokens crossed below program ${instruction.programId}: ${authority} has ${moved}`;
}

function decodeInstruction(
  decoder: Decoder,
  instruction: Instruction,
  view: TransactionView,
  { tally, decoders }: Reader,
): readonly ChainEvent[] {
  const { signature } = view.transaction;
  const result = decodeSafely(decoder, instruction, view);
  if (result.status === 'failed') {
    tally.count(decoder.name, 'malformed');
    tally.note('failed', decoder.name, signature, instruction, result.reason);
    return NO_EVENTS;
  }
  tally.count(decoder.name, result.status);
  if (result.status === 'event') {
    return result.events.map((event) => withBurnVenue(event, instruction, view, decoders));
  }
  if (result.status === 'unknown') {
    const reason = `unknown discriminator ${result.discriminator}`;
    tally.note('unknown', decoder.name, signature, instruction, reason);
  }
  if (result.status === 'malformed') {
    tally.note('malformed', decoder.name, signature, instruction, result.reason);
  }
  return NO_EVENTS;
}

/** Shared by all instructions without events, which are the majority. */
const NO_EVENTS: readonly ChainEvent[] = [];

/** Adds the venue whose instruction made a burn, which token decoders cannot determine. */
function withBurnVenue(
  event: ChainEvent,
  instruction: Instruction,
  view: TransactionView,
  { decoderOf }: DecoderSet,
): ChainEvent {
  if (event.kind !== 'tokenTransfer' || event.transferKind !== 'burn') return event;
  const owner = view.ownerOfLeaf(instruction);
  const name = owner === null ? null : (decoderOf(owner.programId)?.name ?? null);
  return { ...event, burnVenue: name !== null && isVenue(name) ? name : null };
}

/**
 * Decoders must not throw. If one has a bug and throws, the problem is recorded and decoding of the
 * slot continues: one unexpected record must never stop ingestion.
 */
function decodeSafely(decoder: Decoder, instruction: Instruction, view: TransactionView) {
  try {
    return decoder.decode(instruction, view);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { status: 'failed' as const, reason: `decoder failed: ${reason}` };
  }
}

function signersOf(transaction: ChainTransaction): Address[] {
  const signers: Address[] = [];
  for (let index = 0; index < transaction.signerCount; index++) {
    signers.push(transaction.keys.at(index));
  }
  return signers;
}

/** Programs called by outer instructions, each once. There are few, so a list suffices. */
function outerPrograms(transaction: ChainTransaction): Address[] {
  const programs: Address[] = [];
  for (const instruction of transaction.instructions) {
    if (instruction.innerIx >= 0) continue;
    const { programId } = instruction;
    if (!programs.includes(programId)) programs.push(programId);
  }
  return programs;
}

function changedBalances(transaction: ChainTransaction): TokenBalanceChange[] {
  const changes: TokenBalanceChange[] = [];
  for (const { accountIndex, owner, mint, decimals, before, after } of transaction.tokenBalances) {
    if (before === after) continue;
    changes.push({
      account: transaction.keys.at(accountIndex),
      owner,
      mint,
      decimals,
      before: asRawAmount(before),
      after: asRawAmount(after),
    });
  }
  return changes;
}
