import type { HolderBalance, SolPrice } from '../../model/derived.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import type { Venue } from '../../model/program.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import { type Address, asRawAmount } from '../../model/units.ts';
import {
  decodePoolRecord,
  decodeTokenRecord,
  encodePoolRecord,
  encodeTokenRecord,
} from '../codecs/record-codec.ts';
import { encoded, flag, int128, numeric, orNull, price, slot, text } from '../sql/columns.ts';
import { columnsOfRecord, describeTable, wholeWithCopies } from '../sql/table.ts';

export const tokenTable = describeTable({
  name: 'tokens',
  key: ({ mint }: TokenRecord) => mint,
  columns: wholeWithCopies<TokenRecord>(
    encoded('record', encodeTokenRecord, decodeTokenRecord),
    columnsOfRecord({
      mint: text<Address>('mint'),
      name: orNull(text('name')),
      symbol: orNull(text('symbol')),
      creator: orNull(text<Address>('creator')),
      creationSlot: orNull(slot('creation_slot')),
      createdAtMs: orNull(numeric('created_at_ms')),
      primaryPool: orNull(text<Address>('primary_pool')),
    }),
  ),
});

export const poolTable = describeTable({
  name: 'pools',
  key: ({ pool }: PoolRecord) => pool,
  columns: wholeWithCopies<PoolRecord>(
    encoded('record', encodePoolRecord, decodePoolRecord),
    columnsOfRecord({
      pool: text<Address>('pool'),
      venue: text<Venue>('venue'),
      baseMint: text<Address>('base_mint'),
      quoteMint: text<Address>('quote_mint'),
      createdSlot: orNull(slot('created_slot')),
      lastSwapMs: orNull(numeric('last_swap_ms')),
    }),
  ),
});

/** An owner who sold everything keeps a row with 0: rows are replaced, never deleted. */
export const balanceTable = describeTable({
  name: 'balances',
  key: ({ mint, owner }: HolderBalance) => `${mint}/${owner}`,
  columns: columnsOfRecord<HolderBalance>({
    mint: text('mint'),
    owner: text('owner'),
    balanceRaw: int128('balance_raw', asRawAmount),
    isPool: flag('is_pool'),
    firstSeenMs: orNull(numeric('first_seen_ms')),
    slot: slot('slot'),
  }),
});

export const solPriceTable = describeTable({
  name: 'sol_prices',
  key: ({ minuteMs }: SolPrice) => String(minuteMs),
  columns: columnsOfRecord<SolPrice>({
    minuteMs: numeric('minute_ms'),
    usd: price('usd'),
    slot: slot('slot'),
  }),
});
