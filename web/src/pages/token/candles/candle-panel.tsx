import { useMemo, useRef, useState } from 'preact/hooks';
import { CandleChart } from '../../../charts/candle-chart.tsx';
import { choiceInQuery, query, setQuery } from '../../../state/router.ts';
import { Checkbox, Segments } from '../../../ui/controls.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Empty, Failed, Loading } from '../../../ui/states.tsx';
import type { Subject } from '../token-types.ts';
import {
  INTERVAL_MS,
  INTERVALS,
  type Interval,
  intervalForAge,
  isWideRange,
} from './candle-data.ts';
import { EventList } from './event-list.tsx';
import { toMarkers } from './events.ts';
import { type CandleRequest, type Candles, useCandles } from './use-candles.ts';
import { useEvents } from './use-events.ts';

const CHART_PX = 420;

/** The price or market cap of a token over time, with what happened to it. */
export function CandlePanel({ subject }: { readonly subject: Subject }) {
  const { mint, body } = subject;
  // The first choice of the page stays while the token grows older.
  const [ownInterval] = useState(() => intervalForAge(ageOf(body.token.created_at)));
  const asked = query.value.get('interval');
  const request: CandleRequest = {
    mint,
    interval: INTERVALS.find((one) => one === asked) ?? ownInterval,
    metric: choiceInQuery('metric', ['price_usd', 'marketcap_usd']),
    view: choiceInQuery('candles', ['all', 'organic']),
  };
  const events = useEvents(subject);
  const [chosen, setChosen] = useState<string | null>(null);
  const markers = useMemo(
    () => toMarkers(events, INTERVAL_MS[request.interval]),
    [events, request.interval],
  );
  const read = useCandles(request);
  const isLogarithmic = useIsLogarithmic(request, read);
  return (
    <Panel title="Candles" isFlush actions={<Choices {...{ request, isLogarithmic }} />}>
      <Chart symbol={body.token.symbol} {...{ request, read, isLogarithmic, markers, setChosen }} />
      <EventList
        events={events}
        chosen={chosen}
        intervalMs={INTERVAL_MS[request.interval]}
        onAll={() => setChosen(null)}
      />
    </Panel>
  );
}

function ageOf(createdAt: string | null): number | null {
  return createdAt === null ? null : Date.now() - Date.parse(createdAt);
}

/** As chosen; without a choice logarithmic where the prices need it, and so from then on. */
function useIsLogarithmic(request: CandleRequest, { candles }: Candles): boolean {
  const scale = query.value.get('scale');
  const key = JSON.stringify(request);
  const wideKey = useRef<string | null>(null);
  if (candles !== null && isWideRange(candles)) wideKey.current = key;
  return scale === null ? wideKey.current === key : scale === 'log';
}

function Chart({
  request,
  read,
  isLogarithmic,
  symbol,
  markers,
  setChosen,
}: {
  readonly request: CandleRequest;
  readonly read: Candles;
  readonly isLogarithmic: boolean;
  readonly symbol: string | null;
  readonly markers: ReturnType<typeof toMarkers>;
  readonly setChosen: (id: string) => void;
}) {
  const { candles, failure, loadOlder, reload } = read;
  if (candles === null) {
    return (
      <div class="chart-space" style={{ minHeight: `${CHART_PX}px` }}>
        {failure === null ? <Loading rows={8} /> : <Failed failure={failure} onRetry={reload} />}
      </div>
    );
  }
  if (candles.length === 0) {
    return (
      <Empty>
        {request.view === 'organic'
          ? 'No trade of people has set a price in this time. Try all trades, or a longer interval.'
          : 'No trade has set a price in this time. Try a longer interval.'}
      </Empty>
    );
  }
  return (
    <>
      {failure !== null && <Failed failure={failure} onRetry={reload} />}
      <CandleChart
        label={`Candles of ${symbol ?? 'the token'}, ${request.interval}, ${METRICS[request.metric]}, ${VIEWS[request.view]}`}
        seriesKey={JSON.stringify(request)}
        candles={candles}
        markers={markers}
        scale={request.metric === 'price_usd' ? 'price' : 'market cap'}
        isLogarithmic={isLogarithmic}
        heightPx={CHART_PX}
        onOldest={loadOlder}
        onMarker={setChosen}
      />
    </>
  );
}

const METRICS = { price_usd: 'Price', marketcap_usd: 'Market cap' } as const;
const VIEWS = { all: 'All trades', organic: 'People only' } as const;

function Choices({
  request,
  isLogarithmic,
}: {
  readonly request: CandleRequest;
  readonly isLogarithmic: boolean;
}) {
  return (
    <>
      <Segments
        label="Trades"
        value={request.view}
        options={[
          { value: 'all', title: VIEWS.all },
          { value: 'organic', title: VIEWS.organic },
        ]}
        onChange={(view) => setQuery({ candles: view === 'all' ? null : view })}
      />
      <Segments
        label="Unit"
        value={request.metric}
        options={[
          { value: 'price_usd', title: METRICS.price_usd },
          { value: 'marketcap_usd', title: METRICS.marketcap_usd },
        ]}
        onChange={(metric) => setQuery({ metric: metric === 'price_usd' ? null : metric })}
      />
      <Checkbox
        label="Log"
        isChecked={isLogarithmic}
        onChange={(isChecked) => setQuery({ scale: isChecked ? 'log' : 'linear' })}
      />
      <Segments<Interval>
        label="Interval"
        value={request.interval}
        options={INTERVALS.map((value) => ({ value, title: value }))}
        onChange={(interval) => setQuery({ interval })}
      />
    </>
  );
}
