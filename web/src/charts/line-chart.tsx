import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { isDark } from '../state/theme.ts';
import { readColours } from './colours.ts';

export interface Line {
  readonly name: string;
  /** One per time; null where it is not known, which leaves a gap. */
  readonly values: readonly (number | null)[];
  /** On an axis of its own, at the right. */
  readonly isRight?: boolean;
}

export interface LineChartProps {
  /** Says what is shown, for screen readers. */
  readonly label: string;
  /** Oldest first. */
  readonly timesMs: readonly number[];
  /** At most six; their names and number stay while the chart is shown. */
  readonly lines: readonly Line[];
  readonly heightPx?: number;
  /** Writes values of the left axis. */
  readonly format?: (value: number) => string;
  readonly formatRight?: (value: number) => string;
}

/**
 * How uPlot writes times: 24 hours, and days as on the other pages. Each row has the smallest step,
 * its text, and the lines that are added where year, month, day, hour and minute change.
 */
const TIME_TEXTS: (string | number | null)[][] = [
  [31_536_000, '{YYYY}', null, null, null, null, null, null, 1],
  [2_419_200, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [86_400, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
];

/** Lines over time, with a legend that shows the values under the pointer. */
export function LineChart(props: LineChartProps) {
  const { label, timesMs, lines, heightPx = 220 } = props;
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const names = JSON.stringify(lines.map(({ name, isRight }) => [name, isRight]));
  const data = [timesMs.map((timeMs) => timeMs / 1_000), ...lines.map(({ values }) => values)];
  const latest = useRef(data as uPlot.AlignedData);
  latest.current = data as uPlot.AlignedData;
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const widthPx = () => Math.max(200, element.clientWidth);
    const created = new uPlot(optionsOf(props, widthPx(), heightPx), latest.current, element);
    chart.current = created;
    const observer = new ResizeObserver(() =>
      created.setSize({ width: widthPx(), height: heightPx }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.current = null;
      created.destroy();
    };
  }, [names, heightPx, isDark.value]);
  useEffect(() => {
    chart.current?.setData(latest.current);
  }, [timesMs, lines]);
  return <div class="chart line-chart" role="img" aria-label={label} ref={frame} />;
}

function optionsOf(props: LineChartProps, width: number, height: number): uPlot.Options {
  const { lines, format = String, formatRight = format } = props;
  const { text, grid, series } = readColours();
  const isAnyRight = lines.some(({ isRight }) => isRight === true);
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid } };
  const rightAxis: uPlot.Axis = {
    ...axis,
    scale: 'right',
    side: 1,
    grid: { show: false },
    values: (_, at) => at.map(formatRight),
  };
  return {
    width,
    height,
    // The last time is centred at the end of the axis.
    padding: [null, isAnyRight ? null : 24, null, null],
    axes: [
      // Room for a time of day.
      { ...axis, space: 80, values: TIME_TEXTS },
      { ...axis, size: 64, values: (_, at) => at.map(format) },
      ...(isAnyRight ? [rightAxis] : []),
    ],
    series: [
      { value: '{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}' },
      ...lines.map(({ name, isRight = false }, index) => ({
        label: name,
        scale: isRight ? 'right' : 'y',
        stroke: series[index % series.length] ?? text,
        width: 1.5,
        points: { show: false },
        value: (_: uPlot, value: number | null) =>
          value === null ? '–' : (isRight ? formatRight : format)(value),
      })),
    ],
  };
}
