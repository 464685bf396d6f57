import { useEffect, useRef, useState } from 'preact/hooks';
import { type Failure, get, isFailure } from '../../../api/client.ts';
import { subscribe } from '../../../api/stream.ts';
import type { ChartCandle } from '../../../charts/candle-chart.tsx';
import { showFreshness } from '../../../state/freshness.ts';
import { INTERVAL_MS, type Interval, replaceFrom, toCandle, withOlder } from './candle-data.ts';
import { throttle } from './throttle.ts';

export interface CandleRequest {
  readonly mint: string;
  readonly interval: Interval;
  readonly metric: 'price_usd' | 'marketcap_usd';
  readonly view: 'all' | 'organic';
}

export interface Candles {
  /** Null before the first answer; empty if no trade has set a price. */
  readonly candles: readonly ChartCandle[] | null;
  readonly failure: Failure | null;
  readonly loadOlder: () => void;
  readonly reload: () => void;
}

/** Candles of one answer. */
const PAGE = 500;
/** The newest candles may still change for so long (docs/products/candles.md), and forks be seen. */
const CHANGING_MS = 30_000;
/** With the answer's time, a candle is seen within half a second of its slot. */
const AFTER_TRADE_MS = 250;

/**
 * Candles as the API answers them: the newest ones are read again when the stream shows that a
 * candle has changed, so that every view and interval is exact, and older ones when asked for.
 */
export function useCandles(request: CandleRequest): Candles {
  const key = JSON.stringify(request);
  const [candles, setCandles] = useState<readonly ChartCandle[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [round, setRound] = useState(0);
  const held = useRef<readonly ChartCandle[]>([]);
  const older = useRef<() => void>(() => undefined);
  // `round` is no input of the read: it starts it again.
  useEffect(() => {
    const ending = new AbortController();
    const series = new CandleSeries(request, ending.signal, (next, problem) => {
      setFailure(problem);
      if (next !== null) {
        held.current = next;
        setCandles(next);
      }
    });
    setCandles(null);
    setFailure(null);
    older.current = () => void series.readOlder();
    void series.readAll();
    const newest = throttle(AFTER_TRADE_MS, () => {
      // A page that nobody sees does not use up the key's requests.
      if (!document.hidden) void series.readNewest();
    });
    document.addEventListener('visibilitychange', newest.call);
    const unsubscribe = subscribe(
      'candles',
      { token_address: request.mint },
      {
        onItem: newest.call,
        onUndo: newest.call,
        onReady: newest.call,
        onGap: () => void series.readAll(),
      },
    );
    return () => {
      ending.abort();
      newest.end();
      document.removeEventListener('visibilitychange', newest.call);
      unsubscribe();
    };
  }, [key, round]);
  return {
    candles,
    failure,
    loadOlder: () => older.current(),
    reload: () => setRound((old) => old + 1),
  };
}

/** The candles of one request, as they are read. */
class CandleSeries {
  private candles: readonly ChartCandle[] = [];
  private isReading = false;
  private hasOlder = true;
  /** Of reads of the newest candles: an answer that a later one has overtaken is of no use. */
  private begun = 0;
  private shown = 0;
  private readonly request: CandleRequest;
  private readonly signal: AbortSignal;
  private readonly show: (candles: readonly ChartCandle[] | null, failure: Failure | null) => void;

  constructor(
    request: CandleRequest,
    signal: AbortSignal,
    show: (candles: readonly ChartCandle[] | null, failure: Failure | null) => void,
  ) {
    this.request = request;
    this.signal = signal;
    this.show = show;
  }

  async readAll(): Promise<void> {
    const answer = await this.read({});
    if (answer === null) return;
    this.candles = answer;
    this.hasOlder = true;
    this.show(answer, null);
  }

  async readNewest(): Promise<void> {
    const last = this.candles.at(-1);
    if (last === undefined) {
      await this.readAll();
      return;
    }
    const size = INTERVAL_MS[this.request.interval];
    const fromMs = Math.floor((last.timeMs - CHANGING_MS) / size) * size;
    const turn = ++this.begun;
    const answer = await this.read({ start: new Date(fromMs).toISOString() });
    if (answer === null || turn < this.shown) return;
    this.shown = turn;
    this.candles = replaceFrom(this.candles, fromMs, answer);
    this.show(this.candles, null);
  }

  async readOlder(): Promise<void> {
    const first = this.candles[0];
    if (first === undefined || this.isReading || !this.hasOlder) return;
    this.isReading = true;
    const size = INTERVAL_MS[this.request.interval];
    const answer = await this.read({
      start: new Date(Math.max(0, first.timeMs - PAGE * size)).toISOString(),
      end: new Date(first.timeMs).toISOString(),
    });
    this.isReading = false;
    if (answer === null) return;
    // A pause in the trades longer than a page ends the way back; another interval reaches over it.
    this.hasOlder = answer.length > 0;
    if (!this.hasOlder) return;
    this.candles = withOlder(this.candles, answer);
    this.show(this.candles, null);
  }

  private async read(range: {
    readonly start?: string;
    readonly end?: string;
  }): Promise<readonly ChartCandle[] | null> {
    const { mint, interval, metric, view } = this.request;
    const params = { token_address: mint, interval, metric, view, ...range };
    const answer = await get('/v1/market/ohlc', params, { signal: this.signal });
    if (this.signal.aborted) return null;
    if (isFailure(answer)) {
      this.show(null, answer);
      return null;
    }
    showFreshness(answer);
    return (answer.ok.timeframes[interval] ?? []).map(toCandle);
  }
}
