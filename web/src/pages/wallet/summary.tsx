import { formatCount } from '../../format/numbers.ts';
import { formatAge, formatTime } from '../../format/times.ts';
import { nowMs } from '../../state/clock.ts';
import { Badge } from '../../ui/badge.tsx';
import { Figure, FigureRow, NamedFigure } from '../../ui/figure.tsx';
import { FindingBadge } from '../../ui/finding-badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ClassBadge, KindBadge } from './class-badge.tsx';
import { totalOf } from './totals.ts';
import type { Wallet } from './wallet-types.ts';

/** What the wallet is and what it has, in one line. */
export function Summary({
  wallet,
  finding,
}: {
  readonly wallet: Wallet;
  /** The most certain finding that names it. */
  readonly finding: Parameters<typeof FindingBadge>[0]['finding'] | null;
}) {
  const { automation, skill, kind, positions, position_count: count } = wallet;
  const part = positions.length < count ? ` of the ${positions.length} newest positions` : '';
  const value = totalOf(positions.map(({ value_usd }) => value_usd));
  const realised = totalOf(positions.map(({ realised_usd }) => realised_usd));
  const unrealised = totalOf(positions.map(({ unrealised_usd }) => unrealised_usd));
  const reason = 'No position has a known price';
  return (
    <Panel title="Summary">
      <FigureRow>
        <NamedFigure name="Class">
          <span class="badges">
            {kind !== null && <KindBadge kind={kind} />}
            <ClassBadge label={automation?.label ?? null} />
            {finding !== null && <FindingBadge finding={finding} />}
            {skill?.is_smart === true && <Badge tone="accent">Smart</Badge>}
          </span>
        </NamedFigure>
        <NamedFigure name="Class since">
          <Instant instant={automation?.since ?? null} />
        </NamedFigure>
        <NamedFigure name={`Value${part}`}>
          <Figure value={value} kind="usd" reason={reason} />
        </NamedFigure>
        <NamedFigure name={`Realised${part}`}>
          <Profit
            value={realised}
            reason={
              count === 0 ? 'No positions' : 'The cost of what it holds and sold is not known'
            }
          />
        </NamedFigure>
        <NamedFigure name={`Unrealised${part}`}>
          <Profit value={unrealised} reason={reason} />
        </NamedFigure>
        <NamedFigure name="Positions">{formatCount(count)}</NamedFigure>
        <NamedFigure name="Trades">{formatCount(automation?.trades ?? 0)}</NamedFigure>
        <NamedFigure name="First trade">
          <Instant instant={automation?.first_trade_at ?? null} />
        </NamedFigure>
        <NamedFigure name="Last trade">
          <Instant instant={automation?.last_trade_at ?? null} />
        </NamedFigure>
      </FigureRow>
    </Panel>
  );
}

/** A profit in US dollars, coloured by its sign. */
export function Profit({
  value,
  reason,
}: {
  readonly value: string | null;
  readonly reason?: string;
}) {
  const isLoss = value?.startsWith('-') === true;
  const isZero = value === null || Number(value) === 0;
  const tone = isZero ? '' : isLoss ? 'falling' : 'rising';
  return (
    <span class={tone}>
      <Figure value={value} kind="usd" {...(reason === undefined ? {} : { reason })} />
    </span>
  );
}

/** The age of an instant, with the instant on hover. */
export function Instant({ instant }: { readonly instant: string | null }) {
  if (instant === null) return <Figure value={null} kind="amount" />;
  return <span title={formatTime(instant)}>{formatAge(instant, nowMs.value)} ago</span>;
}
