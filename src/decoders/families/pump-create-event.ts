import { BorshReader } from '../../model/borsh-reader.ts';
import type { Address } from '../../model/units.ts';
import { anchorEvent } from '../transaction/anchor-layout.ts';
import { EVENT_FIELDS_OFFSET } from '../transaction/transaction-view.ts';
import { quoteMintOf } from './pump-trade-event.ts';

/**
 * The event of every pump launch. Fields were only ever appended, so one order covers all layouts.
 */
export const createEventLayout = anchorEvent('CreateEvent', [
  'name',
  'symbol',
  'uri',
  'mint',
  'bonding_curve',
  'user',
  'creator',
  'timestamp',
  'virtual_token_reserves',
  'virtual_sol_reserves',
  'real_token_reserves',
  'token_total_supply',
  'token_program',
  'is_mayhem_mode',
  'is_cashback_enabled',
  'quote_mint',
  'virtual_quote_reserves',
  'creator_fee_bps',
  'is_holder_reward',
  'depth',
]);

/** Data of a launch event beyond the arguments; null for fields that its layout does not have. */
export interface PumpCreateEvent {
  /** The wallet that launched the token. */
  readonly user: Address;
  /** Receiver of creator fees; before those existed, the wallet that launched the token. */
  readonly creator: Address;
  /** Null: native SOL, also for events from before other quotes were possible. */
  readonly quoteMint: Address | null;
  readonly reserves: CurveStart | null;
}

/** A curve before its first trade, when it has received no quote. */
export interface CurveStart {
  readonly virtualBase: bigint;
  readonly virtualQuote: bigint;
  readonly realBase: bigint;
}

/**
 * Reads the data of an event, including tag and discriminator; null when they end inside its
 * fields.
 */
export function readCreateEvent(data: Uint8Array): PumpCreateEvent | null {
  const reader = new BorshReader(data, EVENT_FIELDS_OFFSET);
  for (let text = 0; text < TEXTS; text++) reader.skip(reader.u32());
  reader.skip(2 * KEY_BYTES);
  const user = reader.address();
  const creator = reader.remaining > 0 ? reader.address() : user;
  if (reader.remaining > 0) reader.skip(U64_BYTES);
  let reserves = reader.remaining > 0 ? readStart(reader) : null;
  if (reader.remaining > 0) reader.skip(KEY_BYTES);
  if (reader.remaining > 0) reader.skip(1);
  if (reader.remaining > 0) reader.skip(1);
  let quoteMint: Address | null = null;
  if (reader.remaining > 0) {
    quoteMint = quoteMintOf(reader.address());
    const virtualQuote = reader.u64();
    if (reserves !== null) reserves = { ...reserves, virtualQuote };
  }
  if (reader.remaining > 0) reader.skip(U64_BYTES);
  if (reader.remaining > 0) reader.skip(1);
  if (reader.remaining > 0) reader.skip(1);
  return reader.isShort ? null : { user, creator, quoteMint, reserves };
}

/** Name, symbol, URI. */
const TEXTS = 3;
const KEY_BYTES = 32;
const U64_BYTES = 8;

function readStart(reader: BorshReader): CurveStart {
  const virtualBase = reader.u64();
  const virtualQuote = reader.u64();
  const realBase = reader.u64();
  reader.skip(U64_BYTES);
  return { virtualBase, virtualQuote, realBase };
}
