import { useCallback, useState } from 'preact/hooks';
import { type BodyOf, isFailure } from '../../api/client.ts';
import { formatCount } from '../../format/numbers.ts';
import { showText } from '../../format/texts.ts';
import { choiceInQuery, query, setQuery } from '../../state/router.ts';
import { type Read, useRead } from '../../state/use-read.ts';
import { Button, Segments, Select } from '../../ui/controls.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { columnsOf } from './columns.tsx';
import { clearFilters, countFilters, Filters, SearchFilter } from './filters.tsx';
import {
  DIRECTIONS,
  filtersOf,
  inWindow,
  ORDERS,
  PAGE_SIZES,
  pageOf,
  WINDOWS,
  type Window,
} from './market-query.ts';
import { usePriceLines } from './price-lines.ts';
import { useLiveTokens } from './use-live-tokens.ts';
import { type TokenRow, useUndoneTokens } from './use-undone-tokens.ts';

const READ_EVERY_MS = 2_000;
const VISIBLE_ROWS = 22;
const FILTERS_ID = 'market-filters';

type TokensRead = Read<BodyOf<'/v1/tokens'>>;

/** The table of tokens as the address says: window, filters, order, page. */
export function MarketTable({ window }: { readonly window: Window }) {
  const [isFiltering, setFiltering] = useState(countFilters() > 0);
  const order = choiceInQuery('order', ORDERS);
  const dir = choiceInQuery('dir', DIRECTIONS);
  const size = choiceInQuery('rows', PAGE_SIZES);
  const read = useRead(
    '/v1/tokens',
    {
      ...filtersOf(query.value, window),
      order_by: inWindow(order, window) as (typeof ORDERS)[0],
      order_dir: dir,
      limit: Number(size),
      page: pageOf(query.value),
    },
    { everyMs: READ_EVERY_MS },
  );
  const count = countFilters();
  return (
    <Panel
      title="Tokens"
      isFlush
      actions={
        <>
          <SearchFilter />
          <Segments
            label="Window of changes and volumes"
            value={window}
            options={WINDOWS.map((value) => ({ value, title: value })).reverse()}
            onChange={(value) => setQuery({ window: value === WINDOWS[0] ? null : value })}
          />
          <button
            type="button"
            class="button"
            aria-expanded={isFiltering}
            aria-controls={FILTERS_ID}
            onClick={() => setFiltering(!isFiltering)}
          >
            Filters{count > 0 && ` (${count})`}
          </button>
        </>
      }
    >
      {isFiltering && <Filters id={FILTERS_ID} />}
      <Rows read={read} window={window} sort={{ by: order, dir }} />
      <Paging body={read.body} size={size} />
    </Panel>
  );
}

function Rows({
  read,
  window,
  sort,
}: {
  readonly read: TokensRead;
  readonly window: Window;
  readonly sort: { readonly by: string; readonly dir: 'asc' | 'desc' };
}) {
  const { items, follow } = useLiveTokens(read);
  const { rows, undone } = useUndoneTokens(items);
  const readLines = usePriceLines(rows, window);
  const onWindow = useCallback(
    (first: number, end: number) => {
      follow(first, end);
      readLines(first, end);
    },
    [follow, readLines],
  );
  const { answer, body, reload } = read;
  const failure = answer !== null && isFailure(answer) ? answer : null;
  if (body === null && failure !== null) return <Failed failure={failure} onRetry={reload} />;
  if (body === null) return <Loading rows={8} />;
  return (
    <>
      {failure !== null && (
        <Notice tone="warning">This is older: it could not be read again. {failure.message}</Notice>
      )}
      <p class="visually-hidden" role="status">
        {undone.map((token) => `${nameOf(token)} was taken back by a fork.`).join(' ')}
      </p>
      <Table
        caption="Tokens"
        columns={columnsOf(window)}
        rows={rows}
        keyOf={keyOf}
        stateOf={stateOf}
        sort={sort}
        onSort={({ by, dir }) =>
          setQuery({
            order: by === ORDERS[0] ? null : by,
            dir: dir === DIRECTIONS[0] ? null : dir,
            page: null,
          })
        }
        hrefOf={hrefOf}
        visibleRows={VISIBLE_ROWS}
        onWindow={onWindow}
        empty={<NoRows />}
      />
    </>
  );
}

const keyOf = ({ token_address }: TokenRow): string => token_address;
const stateOf = ({ isUndone }: TokenRow) => (isUndone === true ? 'undone' : null);
const hrefOf = ({ token_address, isUndone }: TokenRow) =>
  isUndone === true ? null : `/token/${encodeURIComponent(token_address)}`;
const nameOf = ({ symbol, name }: TokenRow) => showText(symbol ?? name ?? 'A token', 16);

function NoRows() {
  if (countFilters() === 0) return 'No token has been seen yet.';
  return (
    <>
      No token passes all filters.{' '}
      <button type="button" class="link-button" onClick={clearFilters}>
        Clear all filters
      </button>
    </>
  );
}

/** Which tokens of how many are listed, and the way to the others. */
function Paging({
  body,
  size,
}: {
  readonly body: BodyOf<'/v1/tokens'> | null;
  readonly size: (typeof PAGE_SIZES)[number];
}) {
  const page = pageOf(query.value);
  const pages = body?.pages ?? 1;
  const first = (page - 1) * Number(size) + 1;
  const go = (to: number) => setQuery({ page: to === 1 ? null : String(to) }, { isEntry: true });
  return (
    <nav class="market-paging" aria-label="Pages of tokens">
      <span>
        {body !== null && body.items.length > 0
          ? `${formatCount(first)}–${formatCount(first + body.items.length - 1)} of ${formatCount(body.total)}`
          : ''}
      </span>
      <span class="market-paging-end">
        <Select
          label="Rows"
          value={size}
          options={PAGE_SIZES.map((value) => ({ value, title: value }))}
          onChange={(value) =>
            setQuery({ rows: value === PAGE_SIZES[0] ? null : value, page: null })
          }
        />
        <Button isDisabled={page <= 1} onClick={() => go(page - 1)}>
          Previous
        </Button>
        <span>
          Page {formatCount(page)} of {formatCount(Math.max(1, pages))}
        </span>
        <Button isDisabled={page >= pages} onClick={() => go(page + 1)}>
          Next
        </Button>
      </span>
    </nav>
  );
}
