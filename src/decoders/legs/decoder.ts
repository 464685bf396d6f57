import type { ChainEvent } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { ProgramName } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import type { ProgramLayout } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/**
 * Converts the instructions of one program into canonical events.
 *
 * Pure: the same instruction gives the same result. No clock, no I/O, no state between calls, and
 * it never throws for any bytes. Amounts come from token transfers below the instruction and
 * balance changes first, from the program's own event second, and never from arguments.
 */
export interface Decoder {
  readonly name: ProgramName;
  readonly programId: Address;
  /** Venues own pools: transfers below their instructions are legs. */
  readonly isVenue: boolean;
  /** The part of the program's documented interface that is relied on, if it has one. */
  readonly layout?: ProgramLayout;
  /** Called once for each instruction of the program in a successful transaction, in order. */
  decode(instruction: Instruction, view: TransactionView): DecodeResult;
}

export type DecodeResult =
  | { readonly status: 'event'; readonly events: readonly ChainEvent[] }
  /** Known to contain nothing of interest, such as a fee claim. */
  | { readonly status: 'ignored' }
  /**
   * An instruction or event of the program that this decoder does not know. Counted and reported.
   */
  | { readonly status: 'unknown'; readonly discriminator: string }
  | { readonly status: 'malformed'; readonly reason: string };

export const IGNORED: DecodeResult = { status: 'ignored' };

export function malformed(reason: string): DecodeResult {
  return { status: 'malformed', reason };
}

/**
 * `byteCount` is the length of the program's discriminators: 8 for Anchor, 1 for older programs.
 */
export function unknown(data: Uint8Array, byteCount: number): DecodeResult {
  let hex = '';
  for (let index = 0; index < byteCount && index < data.length; index++) {
    hex += (data[index] as number).toString(16).padStart(2, '0');
  }
  return { status: 'unknown', discriminator: hex };
}

/** Result of reading one instruction that yields at most one event. */
export type Reading<Event extends ChainEvent> =
  | { readonly status: 'event'; readonly event: Event }
  /** The instruction executed without moving anything of the pool. */
  | { readonly status: 'nothing' }
  | { readonly status: 'malformed'; readonly reason: string };

export function resultOf(reading: Reading<ChainEvent>): DecodeResult {
  if (reading.status === 'malformed') return reading;
  return reading.status === 'nothing' ? IGNORED : events(reading.event);
}

export function events(...list: readonly ChainEvent[]): DecodeResult {
  return { status: 'event', events: list };
}
