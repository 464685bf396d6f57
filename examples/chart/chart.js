import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
} from '/lightweight-charts.js';
import { UdfClient } from '/udf-client.js';

const BARS = 500;
const REFRESH_MS = 5_000;
/** Names of colours of marks, as this chart draws them. */
const COLORS = { red: '#d64545', blue: '#3b82f6', green: '#16a34a', yellow: '#d97706' };

const client = new UdfClient();
const page = new URLSearchParams(location.search);
const form = document.querySelector('form');
const status = document.querySelector('#status');
const events = document.querySelector('#events');

const chart = createChart(document.querySelector('#chart'), {
  autoSize: true,
  timeScale: { timeVisible: true, secondsVisible: true },
});
const candles = chart.addSeries(CandlestickSeries);
const volume = chart.addSeries(HistogramSeries, {
  priceFormat: { type: 'volume' },
  priceScaleId: 'volume',
});
chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.8, bottom: 0 } });
const markers = createSeriesMarkers(candles, []);

form.symbol.value = page.get('symbol') ?? '';
form.resolution.value = page.get('resolution') ?? '1';
await draw();
setInterval(() => void draw(), REFRESH_MS);

async function draw() {
  try {
    const symbol = form.symbol.value || (await client.search('', 1))[0]?.ticker;
    if (symbol === undefined) return say('No token is known yet.');
    form.symbol.value = symbol;
    await drawSymbol(symbol, form.resolution.value);
  } catch (error) {
    say(error.message);
  }
}

async function drawSymbol(symbol, resolution) {
  const info = await client.resolve(symbol);
  const now = Math.ceil(Date.now() / 1_000);
  const bars = await latestBars(symbol, resolution, now);
  const digits = Math.log10(info.pricescale);
  candles.applyOptions({
    priceFormat: { type: 'price', precision: digits, minMove: 1 / info.pricescale },
  });
  candles.setData(bars);
  volume.setData(bars.map(({ time, volume: value }) => ({ time, value })));
  const from = bars[0]?.time ?? now - 1;
  showMarks(
    await client.marks(symbol, resolution, from, now),
    new Set(bars.map(({ time }) => time)),
  );
  say(`${info.name}, ${bars.length} bars`);
}

/** A market that has no trade near the end says where the last bar before it is. */
async function latestBars(symbol, resolution, to) {
  const { bars, nextTime } = await client.bars(symbol, resolution, to, BARS);
  if (bars.length > 0 || nextTime === null) return bars;
  return (await client.bars(symbol, resolution, nextTime + 1, BARS)).bars;
}

function showMarks(marks, times) {
  markers.setMarkers(
    marks
      .filter(({ time }) => times.has(time))
      .map(({ id, time, color, label }) => ({
        id,
        time,
        color: COLORS[color],
        text: label,
        position: label === 'F' || label === 'M' ? 'aboveBar' : 'belowBar',
        shape: 'circle',
      })),
  );
  events.replaceChildren(
    ...marks.toReversed().map(({ time, text, label }) => {
      const item = document.createElement('li');
      // As text, never as markup.
      item.textContent = `${new Date(time * 1_000).toISOString()} ${label}: ${text}`;
      return item;
    }),
  );
}

function say(text) {
  status.textContent = text;
}
