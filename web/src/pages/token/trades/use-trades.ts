import { useEffect, useRef, useState } from 'preact/hooks';
import { type Failure, get, isFailure } from '../../../api/client.ts';
import { subscribe } from '../../../api/stream.ts';
import { showFreshness } from '../../../state/freshness.ts';
import { throttle } from '../candles/throttle.ts';
import type { Trade } from '../token-types.ts';
import { EMPTY_BOOK, type TradeBook, withAnswer, withTrade, withUndone } from './trade-book.ts';

export interface TradeFilter {
  readonly side: 'buy' | 'sell' | null;
  readonly class: 'all' | 'organic' | 'bot';
  readonly view: 'all' | 'user';
  /** In dollars, a decimal number. */
  readonly min: string | null;
}

export interface Trades {
  /** Null before the first answer. */
  readonly book: TradeBook | null;
  readonly failure: Failure | null;
  /** Trades up to this slot are final; null if it is not known yet. */
  readonly finalSlot: number | null;
  readonly hasOlder: boolean;
  readonly loadOlder: () => void;
  readonly reload: () => void;
}

const AFTER_TRADE_MS = 500;
/** The stream repeats no older trades: a list that could not be read is read again. */
const AGAIN_MS = 5_000;
const LIMIT = 100;

/** The trades of a token that pass a filter: read once, then followed by the stream. */
export function useTrades(mint: string, filter: TradeFilter): Trades {
  const key = JSON.stringify([mint, filter]);
  const [book, setBook] = useState<TradeBook>(EMPTY_BOOK);
  const [isRead, setRead] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [finalSlot, setFinalSlot] = useState<number | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const current = useRef('');
  const read = async (from: string | null) => {
    if (current.current !== key) return;
    const answer = await get('/v1/trades', paramsOf(mint, filter, from));
    if (current.current !== key) return;
    if (isFailure(answer)) {
      setFailure(answer);
      if (isPassing(answer)) setTimeout(() => void read(from), AGAIN_MS);
      return;
    }
    showFreshness(answer);
    setFailure(null);
    const { trades, next_cursor } = answer.ok;
    setCursor((old) => (from === null && old !== null ? old : next_cursor));
    setBook((old) => withAnswer(old, trades, answer.slot ?? 0));
    setRead(true);
  };
  // `round` is no input of the read: it starts it again.
  useEffect(() => {
    current.current = key;
    setBook(EMPTY_BOOK);
    setRead(false);
    setCursor(null);
    const again = throttle(AFTER_TRADE_MS, () => void read(null));
    const stop = followTrades(mint, filter, { setBook, again: again.call });
    const stopChain = subscribe<{ final_slot: number | null }>(
      'chain',
      {},
      { onItem: ({ final_slot }) => setFinalSlot(final_slot) },
    );
    again.call();
    return () => {
      current.current = '';
      again.end();
      stop();
      stopChain();
    };
  }, [key, round]);
  return {
    // What the stream shows before the first answer is not the tape yet.
    book: isRead ? book : null,
    failure,
    finalSlot,
    hasOlder: cursor !== null,
    loadOlder: () => void read(cursor),
    reload: () => setRound((old) => old + 1),
  };
}

/** The service is busy or does not answer: that passes. */
function isPassing({ error }: Failure): boolean {
  return error === 503 || error === 0;
}

function paramsOf(
  mint: string,
  { side, class: klass, view, min }: TradeFilter,
  from: string | null,
) {
  return {
    token_address: mint,
    class: klass,
    view,
    limit: LIMIT,
    ...(side === null ? {} : { side }),
    ...(min === null ? {} : { min_value_usd: min }),
    ...(from === null ? {} : { cursor: from }),
  };
}

type Change = (change: (old: TradeBook) => TradeBook) => void;

/**
 * Follows the stream. It has single swaps: for trades of people through several pools its messages
 * say that the list is to be read again.
 */
function followTrades(
  mint: string,
  { side, class: klass, view, min }: TradeFilter,
  { setBook, again }: { readonly setBook: Change; readonly again: () => void },
): () => void {
  const params = {
    token_address: mint,
    ...(side === null ? {} : { side }),
    ...(min === null ? {} : { min_value_usd: min }),
    ...(klass === 'all' ? {} : { class: klass }),
  };
  return subscribe<Trade>('trades', params, {
    onItem: (trade) => {
      if (view === 'user') again();
      else setBook((old) => withTrade(old, trade));
    },
    onUndo: (trade, slot) => {
      setBook((old) => withUndone(old, trade, slot, Date.now()));
      if (view === 'user') again();
    },
    onReady: again,
    onGap: again,
  });
}
