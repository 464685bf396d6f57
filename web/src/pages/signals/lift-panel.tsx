import { nameOf } from '../../format/names.ts';
import { formatCount } from '../../format/numbers.ts';
import { useRead } from '../../state/use-read.ts';
import { Badge } from '../../ui/badge.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Percent } from '../../ui/percent.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import {
  EXIT_TITLES,
  type Execution,
  type ExitRule,
  MODEL_MEANINGS,
  MODELS,
  type ModelName,
} from './signal-types.ts';
import { verdictOf } from './verdict.ts';

export interface ExecutionChoice {
  readonly from: string;
  /** Null for all. */
  readonly model: ModelName | null;
  readonly rule: ExitRule;
  readonly ticketUsd: number;
}

const READ_EVERY_MS = 30_000;

/** Each model against random minutes of similar tokens, after all costs. */
export function LiftPanel({ from, model, rule, ticketUsd }: ExecutionChoice) {
  return (
    <Panel title="Worth against random minutes">
      <p class="muted">
        Mean return after fees, network cost and price impact ({EXIT_TITLES[rule].toLowerCase()}, $
        {formatCount(ticketUsd)}, bought 5 s after the signal), less that of random minutes of
        tokens of similar age, market cap and liquidity. Signals describe a moment; they are no
        advice.
      </p>
      <div class="models">
        {MODELS.filter((one) => model === null || one === model).map((one) => (
          <ModelCard key={one} {...{ from, rule, ticketUsd }} model={one} />
        ))}
      </div>
    </Panel>
  );
}

function ModelCard({ from, model, rule, ticketUsd }: ExecutionChoice & { model: ModelName }) {
  const read = useRead(
    '/v1/signals/statistics',
    { from_date: from, model_name: model },
    { everyMs: READ_EVERY_MS },
  );
  return (
    <section class="model" aria-label={nameOf(model)}>
      <h3>{nameOf(model)}</h3>
      <p class="muted small">{MODEL_MEANINGS[model]}</p>
      <ReadView read={read}>
        {({ total_signals: total, execution_statistics: all }) => (
          <Lift total={total} execution={executionOf(all, rule, ticketUsd)} />
        )}
      </ReadView>
    </section>
  );
}

/** The statistics of one rule and size. */
export function executionOf(
  all: readonly Execution[],
  rule: ExitRule,
  ticketUsd: number,
): Execution | undefined {
  return all.find((one) => one.exit_rule === rule && one.ticket_usd === ticketUsd);
}

function Lift({
  total,
  execution,
}: {
  readonly total: number;
  readonly execution?: Execution | undefined;
}) {
  const verdict = verdictOf(execution);
  const random = execution?.random_minutes ?? null;
  const hasClosed = execution !== undefined && execution.signal_count > 0;
  return (
    <>
      <p>
        <Badge tone={verdict.tone} title={verdict.explanation}>
          {verdict.text}
        </Badge>
      </p>
      <dl class="pairs">
        <Pair name="Lift">
          <Percent value={random?.lift ?? null} reason={verdict.explanation} />
        </Pair>
        <Pair name="95 % interval">
          <Interval interval={random?.lift_interval ?? null} reason={verdict.explanation} />
        </Pair>
        <Pair name="Signals, closed, compared">
          {formatCount(total)}, {formatCount(execution?.signal_count ?? 0)},{' '}
          {formatCount(random?.matched_signal_count ?? 0)}
        </Pair>
        <Pair name="Mean after costs">
          <Percent value={hasClosed ? execution.avg_return : null} reason="No closed position" />
        </Pair>
        <Pair name="Random minutes">
          <Percent value={random?.base_rate ?? null} reason={verdict.explanation} />
        </Pair>
        <Pair name="Won">
          <Figure value={execution?.win_rate} kind="percent" reason="No closed position" />
        </Pair>
      </dl>
    </>
  );
}

function Pair({
  name,
  children,
}: {
  readonly name: string;
  readonly children: preact.ComponentChildren;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The interval as text and as a bar around zero. */
function Interval({
  interval,
  reason,
}: {
  readonly interval: readonly string[] | null;
  readonly reason: string;
}) {
  const [low, high] = interval ?? [];
  if (low === undefined || high === undefined) return <Percent value={null} reason={reason} />;
  const reach = Math.max(Math.abs(Number(low)), Math.abs(Number(high))) * 1.1 || 1;
  const at = (value: string) => 50 + (Number(value) / reach) * 50;
  return (
    <>
      <Percent value={low} /> to <Percent value={high} />
      <svg class="interval" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-track" width="100" height="8" />
        <rect class="bar-value" x={at(low)} width={Math.max(1, at(high) - at(low))} height="8" />
        <rect class="bar-threshold" x="49.5" width="1" height="8" />
      </svg>
    </>
  );
}
