import { type TSchema, Type } from 'typebox';
import { isOfRule, type StreamedSignal } from '../../model/signal-listing.ts';
import type { SlotContext, SlotItem, StreamTopic } from '../../model/slot-frame.ts';
import type { OffchainReads } from '../offchain-reads.ts';
import { IndicatorMinute } from './indicator-minute-body.ts';
import { CandleBody } from './present-candle.ts';
import { ClassificationBody } from './present-classification.ts';
import { presentStreamedPool, StreamedPool } from './present-pool-block.ts';
import { HitRecord } from './present-rule.ts';
import { SignalBody } from './present-signal.ts';
import { presentTriggerEvent, TriggerEventBody } from './present-trigger.ts';
import type { TokenImages } from './signal-image.ts';
import { RuleSignal } from './signals-body.ts';
import { StreamedToken } from './token-body.ts';
import { TradeItem } from './trade-body.ts';
import { WalletBody } from './wallet-body.ts';
import { integer, maybeInstant, nullable, price } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

/** A slot, in the topic `chain`. */
export const AppliedSlot = wireRecord<SlotContext>()({
  slot: [integer, 'slot'],
  timestamp: [maybeInstant, 'timeMs', 'Block time; null while unknown.'],
  final_slot: [nullable(integer), 'finalSlot', 'The newest slot that cannot be taken back.'],
  sol_price_usd: [nullable(price), 'solUsd'],
});

/** Schemas of the data that `presentSlotItem` returns. */
export const SLOT_ITEM_DATA: Readonly<Record<StreamTopic, TSchema>> = {
  pool: StreamedPool.schema,
  token: StreamedToken.schema,
  wallet: Type.Union([WalletBody.schema, Type.Null()], {
    description: 'The wallet; null if it was taken back and had not been sent before.',
  }),
  trades: TradeItem.schema,
  candles: {
    ...CandleBody.schema,
    description:
      'A candle of 30 seconds, with prices in US dollars. One without a price of its own is flat at ' +
      'the last close, as in reads. Prices are null if the candle was sent and no longer is one: ' +
      'the trades that had set the first prices were found not to count.',
  },
  indicators: IndicatorMinute.schema,
  findings: ClassificationBody.schema,
  new_tokens: StreamedToken.schema,
  signals: Type.Union([SignalBody.schema, RuleSignal.schema]),
  triggers: TriggerEventBody,
  rule_hits: HitRecord.schema,
  chain: AppliedSlot.schema,
};

/** The data of a message, with the keys of the REST answer of the same kind (CONTRACT §4). */
export function presentSlotItem(
  item: SlotItem,
  context: SlotContext,
  offchain: OffchainReads,
): unknown {
  switch (item.topic) {
    case 'pool':
      return presentStreamedPool(item.pool, context.solUsd);
    case 'token':
    case 'new_tokens': {
      const { token } = item;
      return StreamedToken.present({ token, facts: offchain.factsOf(token.mint) }, token.decimals);
    }
    case 'wallet':
      return item.wallet === null ? null : WalletBody.present(item.wallet);
    case 'trades':
      return TradeItem.present(item.trade);
    case 'candles':
      return CandleBody.present(item.candle, 'price_usd');
    case 'indicators':
      return IndicatorMinute.present(item.minute.record);
    case 'findings':
      return ClassificationBody.present(item.finding);
    case 'signals':
      return presentStreamedSignal(item.signal, offchain);
    case 'triggers':
      return presentTriggerEvent(item.event);
    case 'rule_hits':
      return HitRecord.present(item.hit, undefined);
    case 'chain':
      return AppliedSlot.present(context);
  }
}

/** A signal of a model or of a rule, over WebSocket, server-sent events and gRPC. */
export function presentStreamedSignal(signal: StreamedSignal, images: TokenImages) {
  return isOfRule(signal) ? RuleSignal.present(signal, images) : SignalBody.present(signal, images);
}
