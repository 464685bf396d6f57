import { nameOf } from '../../format/names.ts';
import { formatCount, formatExact, UNKNOWN } from '../../format/numbers.ts';
import { formatTime } from '../../format/times.ts';
import { setQuery } from '../../state/router.ts';
import { useRead } from '../../state/use-read.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { Button } from '../../ui/controls.tsx';
import { Figure, FigureRow, NamedFigure } from '../../ui/figure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Percent } from '../../ui/percent.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { EXIT_TITLES, type SignalDetail } from './signal-types.ts';

const READ_EVERY_MS = 15_000;

/** One signal: why it was given, and what came of it. */
export function SignalPanel({ rowId }: { readonly rowId: number }) {
  const read = useRead('/v1/signals/{row_id}', { row_id: rowId }, { everyMs: READ_EVERY_MS });
  return (
    <Panel
      title={`Signal ${rowId}`}
      actions={<Button onClick={() => setQuery({ signal: null })}>Close</Button>}
    >
      <ReadView read={read} rows={6}>
        {(signal) => (
          <>
            <Head signal={signal} />
            <div class="columns">
              <Features signal={signal} />
              <Outcome signal={signal} />
            </div>
          </>
        )}
      </ReadView>
    </Panel>
  );
}

function Head({ signal }: { readonly signal: SignalDetail }) {
  return (
    <FigureRow>
      <NamedFigure name="Token">
        <AddressLink address={signal.token_address} kind="token" label={signal.symbol} />{' '}
        <ChainText text={signal.name} lengthMax={32} fallback="" />
      </NamedFigure>
      {signal.model_name === undefined ? (
        <NamedFigure name={`Rule of the ${signal.author}`}>{signal.rule_id}</NamedFigure>
      ) : (
        <NamedFigure name="Model">
          {nameOf(signal.model_name)} {signal.version}
        </NamedFigure>
      )}
      <NamedFigure name="Given">{formatTime(signal.created_at)}</NamedFigure>
      <NamedFigure name="Slot, as of slot">
        {formatCount(signal.slot)}, {formatCount(signal.as_of_slot)}
      </NamedFigure>
      <NamedFigure name="Price then">
        <Figure value={signal.price_usd} kind="price" />
      </NamedFigure>
      <NamedFigure name="Market cap then">
        <Figure value={signal.signal_market_cap} kind="usd" />
      </NamedFigure>
      <NamedFigure name="Liquidity then">
        <Figure value={signal.liquidity_usd} kind="usd" />
      </NamedFigure>
    </FigureRow>
  );
}

interface FeatureRow {
  readonly feature: string;
  readonly value: string | null;
  readonly range: string | null;
}

const FEATURE_COLUMNS: readonly Column<FeatureRow>[] = [
  { key: 'feature', title: 'Feature', cell: ({ feature }) => nameOf(feature) },
  {
    key: 'value',
    title: 'Measured',
    align: 'end',
    cell: ({ value }) => <Figure value={value} kind="amount" reason="Was not known" />,
  },
  {
    key: 'range',
    title: 'Range it passed',
    align: 'end',
    cell: ({ range }) => range ?? <span class="muted">no condition</span>,
  },
];

/** Every feature as measured: those that had to be in a range first. */
function Features({ signal }: { readonly signal: SignalDetail }) {
  const passed = new Set(signal.passed_conditions.map(({ feature }) => feature));
  const conditions = signal.passed_conditions.map(({ feature, value, least, most }) => ({
    feature,
    value,
    range: rangeOf(least, most),
  }));
  const others = Object.entries(signal.features)
    .filter(([feature]) => !passed.has(feature))
    .map(([feature, value]) => ({ feature, value, range: null }));
  return (
    <Table
      caption="Features of the signal"
      columns={FEATURE_COLUMNS}
      rows={[...conditions, ...others]}
      keyOf={({ feature }) => feature}
    />
  );
}

/** A range in words, as "0.5 to 0.8". */
export function rangeOf(least: string | null, most: string | null): string {
  if (least !== null && most !== null) return `${formatExact(least)} to ${formatExact(most)}`;
  if (least !== null) return `at least ${formatExact(least)}`;
  return most === null ? UNKNOWN : `at most ${formatExact(most)}`;
}

type Returns = SignalDetail['execution']['returns'][number];

const RETURN_COLUMNS: readonly Column<Returns>[] = [
  { key: 'exit', title: 'Exit', cell: ({ exit_rule }) => EXIT_TITLES[exit_rule] },
  { key: 'small', title: '$200', align: 'end', cell: (one) => <Ticket returns={one} usd={200} /> },
  {
    key: 'large',
    title: '$1,000',
    align: 'end',
    cell: (one) => <Ticket returns={one} usd={1_000} />,
  },
];

function Ticket({ returns, usd }: { readonly returns: Returns; readonly usd: number }) {
  if (returns.tickets === null) return <span class="muted">open</span>;
  const ticket = returns.tickets.find(({ ticket_usd }) => ticket_usd === usd);
  return <Percent value={ticket?.return_percentage ?? null} />;
}

function Outcome({ signal }: { readonly signal: SignalDetail }) {
  const { execution, outcome } = signal;
  const rose = execution.rose_50_before_fell_30;
  return (
    <div>
      <h3>After costs</h3>
      <Table
        caption="Returns after costs of this signal"
        columns={RETURN_COLUMNS}
        rows={execution.returns}
        keyOf={({ exit_rule }) => exit_rule}
      />
      <dl class="pairs">
        <div>
          <dt>Bought at</dt>
          <dd>{execution.entered_at === null ? 'not yet' : formatTime(execution.entered_at)}</dd>
        </div>
        <div>
          <dt>+50 % before −30 %</dt>
          <dd>{rose === null ? 'neither yet' : rose ? 'yes' : 'no'}</dd>
        </div>
        <div>
          <dt>Deepest fall from a high</dt>
          <dd>
            <Percent value={outcome.peak_drawdown_percentage} isPlain />
          </dd>
        </div>
        <div>
          <dt>At the highest price since</dt>
          <dd>
            <Percent value={signal.roi_percentage} isPlain />{' '}
            <span class="muted">which nobody can be sure to sell at</span>
          </dd>
        </div>
        <div>
          <dt>Outcome</dt>
          <dd>{outcome.is_final ? 'final' : `as of slot ${formatCount(outcome.slot)}`}</dd>
        </div>
        <div>
          <dt>{signal.model_name === undefined ? 'Content of the rule' : 'Thresholds'}</dt>
          <dd class="address">{signal.parameters_hash}</dd>
        </div>
      </dl>
    </div>
  );
}
