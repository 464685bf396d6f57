import { useMemo } from 'preact/hooks';
import type { BodyOf } from '../../../api/client.ts';
import { LineChart } from '../../../charts/line-chart.tsx';
import { plainDecimal } from '../../../charts/plain-decimal.ts';
import { formatCompact, formatPercent, formatUsd } from '../../../format/numbers.ts';
import { formatDuration } from '../../../format/times.ts';
import type { Read } from '../../../state/use-read.ts';
import { Figure } from '../../../ui/figure.tsx';
import { ReadView } from '../../../ui/read-view.tsx';
import { TooFew } from '../../../ui/states.tsx';
import type { IndicatorGroup, IndicatorLine, Point } from './indicator-groups.ts';

type Current = BodyOf<'/v1/indicators/current'>;
type Historic = BodyOf<'/v1/indicators/historic'>;

/** One group: its figures now, each explained, and their lines. */
export function IndicatorChart({
  group,
  now,
  historic,
}: {
  readonly group: IndicatorGroup;
  readonly now: Current;
  readonly historic: Read<Historic>;
}) {
  return (
    <>
      <dl class="indicators">
        {group.lines.map((line) => (
          <div key={line.field}>
            <dt>{line.name}</dt>
            <dd>
              <Value line={line} value={now[line.field as keyof Current] ?? null} />
            </dd>
            <dd class="indicator-text">{line.text}</dd>
          </div>
        ))}
      </dl>
      {group.note !== undefined && <p class="token-note">{group.note}</p>}
      <ReadView read={historic}>
        {({ indicators }) => <Lines group={group} points={indicators} />}
      </ReadView>
    </>
  );
}

const UNKNOWN = 'Not known: it depends on a price that is not, or nobody did it yet';

function Value({
  line,
  value,
}: {
  readonly line: IndicatorLine;
  readonly value: string | number | null;
}) {
  if (line.kind !== 'seconds' || value === null) {
    return (
      <Figure
        value={value}
        kind={line.kind === 'seconds' ? 'amount' : line.kind}
        reason={UNKNOWN}
      />
    );
  }
  return <span title={`${value} s`}>{formatDuration(Number(value) * 1_000)}</span>;
}

function Lines({
  group,
  points,
}: {
  readonly group: IndicatorGroup;
  readonly points: readonly Point[];
}) {
  const { timesMs, lines } = useMemo(() => {
    const known = points.filter(({ created_at }) => created_at !== undefined);
    return {
      timesMs: known.map(({ created_at }) => Date.parse(created_at ?? '')),
      lines: group.lines.map(({ field, name, isRight = false }) => ({
        name,
        isRight,
        values: known.map((point) => numberOf(point[field])),
      })),
    };
  }, [group, points]);
  if (timesMs.length < 2) return <TooFew count={timesMs.length} needed={2} />;
  const left = group.lines.find(({ isRight }) => isRight !== true);
  const right = group.lines.find(({ isRight }) => isRight === true);
  return (
    <LineChart
      label={`${group.title} over time`}
      timesMs={timesMs}
      lines={lines}
      heightPx={200}
      format={writerOf(left)}
      formatRight={writerOf(right)}
    />
  );
}

function numberOf(value: string | number | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

function writerOf(line: IndicatorLine | undefined): (value: number) => string {
  switch (line?.kind) {
    case 'usd':
      return (value) => formatUsd(plainDecimal(value));
    case 'percent':
      return (value) => formatPercent(plainDecimal(value), { digits: 0 });
    case 'seconds':
      return (value) => formatDuration(value * 1_000);
    default:
      return (value) => formatCompact(plainDecimal(value));
  }
}
