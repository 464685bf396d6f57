import type { Mutable } from '../../lib/mutable.ts';
import { type Codec, type Described, plain, record, textFormat } from '../../model/codec.ts';
import { POOL_RECORD, type PoolRecord } from '../../model/pool-record.ts';
import { asRawAmount, asUsdNano } from '../../model/units.ts';
import { maybePrice } from '../../model/value-codecs.ts';
import { knownTimeMs, type Moment } from './logical-time.ts';

/** The immutable fields of a pool. */
export type PoolIdentity = Pick<
  PoolRecord,
  'pool' | 'venue' | 'baseMint' | 'quoteMint' | 'baseDecimals' | 'quoteDecimals'
>;

// These fields are added when the public record is presented.
const { walletCount, liquidityUsd, lockedLiquidity, ...kept } = POOL_RECORD.fields;

const STATE = record({
  /** As numbered by PoolNumbers. */
  number: plain<number>(),
  ...kept,
  /**
   * USD per whole quote token at the pool's last change; null while unknown, and for SOL and
   * stablecoins, whose price is always known.
   */
  quoteUsd: maybePrice,
});

type Fields = Described<typeof STATE>;
type FixedField = 'number' | keyof PoolIdentity;

/** The internal state of a pool; `presentPool` creates the public record. */
export interface PoolState extends Pick<Fields, FixedField>, Mutable<Omit<Fields, FixedField>> {}

export const POOL_STATE = textFormat('pool 1', STATE as unknown as Codec<PoolState>);

/** Creates the state of a newly seen pool. */
export function newPool(number: number, identity: PoolIdentity, at: Moment): PoolState {
  return {
    number,
    pool: identity.pool,
    venue: identity.venue,
    baseMint: identity.baseMint,
    quoteMint: identity.quoteMint,
    baseDecimals: identity.baseDecimals,
    quoteDecimals: identity.quoteDecimals,
    creator: null,
    createdSlot: null,
    reserves: null,
    buyCount: 0,
    sellCount: 0,
    swapCount: 0,
    buyVolumeUsd: asUsdNano(0n),
    sellVolumeUsd: asUsdNano(0n),
    quoteVolumeRaw: asRawAmount(0n),
    pricedQuoteVolumeRaw: asRawAmount(0n),
    price: null,
    priceUsd: null,
    athPriceUsd: null,
    isCurveComplete: false,
    migratedTo: null,
    firstSeenMs: knownTimeMs(at),
    lastSwapMs: null,
    updatedAtMs: knownTimeMs(at),
    slot: at.slot,
    priceChain: null,
    quoteUsd: null,
  };
}
