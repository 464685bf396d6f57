import { useMemo } from 'preact/hooks';
import type { BodyOf } from '../../../api/client.ts';
import { LineChart } from '../../../charts/line-chart.tsx';
import { formatCompact } from '../../../format/numbers.ts';
import { nowMs } from '../../../state/clock.ts';
import { useRead } from '../../../state/use-read.ts';
import { Panel } from '../../../ui/panel.tsx';
import { ReadView } from '../../../ui/read-view.tsx';
import { TooFew } from '../../../ui/states.tsx';
import { SpanChoice } from '../span-choice.tsx';
import { rangeOf, SPAN_SIZES, spanInQuery } from '../time-span.ts';
import { useKept } from '../use-kept.ts';

type Point = BodyOf<'/v1/token/{token_address}/holders-over-time'>['data_points'][number];

/** The number of holders over time. */
export function HoldersOverTime({
  mint,
  createdAt,
}: {
  readonly mint: string;
  readonly createdAt: string | null;
}) {
  const span = spanInQuery();
  const read = useRead('/v1/token/{token_address}/holders-over-time', {
    token_address: mint,
    ...rangeOf(span, createdAt, nowMs.value),
    interval: SPAN_SIZES[span].interval,
  });
  return (
    <Panel title="Holders over time" actions={<SpanChoice />}>
      <ReadView read={useKept(read, `${mint} ${span}`)}>
        {({ data_points }) => <Chart points={data_points} />}
      </ReadView>
    </Panel>
  );
}

function Chart({ points }: { readonly points: readonly Point[] }) {
  const { timesMs, lines } = useMemo(
    () => ({
      timesMs: points.map(({ timestamp }) => Date.parse(timestamp)),
      lines: [{ name: 'Holders', values: points.map(({ holders }) => holders) }],
    }),
    [points],
  );
  if (points.length < 2) return <TooFew count={points.length} needed={2} />;
  return (
    <LineChart
      label="Number of holders over time"
      timesMs={timesMs}
      lines={lines}
      heightPx={180}
      format={(value) => formatCompact(String(value))}
    />
  );
}
