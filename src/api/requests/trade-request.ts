import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { ApiError } from '../../model/errors.ts';
import {
  TRADE_CLASSES,
  TRADE_VIEWS,
  type TradeFilter,
  type TradePosition,
} from '../../model/trade.ts';
import type { Slot } from '../../model/units.ts';
import type { ApiDeps } from '../deps.ts';
import type { CursorFilters, PageCursor } from '../parameters/page-cursor.ts';
import { setFreshness } from '../present/freshness.ts';
import { TradesBody } from '../present/trade-body.ts';
import {
  ChoiceParameter,
  CursorParameter,
  Defaulted,
  InstantParameter,
  PageLimitParameter,
  UsdParameter,
} from '../schemas/parameters.ts';

export const REVERSED_TRADE_RANGE = 'from must be before to.';

/** Parameters of routes that list trades, beside whose trades they list. */
export const TRADE_PARAMETERS = {
  from: Type.Optional(InstantParameter({ description: 'Trades at or after this time.' })),
  to: Type.Optional(InstantParameter({ description: 'Trades before this time.' })),
  side: Type.Optional(
    ChoiceParameter(['buy', 'sell'], { description: 'Side of the wallet.', invalidStatus: 422 }),
  ),
  min_value_usd: Type.Optional(
    UsdParameter({ description: 'Minimum value; trades of unknown value are then left out.' }),
  ),
  class: Defaulted(
    ChoiceParameter(TRADE_CLASSES, {
      description:
        'organic: trades that count as organic volume, as in the organic view of candles; bot: ' +
        'trades of wallets that were bots in the pool.',
      default: 'all',
      invalidStatus: 422,
    }),
  ),
  view: Defaulted(
    ChoiceParameter(TRADE_VIEWS, {
      description:
        'all: every swap; user: the swaps of a wallet, transaction and token as one trade.',
      default: 'all',
      invalidStatus: 422,
    }),
  ),
  limit: PageLimitParameter,
  cursor: CursorParameter,
};

const Parameters = Type.Object(TRADE_PARAMETERS);
type TradeParameters = Static<typeof Parameters>;

/** Describes all routes that list trades. */
export const TRADES_DESCRIPTION =
  'Newest first. Amounts, prices and values are those of volumes and candles: their sums are equal ' +
  'if quarantined trades are left out. In the view user, hops and quarantined swaps are left out; ' +
  'the other swaps of a wallet in one token and transaction are one trade with what was bought less ' +
  'what was sold, the pool, venue and router of the first swap, and filters apply to the whole; a ' +
  'page may then be short although more follow. Swaps of slots of unknown time are not listed. A ' +
  'cursor is a position, so new trades do not shift later pages.';

/** Whose trades are listed. */
export type TradeSubject = Pick<TradeFilter, 'mint' | 'pool' | 'wallet'>;

interface ListedTrades {
  readonly subject: TradeSubject;
  /** The slot before which the subject did not exist; null if unknown. */
  readonly fromSlot: Slot | null;
  readonly parameters: TradeParameters;
  readonly cursors: PageCursor<TradePosition>;
}

/** Answers a request for trades. Throws 422 for a reversed range, and 400 for a foreign cursor. */
export async function listTrades(
  deps: ApiDeps,
  reply: FastifyReply,
  { subject, fromSlot, parameters, cursors }: ListedTrades,
) {
  const { from, to, view, limit, cursor } = parameters;
  if (from !== undefined && to !== undefined && from >= to) {
    throw new ApiError(422, REVERSED_TRADE_RANGE);
  }
  const filter: TradeFilter = {
    ...subject,
    fromMs: from ?? null,
    toMs: to ?? null,
    side: parameters.side ?? null,
    valueUsdMin: parameters.min_value_usd ?? null,
    class: parameters.class,
  };
  const filters: CursorFilters = { ...filter, view };
  const before = cursors.read(cursor, filters);
  const read = await deps.trades.page({ ...filter, view, before, limit });
  const range = {
    fromSlot,
    isStored: true,
    ...(from === undefined ? {} : { fromMs: from }),
    ...(to === undefined ? {} : { toMs: to }),
  };
  setFreshness(reply, deps, range, read);
  return TradesBody.present(read.data, (next) => cursors.write(next, filters));
}
