import type {
  BundledTransaction,
  HolderBalance,
  PoolRecord,
  SolPrice,
  TokenRecord,
} from '../../model/derived.ts';
import { encodePoolRecord, encodeTokenRecord } from '../codecs/record-codec.ts';
import { int128, int256OrNull } from '../sql/cell.ts';
import type { RowWriter } from './row-writer.ts';

/** The columns are for searches; the full record is in `record`. */
export const tokenRows: RowWriter<TokenRecord> = {
  table: 'tokens',
  key: ({ mint }) => mint,
  columns: {
    mint: ({ mint }) => mint,
    name: ({ name }) => name,
    symbol: ({ symbol }) => symbol,
    creator: ({ creator }) => creator,
    creation_slot: ({ creationSlot }) => creationSlot,
    created_at_ms: ({ createdAtMs }) => createdAtMs,
    primary_pool: ({ primaryPool }) => primaryPool,
    record: encodeTokenRecord,
  },
};

export const poolRows: RowWriter<PoolRecord> = {
  table: 'pools',
  key: ({ pool }) => pool,
  columns: {
    pool: ({ pool }) => pool,
    venue: ({ venue }) => venue,
    base_mint: ({ baseMint }) => baseMint,
    quote_mint: ({ quoteMint }) => quoteMint,
    created_slot: ({ createdSlot }) => createdSlot,
    last_swap_ms: ({ lastSwapMs }) => lastSwapMs,
    record: encodePoolRecord,
  },
};

/** An owner who sold everything keeps a row with 0: rows are replaced, never deleted. */
export const balanceRows: RowWriter<HolderBalance> = {
  table: 'balances',
  key: ({ mint, owner }) => `${mint}/${owner}`,
  columns: {
    mint: ({ mint }) => mint,
    owner: ({ owner }) => owner,
    balance_raw: ({ balanceRaw }) => int128(balanceRaw, 'balances.balance_raw'),
    is_pool: ({ isPool }) => isPool,
    first_seen_ms: ({ firstSeenMs }) => firstSeenMs,
    slot: ({ slot }) => slot,
  },
};

export const bundleRows: RowWriter<BundledTransaction> = {
  table: 'bundled_transactions',
  key: ({ mint, slot, txIndex, owner }) => `${mint}/${slot}/${txIndex}/${owner}`,
  columns: {
    mint: ({ mint }) => mint,
    slot: ({ slot }) => slot,
    tx_index: ({ txIndex }) => txIndex,
    owner: ({ owner }) => owner,
    signature: ({ signature }) => signature,
    lamports: ({ lamports }) => int128(lamports, 'bundled_transactions.lamports'),
    side: ({ side }) => side,
    level: ({ level }) => level,
    certainty: ({ certainty }) => certainty,
    found_slot: ({ foundSlot }) => foundSlot,
  },
};

export const solPriceRows: RowWriter<SolPrice> = {
  table: 'sol_prices',
  key: ({ minuteMs }) => String(minuteMs),
  columns: {
    minute_ms: ({ minuteMs }) => minuteMs,
    usd: ({ usd }) => int256OrNull(usd),
    slot: ({ slot }) => slot,
  },
};
