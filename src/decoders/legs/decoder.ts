import type { ChainEvent } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { ProgramName } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/**
 * Turns one program's instructions into canonical events.
 *
 * Pure: same instruction, same answer. No clock, no I/O, no state between calls, and it never
 * throws on any bytes. Amounts are what moved: token transfers under the instruction and balance
 * changes first, the program's own event second, arguments never.
 */
export interface Decoder {
  readonly name: ProgramName;
  readonly programId: Address;
  /** Venues own pools: transfers below one of their instructions are its legs. */
  readonly isVenue: boolean;
  /** Called once for each instruction of the program in a successful transaction, in order. */
  decode(instruction: Instruction, view: TransactionView): DecodeResult;
}

export type DecodeResult =
  | { readonly status: 'event'; readonly events: readonly ChainEvent[] }
  /** Known to carry nothing for us, such as a fee claim. */
  | { readonly status: 'ignored' }
  /** The program has an instruction or event this decoder has never seen. Counted, never hidden. */
  | { readonly status: 'unknown'; readonly discriminator: string }
  | { readonly status: 'malformed'; readonly reason: string };

export const IGNORED: DecodeResult = { status: 'ignored' };

export function malformed(reason: string): DecodeResult {
  return { status: 'malformed', reason };
}

/** `byteCount` is the length of the program's discriminators: 8 for Anchor, 1 for the older ones. */
export function unknown(data: Uint8Array, byteCount: number): DecodeResult {
  let hex = '';
  for (let index = 0; index < byteCount && index < data.length; index++) {
    hex += (data[index] as number).toString(16).padStart(2, '0');
  }
  return { status: 'unknown', discriminator: hex };
}

/** What one instruction was read as, when it can be one event at most. */
export type Reading<Event extends ChainEvent> =
  | { readonly status: 'event'; readonly event: Event }
  /** The instruction executed and moved nothing of the pool's. */
  | { readonly status: 'nothing' }
  | { readonly status: 'malformed'; readonly reason: string };

export function resultOf(reading: Reading<ChainEvent>): DecodeResult {
  if (reading.status === 'malformed') return reading;
  return reading.status === 'nothing' ? IGNORED : events(reading.event);
}

export function events(...list: readonly ChainEvent[]): DecodeResult {
  return { status: 'event', events: list };
}
