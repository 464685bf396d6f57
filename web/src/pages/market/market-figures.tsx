import type { BodyOf } from '../../api/client.ts';
import { formatCount } from '../../format/numbers.ts';
import { newestSlot } from '../../state/chain.ts';
import { type Read, useRead } from '../../state/use-read.ts';
import { Figure, FigureRow, NamedFigure } from '../../ui/figure.tsx';
import { inWindow, type Window } from './market-query.ts';

const READ_EVERY_MS = 15_000;
const SECONDS = { '5m': 300, '1h': 3_600, '6h': 21_600, '24h': 86_400 } as const;
/** From this score on a finding is reported. */
const RISK_MIN = 50;
/** Any volume. */
const LEAST = '0.000000001';

/** Figures of the whole market, each counted by the service. */
export function MarketFigures({ window }: { readonly window: Window }) {
  const every = { everyMs: READ_EVERY_MS };
  const all = useRead('/v1/tokens', { limit: 1 }, every);
  const pools = useRead('/v1/pools', { limit: 1 }, every);
  const traded = useRead(
    '/v1/tokens',
    { limit: 1, [`min_${inWindow('volume_usd', window)}`]: LEAST },
    every,
  );
  const created = useRead('/v1/tokens', { limit: 1, max_age_seconds: SECONDS[window] }, every);
  const risky = useRead('/v1/tokens', { limit: 1, min_risk_score: RISK_MIN }, every);
  const coverage = useRead('/v1/coverage', {}, every);
  const { transactions = null, swaps = null } = coverage.body ?? {};
  return (
    <FigureRow>
      <NamedFigure name="SOL">
        <Figure
          value={newestSlot.value?.sol_price_usd}
          kind="price"
          reason="Not known before the first slot of the stream"
        />
      </NamedFigure>
      <NamedFigure name="Tokens">{totalOf(all)}</NamedFigure>
      <NamedFigure name="Pools">{totalOf(pools)}</NamedFigure>
      <NamedFigure name={`Traded in ${window}`}>{totalOf(traded)}</NamedFigure>
      <NamedFigure name={`Created in ${window}`}>{totalOf(created)}</NamedFigure>
      <NamedFigure name={`Risk ≥ ${RISK_MIN}`}>{totalOf(risky)}</NamedFigure>
      <NamedFigure name="Trades stored">{countOf(swaps)}</NamedFigure>
      <NamedFigure name="Transactions">{countOf(transactions)}</NamedFigure>
    </FigureRow>
  );
}

function totalOf({ body }: Read<Pick<BodyOf<'/v1/tokens'>, 'total'>>) {
  return countOf(body?.total ?? null);
}

function countOf(count: number | null) {
  if (count === null) return <Figure value={null} kind="amount" reason="Being read" />;
  return <span title={formatCount(count)}>{formatCount(count)}</span>;
}
