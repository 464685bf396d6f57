import type { Address } from '../../model/units.ts';
import { anchorEvent } from '../transaction/anchor-layout.ts';
import { readEvent } from '../transaction/self-event.ts';
import { quoteMintOf } from './pump-trade-event.ts';

/**
 * The event of every pump launch. Fields were only ever appended, so one order covers all layouts.
 */
export const createEventLayout = anchorEvent(
  'CreateEvent',
  {
    name: 'string',
    symbol: 'string',
    uri: 'string',
    mint: 'pubkey',
    bonding_curve: 'pubkey',
    user: 'pubkey',
  },
  { creator: 'pubkey' },
  { timestamp: 'i64' },
  {
    virtual_token_reserves: 'u64',
    virtual_sol_reserves: 'u64',
    real_token_reserves: 'u64',
    token_total_supply: 'u64',
  },
  { token_program: 'pubkey' },
  { is_mayhem_mode: 'bool' },
  { is_cashback_enabled: 'bool' },
  { quote_mint: 'pubkey', virtual_quote_reserves: 'u64' },
  { creator_fee_bps: 'u64' },
  { is_holder_reward: 'bool' },
  { depth: 'u8' },
);

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
  const event = readEvent(createEventLayout, data);
  if (event === null) return null;
  const { user, quote_mint } = event;
  const virtualBase = event.virtual_token_reserves;
  const virtualQuote = event.virtual_quote_reserves ?? event.virtual_sol_reserves;
  const realBase = event.real_token_reserves;
  const isStartMissing =
    virtualBase === undefined || virtualQuote === undefined || realBase === undefined;
  return {
    user,
    creator: event.creator ?? user,
    quoteMint: quote_mint === undefined ? null : quoteMintOf(quote_mint),
    reserves: isStartMissing ? null : { virtualBase, virtualQuote, realBase },
  };
}
