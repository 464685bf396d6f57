import { useEffect, useMemo, useState } from 'preact/hooks';
import { tradeKey } from '../../../api/trade-key.ts';
import { nowMs } from '../../../state/clock.ts';
import { choiceInQuery, query, setQuery } from '../../../state/router.ts';
import { Button, Segments } from '../../../ui/controls.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
import { type TapeTrade, tapeOf } from './trade-book.ts';
import { tradeColumns } from './trade-columns.tsx';
import { type TradeFilter, type Trades, useTrades } from './use-trades.ts';

const SIDES = ['both', 'buy', 'sell'] as const;
const CLASSES = ['all', 'organic', 'bot'] as const;
const VIEWS = ['all', 'user'] as const;

/** The tape of trades, live. */
export function TradesPanel({ mint }: { readonly mint: string }) {
  const side = choiceInQuery('side', SIDES);
  const klass = choiceInQuery('class', CLASSES);
  const view = choiceInQuery('view', VIEWS);
  const min = query.value.get('min');
  const isMinUsable = min !== null && /^\d{1,12}(\.\d{1,2})?$/.test(min);
  const filter: TradeFilter = {
    side: side === 'both' ? null : side,
    class: klass,
    view,
    min: isMinUsable ? min : null,
  };
  const trades = useTrades(mint, filter);
  return (
    <Panel title="Trades" isFlush actions={<Filters filter={filter} />}>
      <Tape trades={trades} />
    </Panel>
  );
}

function Tape({ trades }: { readonly trades: Trades }) {
  const { book, failure, finalSlot, hasOlder, loadOlder, reload } = trades;
  const stateOf = (trade: TapeTrade) => {
    if (trade.undoneAtMs !== null) return 'undone';
    const isFinal =
      trade.commitment === 'finalized' || (finalSlot !== null && trade.slot <= finalSlot);
    return isFinal ? null : 'pending';
  };
  const columns = useMemo(() => tradeColumns(stateOf), [finalSlot]);
  if (book === null) {
    return failure === null ? <Loading rows={8} /> : <Failed failure={failure} onRetry={reload} />;
  }
  return (
    <>
      {failure !== null && <Failed failure={failure} onRetry={reload} />}
      <Table
        caption="Trades, newest first"
        columns={columns}
        rows={tapeOf(book, nowMs.value)}
        keyOf={tradeKey}
        stateOf={stateOf}
        visibleRows={16}
        empty="No trade passes this filter."
      />
      {hasOlder && (
        <p class="list-more">
          <Button onClick={loadOlder}>Show older trades</Button>
        </p>
      )}
    </>
  );
}

function Filters({ filter }: { readonly filter: TradeFilter }) {
  return (
    <>
      <Segments
        label="Side"
        value={filter.side ?? 'both'}
        options={[
          { value: 'both', title: 'All' },
          { value: 'buy', title: 'Buys' },
          { value: 'sell', title: 'Sells' },
        ]}
        onChange={(side) => setQuery({ side: side === 'both' ? null : side })}
      />
      <Segments
        label="Class of wallet"
        value={filter.class}
        options={[
          { value: 'all', title: 'Everyone' },
          { value: 'organic', title: 'People' },
          { value: 'bot', title: 'Bots' },
        ]}
        onChange={(klass) => setQuery({ class: klass === 'all' ? null : klass })}
      />
      <Segments
        label="View"
        value={filter.view}
        options={[
          { value: 'all', title: 'Each swap' },
          { value: 'user', title: 'Each order' },
        ]}
        onChange={(view) => setQuery({ view: view === 'all' ? null : view })}
      />
      <MinimumField value={filter.min} />
    </>
  );
}

const TYPING_MS = 400;

/** The least value of a trade, applied when typing pauses. */
function MinimumField({ value }: { readonly value: string | null }) {
  const [text, setText] = useState(value ?? '');
  const isUsable = text === '' || /^\d{1,12}(\.\d{1,2})?$/.test(text);
  useEffect(() => {
    if (!isUsable || text === (value ?? '')) return undefined;
    const timer = setTimeout(() => setQuery({ min: text === '' ? null : text }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class="inline-field">
      From $
      <input
        inputMode="decimal"
        size={6}
        value={text}
        aria-label="Least value in dollars"
        aria-invalid={!isUsable}
        onInput={(event) => setText(event.currentTarget.value.trim())}
      />
    </label>
  );
}
