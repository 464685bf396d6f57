/** guardis.marketdata.v1: the pools changed by each slot (CONTRACT §3). */

import { poolFiguresOf } from '../../../model/pool-figures.ts';
import type { PoolRecord } from '../../../model/pool-record.ts';
import { DEX_NAME_OF_VENUE } from '../../../model/program.ts';
import type { PoolBlock } from '../../../model/streamed.ts';
import type { PriceE18 } from '../../../model/units.ts';
import { formatPrice, formatUsd } from '../../present/format-wire.ts';
import {
  dexNameOf,
  formatLockedPercent,
  presentPoolSides,
} from '../../present/present-pool-block.ts';
import type { Encoded } from '../stream-client.ts';
import {
  type GrpcMessage,
  type GrpcStream,
  sharedMessages,
  text,
  timestamp,
} from './grpc-stream.ts';
import { parseChoices } from './parse-choices.ts';

interface Request {
  readonly dex_names: readonly string[];
}

const POOL_BYTES = 512;
const DEX_NAMES: readonly string[] = Object.values(DEX_NAME_OF_VENUE);

export const marketDataService: GrpcStream<Request, PoolBlock> = {
  file: 'guardis/marketdata/v1/market_data.proto',
  service: 'guardis.marketdata.v1.MarketDataService',
  method: 'StreamMarketData',
  open: ({ streams }, _key, { dex_names: dexNames }) => {
    const wanted = parseChoices('dex_names', dexNames, DEX_NAMES);
    if (wanted.size === 0) return { source: streams.marketData, encode: encodeWhole };
    const encode = ({ item }: { readonly item: PoolBlock }) =>
      encodePools(
        item,
        item.pools.filter((pool) => wanted.has(dexNameOf(pool))),
      );
    return { source: streams.marketData, encode };
  },
};

/** One message shared by all callers that want every pool. */
const encodeWhole = sharedMessages((block: PoolBlock) => encodePools(block, block.pools));

function encodePools(
  { slot, timeMs, solUsd }: PoolBlock,
  pools: readonly PoolRecord[],
): readonly Encoded<GrpcMessage>[] {
  if (pools.length === 0) return [];
  const message = {
    block_number: String(slot),
    timestamp: timestamp(timeMs),
    pools: pools.map((pool) => toSnapshot(pool, solUsd)),
  };
  return [{ message, sizeBytes: pools.length * POOL_BYTES }];
}

function toSnapshot(pool: PoolRecord, solUsd: PriceE18 | null): GrpcMessage {
  const { money, token } = presentPoolSides(pool);
  const figures = poolFiguresOf(pool);
  return {
    pair_address: pool.pool,
    base_address: money.address,
    quote_address: token.address,
    percentage_of_liquidity_locked: text(formatLockedPercent(pool.lockedLiquidity)),
    base_amount: text(money.amount),
    quote_amount: text(token.amount),
    sol_price_usd: text(formatPrice(solUsd)),
    price: text(formatPrice(pool.price)),
    price_usd: text(formatPrice(pool.priceUsd)),
    number_of_buys: pool.buyCount,
    number_of_sells: pool.sellCount,
    buy_volume_usd: text(formatUsd(figures.buyVolumeUsd)),
    sell_volume_usd: text(formatUsd(figures.sellVolumeUsd)),
    total_volume_usd: text(formatUsd(figures.totalVolumeUsd)),
    ath_token_price_usd: text(formatPrice(pool.athPriceUsd)),
    liquidity_usd: text(formatUsd(pool.liquidityUsd)),
    dex_name: dexNameOf(pool),
  };
}
