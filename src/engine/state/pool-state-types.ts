import type { RobustPrice } from '../../fold/market/pool-price.ts';
import type { PoolState } from '../../fold/market/pools.ts';
import type { SettlingTrade } from '../../fold/market/settling-trade.ts';
import type { PendingJump } from '../../fold/market/thin-jump.ts';
import type { GraphRecord } from '../../lib/graph-types.ts';
import type { PricedSwap } from '../../model/derived.ts';
import { POOL_RECORD } from '../../model/pool-record.ts';
import { QUOTE_CHAIN, QUOTE_LINK } from '../../model/quote-chain.ts';
import { RESERVES } from '../../model/reserves.ts';
import { KEPT_FEES, SWAP } from '../../model/swap.ts';
import { described, describedKind, presences, record } from './state-record.ts';

const {
  walletCount: _,
  liquidityUsd: __,
  lockedLiquidity: ___,
  ...stored
} = presences(POOL_RECORD.fields);

/** Records of pools, their trades and their prices. Their order is part of the layout. */
export const POOL_RECORDS: readonly GraphRecord[] = [
  record<PoolState>('pool', { ...stored, quoteUsd: 'always' }),
  described('reserves', RESERVES),
  record<SettlingTrade>('settling trade', {
    priced: 'always',
    isSettled: 'always',
    sideRank: 'always',
  }),
  record<PricedSwap>('priced swap', {
    swap: 'always',
    slot: 'always',
    txIndex: 'always',
    signature: 'always',
    timeMs: 'always',
    isTimeKnown: 'always',
    price: 'always',
    priceUsd: 'always',
    valueUsd: 'always',
    quoteChain: 'always',
    exclusion: 'always',
    setsTokenPrice: 'always',
    isOrganic: 'always',
  }),
  describedKind('swap', SWAP),
  described('kept fees', KEPT_FEES),
  record<PendingJump>('pending jump', { price: 'always', slot: 'always' }),
  record<RobustPrice>('robust price', {
    price: 'always',
    priceUsd: 'always',
    quoteChain: 'always',
    slot: 'always',
    timeMs: 'always',
  }),
  described('quote chain', QUOTE_CHAIN),
  described('quote link', QUOTE_LINK),
  { name: 'queue of trades', fields: { trades: 'always', start: 'always' } },
  { name: 'trades by side', fields: { buy: 'always', sell: 'always' } },
];
