import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  PriceScaleMode,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef } from 'preact/hooks';
import { formatCompact, formatPrice } from '../format/numbers.ts';
import { formatTime } from '../format/times.ts';
import { isDark } from '../state/theme.ts';
import { readColours } from './colours.ts';
import { plainDecimal } from './plain-decimal.ts';

/** A candle; its prices are null without a trade that set one. */
export interface ChartCandle {
  /** Start of the candle. */
  readonly timeMs: number;
  readonly open: string | null;
  readonly high: string | null;
  readonly low: string | null;
  readonly close: string | null;
  readonly volume: string | null;
}

/** An event on the chart. */
export interface ChartMarker {
  /** Shown at the candle that holds this time. */
  readonly timeMs: number;
  /** One or two characters. */
  readonly text: string;
  readonly tone: 'accent' | 'rising' | 'falling';
  readonly isAbove: boolean;
  /** Identity of the marker, and its explanation: shown on hover. */
  readonly id?: string;
  readonly title?: string;
}

export interface CandleChartProps {
  /** Says what is shown, for screen readers: "Candles of EXMP, 1 minute, in dollars". */
  readonly label: string;
  /** Changes when the candles are others, as with another interval: the chart is set anew. */
  readonly seriesKey: string;
  /** Oldest first, each time once. */
  readonly candles: readonly ChartCandle[];
  readonly markers?: readonly ChartMarker[];
  /** Market capitalisations are written short, prices with their zeros counted. */
  readonly scale?: 'price' | 'market cap';
  /** Equal factors are equally high: for prices that rose or fell many times over. */
  readonly isLogarithmic?: boolean;
  readonly heightPx?: number;
  /** Called when an early part is scrolled into sight: the caller reads older candles. */
  readonly onOldest?: () => void;
  /** Called with the `id` of a marker that is clicked. */
  readonly onMarker?: (id: string) => void;
}

interface Chart {
  readonly api: IChartApi;
  readonly candles: ISeriesApi<'Candlestick'>;
  readonly volume: ISeriesApi<'Histogram'>;
  readonly markers: ISeriesMarkersPluginApi<Time>;
}

/**
 * Candles with volume and markers. Changes of the newest candles and new ones are applied without
 * setting the chart anew, so that its place and scale stay.
 */
export function CandleChart(props: CandleChartProps) {
  const { label, seriesKey, candles, markers, scale = 'price', heightPx = 420 } = props;
  const { isLogarithmic = false } = props;
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const shown = useRef<{ readonly key: string; readonly candles: readonly ChartCandle[] } | null>(
    null,
  );
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (frame.current === null) return undefined;
    const created = openChart(frame.current, scale, () => latest.current.onOldest?.());
    explainMarkers(created.api, frame.current, () => latest.current);
    chart.current = created;
    shown.current = null;
    return () => {
      chart.current = null;
      created.api.remove();
    };
  }, [scale]);
  useEffect(() => {
    if (chart.current !== null) applyColours(chart.current);
  }, [isDark.value, scale]);
  useEffect(() => {
    const mode = isLogarithmic ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
    chart.current?.api.priceScale('right').applyOptions({ mode });
  }, [isLogarithmic, scale]);
  useEffect(() => {
    const now = chart.current;
    if (now === null) return;
    const before = shown.current?.key === seriesKey ? shown.current.candles : null;
    show(now, before, candles);
    if (before === null) now.api.timeScale().fitContent();
    shown.current = { key: seriesKey, candles };
  }, [seriesKey, candles, scale, isDark.value]);
  useEffect(() => {
    chart.current?.markers.setMarkers(toMarkers(markers ?? [], candles));
    // The scale takes up the room of markers only when it is computed again.
    chart.current?.candles.priceScale().applyOptions({});
  }, [markers, candles, scale, isDark.value]);
  return (
    <div
      class="chart"
      role="img"
      aria-label={label}
      ref={frame}
      style={{ height: `${heightPx}px` }}
    />
  );
}

function openChart(frame: HTMLElement, scale: string, onOldest: () => void): Chart {
  const api = createChart(frame, {
    autoSize: true,
    layout: { attributionLogo: false, background: { color: 'transparent' }, fontSize: 12 },
    localization: {
      timeFormatter: (time: Time) => formatTime(new Date(Number(time) * 1_000).toISOString()),
    },
    timeScale: {
      timeVisible: true,
      secondsVisible: true,
      tickMarkFormatter: (time: Time, kind: number) => tickText(Number(time) * 1_000, kind),
    },
    rightPriceScale: { scaleMargins: { top: 0.08, bottom: 0.24 } },
  });
  const formatter = (price: number) => {
    // The axis reaches below zero where the volume is.
    if (price < 0) return '';
    return scale === 'price'
      ? formatPrice(plainDecimal(price))
      : formatCompact(plainDecimal(price));
  };
  const candles = api.addSeries(CandlestickSeries, {
    priceFormat: { type: 'custom', formatter, minMove: 1e-12 },
  });
  const volume = api.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'volume' },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  api.priceScale('volume').applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  api.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    if (range !== null && range.from < 10) onOldest();
  });
  return { api, candles, volume, markers: createSeriesMarkers(candles, []) };
}

/** Shows the title of the marker under the pointer, and tells which one is clicked. */
function explainMarkers(api: IChartApi, frame: HTMLElement, latest: () => CandleChartProps): void {
  const hovered = (id: unknown) =>
    (latest().markers ?? []).find((marker) => marker.id !== undefined && marker.id === id);
  api.subscribeCrosshairMove(({ hoveredObjectId }) => {
    const marker = hovered(hoveredObjectId);
    frame.title = marker?.title ?? '';
    frame.classList.toggle('on-marker', marker !== undefined);
  });
  api.subscribeClick(({ hoveredObjectId }) => {
    const id = hovered(hoveredObjectId)?.id;
    if (id !== undefined) latest().onMarker?.(id);
  });
}

/** From days on, the date; otherwise the time of day, as lightweight-charts counts its kinds. */
function tickText(timeMs: number, kind: number): string {
  const at = new Date(timeMs);
  if (kind <= 2) return at.toLocaleDateString(undefined, { day: 'numeric', month: 'short' });
  return at.toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(kind === 4 ? { second: '2-digit' } : {}),
  });
}

function applyColours({ api, candles }: Chart): void {
  const { text, grid, rising, falling } = readColours();
  api.applyOptions({
    layout: { textColor: text },
    grid: { vertLines: { color: grid }, horzLines: { color: grid } },
    rightPriceScale: { borderColor: grid },
    timeScale: { borderColor: grid },
  });
  candles.applyOptions({
    upColor: rising,
    downColor: falling,
    borderVisible: false,
    wickUpColor: rising,
    wickDownColor: falling,
  });
}

/** Applies what differs from `before` if it is at the end; otherwise sets all candles. */
function show(
  chart: Chart,
  before: readonly ChartCandle[] | null,
  candles: readonly ChartCandle[],
): void {
  const kept = before === null ? 0 : keptFrom(before, candles);
  if (kept === 0) {
    chart.candles.setData(candles.map(toBar));
    chart.volume.setData(candles.map(toVolume));
    return;
  }
  for (const candle of candles.slice(kept)) {
    chart.candles.update(toBar(candle));
    chart.volume.update(toVolume(candle));
  }
}

/** Number of first candles that are the same; 0 if more than the last one of `before` differ. */
function keptFrom(before: readonly ChartCandle[], after: readonly ChartCandle[]): number {
  const kept = before.length - 1;
  if (kept < 1 || after.length < before.length) return 0;
  for (let index = 0; index < kept; index++) {
    const one = before[index];
    const other = after[index];
    if (one !== other && JSON.stringify(one) !== JSON.stringify(other)) return 0;
  }
  return before[kept]?.timeMs === after[kept]?.timeMs ? kept : 0;
}

function toBar({ timeMs, open, high, low, close }: ChartCandle) {
  const time = secondsOf(timeMs);
  if (open === null || high === null || low === null || close === null) return { time };
  return {
    time,
    open: Number(open),
    high: Number(high),
    low: Number(low),
    close: Number(close),
  };
}

function toVolume({ timeMs, open, close, volume }: ChartCandle) {
  const { rising, falling } = readColours();
  const color = `${Number(close) >= Number(open) ? rising : falling}66`;
  return { time: secondsOf(timeMs), value: Number(volume ?? 0), color };
}

function toMarkers(
  markers: readonly ChartMarker[],
  candles: readonly ChartCandle[],
): SeriesMarker<Time>[] {
  const colours = readColours();
  return markers
    .flatMap(({ id, timeMs, text, tone, isAbove }) => {
      const candle = candles.findLast((one) => one.timeMs <= timeMs);
      if (candle === undefined) return [];
      return [
        {
          time: secondsOf(candle.timeMs),
          position: isAbove ? ('aboveBar' as const) : ('belowBar' as const),
          shape: isAbove ? ('arrowDown' as const) : ('arrowUp' as const),
          color: colours[tone],
          text,
          ...(id === undefined ? {} : { id }),
        },
      ];
    })
    .sort((one, other) => one.time - other.time);
}

function secondsOf(timeMs: number): UTCTimestamp {
  return Math.floor(timeMs / 1_000) as UTCTimestamp;
}
