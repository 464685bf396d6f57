import type { Mutable } from '../../lib/mutable.ts';
import type { ObjectFormat } from '../../lib/object-map.ts';
import {
  type Described,
  integer,
  list,
  nullable,
  plain,
  record,
  textFormat,
} from '../../model/codec.ts';
import type { SolPrice } from '../../model/derived.ts';
import type { Address, Slot } from '../../model/units.ts';
import { address, price } from '../../model/value-codecs.ts';

const SOL_PRICE = nullable<SolPrice>(
  record({ minuteMs: plain<number>(), usd: price, slot: plain<Slot>() }),
);

const MINUTE = record({
  minuteMs: plain<number>(),
  strong: SOL_PRICE,
  weak: SOL_PRICE,
});

/** References of one minute: from trades above $100 (strong), and of at least $1 (weak). */
export interface MinuteReferences extends Mutable<Described<typeof MINUTE>> {}

const POOL = record({
  pool: address,
  /** Quote reserve for pricing after its last trade, in USD times 10^9; 0 while unknown. */
  depthUsdNano: integer(),
  strongQuoteUsdNano: integer(),
  strongBaseRaw: integer(),
  weakQuoteUsdNano: integer(),
  weakBaseRaw: integer(),
});

/** The trades of one SOL/stablecoin pool in a minute, as raw sums by size class. */
export interface PoolMinute extends Mutable<Described<typeof POOL>> {}

/** What the reference price of SOL follows from. */
export interface SolPriceState {
  /** Up to five earlier minutes, then the current one. */
  minutes: readonly MinuteReferences[];
  inUse: SolPrice | null;
  /** The pools of the current minute by address. */
  pools: Map<Address, PoolMinute>;
}

const STATE = textFormat(
  'SOL price 1',
  record({ minutes: list(MINUTE), inUse: SOL_PRICE, pools: list(POOL) }),
);

/** Lists pools by address. */
export const SOL_PRICE_STATE: ObjectFormat<SolPriceState> = {
  name: STATE.name,
  encode({ minutes, inUse, pools }) {
    const listed = [...pools.values()].sort((one, other) => (one.pool < other.pool ? -1 : 1));
    return STATE.encode({ minutes, inUse, pools: listed });
  },
  decode(text) {
    const { minutes, inUse, pools } = STATE.decode(text);
    return { minutes, inUse, pools: new Map(pools.map((each) => [each.pool, each])) };
  },
};
