/** All charts with data made up, for tests/browser/charts.test.ts. */
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { CandleChart } from '../src/charts/candle-chart.tsx';
import { ForceGraph } from '../src/charts/force-graph.tsx';
import { LineChart } from '../src/charts/line-chart.tsx';
import { setTheme } from '../src/state/theme.ts';
import { Button } from '../src/ui/controls.tsx';
import '../src/styles/tokens.css';
import '../src/styles/base.css';
import '../src/styles/forms.css';
import '../src/styles/charts.css';

const START_MS = Date.UTC(2026, 0, 1);
const MINUTES = [...Array(60).keys()];

const candleAt = (minute: number) => ({
  timeMs: START_MS + minute * 60_000,
  open: `0.00001${minute + 10}`,
  high: `0.00001${minute + 20}`,
  low: `0.00001${minute + 10}`,
  close: `0.00001${minute + 15}`,
  volume: `${minute * 100}`,
});

const TIMES = MINUTES.map((minute) => START_MS + minute * 60_000);
const LINES = [
  { name: 'Holders', values: MINUTES.map((minute) => (minute === 20 ? null : minute)) },
  { name: 'Share', values: MINUTES.map((minute) => minute / 60), isRight: true },
];
const NODES = [
  { id: 'a', label: 'Payer', role: 'funder' },
  { id: 'b', label: 'Creator', role: 'creator', isMarked: true },
];
const EDGES = [{ id: 'e', from: 'a', to: 'b', kind: 'paid', title: '1 SOL' }];

function Sample() {
  const [count, setCount] = useState(40);
  const [opened, setOpened] = useState('nothing');
  return (
    <>
      <Button onClick={() => setCount(count + 1)}>Next candle</Button>
      <Button onClick={() => setTheme('dark')}>Dark</Button>
      <p>Opened {opened}</p>
      <CandleChart
        label="Candles"
        seriesKey="sample"
        candles={MINUTES.slice(0, count).map(candleAt)}
        markers={[{ timeMs: START_MS + 90_000, text: 'M', tone: 'accent', isAbove: true }]}
      />
      <LineChart label="Lines" timesMs={TIMES} lines={LINES} />
      <ForceGraph
        label="Graph"
        nodes={NODES}
        edges={EDGES}
        onNode={({ id }) => setOpened(id)}
        onEdge={({ id }) => setOpened(id)}
      />
    </>
  );
}

const root = document.getElementById('app');
if (root !== null) render(<Sample />, root);
