import { useState } from 'preact/hooks';
import { tradeKey } from '../../api/trade-key.ts';
import { choiceInQuery, query, setQuery } from '../../state/router.ts';
import { Button, Segments, TextField } from '../../ui/controls.tsx';
import { PagesView } from '../../ui/pages-view.tsx';
import { Table } from '../../ui/table.tsx';
import { TRADE_COLUMNS } from './trade-columns.tsx';
import { useWalletTrades } from './use-wallet-trades.ts';

const SIDES = [
  { value: 'all', title: 'All' },
  { value: 'buy', title: 'Buys' },
  { value: 'sell', title: 'Sells' },
] as const;

const VIEWS = [
  { value: 'all', title: 'Each swap' },
  { value: 'user', title: 'Routes as one' },
] as const;

/** Trades of the wallet, with the filters of the API, live. */
export function Trades({ address }: { readonly address: string }) {
  const side = choiceInQuery('side', ['all', 'buy', 'sell']);
  const view = choiceInQuery('view', ['all', 'user']);
  const minValueUsd = query.value.get('min');
  const { pages, rows } = useWalletTrades(address, {
    view,
    minValueUsd,
    side: side === 'all' ? null : side,
  });
  const refusal = pages.failure?.message.includes('min_value_usd');
  return (
    <>
      <div class="filters">
        <Segments
          label="Side"
          value={side}
          options={SIDES}
          onChange={(chosen) => setQuery({ side: chosen === 'all' ? null : chosen })}
        />
        <Segments
          label="View"
          value={view}
          options={VIEWS}
          onChange={(chosen) => setQuery({ view: chosen === 'all' ? null : chosen })}
        />
        <MinimumForm
          key={minValueUsd ?? ''}
          value={minValueUsd ?? ''}
          error={refusal === true ? (pages.failure?.message ?? null) : null}
        />
      </div>
      <PagesView pages={pages} name="trades">
        {() => (
          <Table
            caption="Trades"
            columns={TRADE_COLUMNS}
            rows={rows}
            keyOf={({ trade, isUndone }) => `${tradeKey(trade)}${isUndone ? ' undone' : ''}`}
            stateOf={({ trade, isUndone }) => {
              if (isUndone) return 'undone';
              return trade.commitment === 'finalized' ? null : 'pending';
            }}
            empty="No trades match."
          />
        )}
      </PagesView>
    </>
  );
}

function MinimumForm({ value, error }: { readonly value: string; readonly error: string | null }) {
  const [text, setText] = useState(value);
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ min: text.trim() === '' ? null : text.trim() });
      }}
    >
      <TextField label="Least value, USD" value={text} onChange={setText} error={error} />
      <Button type="submit">Apply</Button>
    </form>
  );
}
