import type { SlotContext, SlotItem } from '../../model/slot-frame.ts';
import type { OffchainReads } from '../offchain-reads.ts';
import { presentIndicatorMinute } from './indicator-minute-body.ts';
import { presentCandle } from './present-candle.ts';
import { presentClassification } from './present-classification.ts';
import { presentStreamedPool } from './present-pool-block.ts';
import { presentSignal } from './present-signal.ts';
import { presentTriggerEvent } from './present-trigger.ts';
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
      return presentCandle(item.candle, 'price_usd');
    case 'indicators':
      return presentIndicatorMinute(item.minute.record);
    case 'findings':
      return presentClassification(item.finding);
    case 'signals':
      return presentSignal(item.signal, offchain);
    case 'triggers':
      return presentTriggerEvent(item.event);
    case 'chain':
      return AppliedSlot.present(context);
  }
}
