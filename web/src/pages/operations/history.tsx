import { useMemo } from 'preact/hooks';
import { LineChart } from '../../charts/line-chart.tsx';
import { formatCount } from '../../format/numbers.ts';
import { Panel } from '../../ui/panel.tsx';
import { Empty, TooFew } from '../../ui/states.tsx';
import type { SeriesPoint } from './series-memory.ts';

const HEIGHT_PX = 150;
const MEBIBYTE = 2 ** 20;

const SERIES = [
  {
    name: 'Lag',
    label: 'Seconds behind the chain',
    read: (point: SeriesPoint) => point.lagSeconds,
    write: (seconds: number) => `${seconds.toFixed(1)} s`,
    absent: 'This service follows no chain.',
  },
  {
    name: 'Slots per second',
    label: 'Slots per second',
    read: (point: SeriesPoint) => point.slotsPerSecond,
    write: (rate: number) => rate.toFixed(1),
    absent: 'No slot has been counted.',
  },
  {
    name: 'Memory',
    label: 'Memory of the process',
    read: (point: SeriesPoint) => point.memoryBytes,
    write: (bytes: number) => `${formatCount(Math.round(bytes / MEBIBYTE))} MiB`,
    absent: 'The service does not say.',
  },
] as const;

/** Lag, slots per second and memory over the last hour, as far as this page has been open. */
export function History({ points }: { readonly points: readonly SeriesPoint[] }) {
  return (
    <Panel title="Last hour, while this page is open">
      {points.length < 3 ? (
        <TooFew count={points.length} needed={3} />
      ) : (
        <div class="operations-series">
          {SERIES.map((series) => (
            <Series key={series.name} points={points} series={series} />
          ))}
        </div>
      )}
    </Panel>
  );
}

function Series({
  points,
  series: { name, label, read, write, absent },
}: {
  readonly points: readonly SeriesPoint[];
  readonly series: (typeof SERIES)[number];
}) {
  const { timesMs, lines } = useMemo(
    () => ({
      timesMs: points.map(({ timeMs }) => timeMs),
      lines: [{ name, values: points.map(read) }],
    }),
    [points],
  );
  const [line] = lines;
  return (
    <section aria-label={label}>
      <h3 class="operations-part">{label}</h3>
      {line === undefined || line.values.every((value) => value === null) ? (
        <Empty>{absent}</Empty>
      ) : (
        <LineChart
          label={`${label} over the last hour`}
          timesMs={timesMs}
          lines={lines}
          heightPx={HEIGHT_PX}
          format={write}
        />
      )}
    </section>
  );
}
