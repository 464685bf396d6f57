import { Component, type ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { navigate } from '../state/router.ts';
import { windowOf } from './table-window.ts';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Explains the column on hover. */
  readonly hint?: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers are aligned at the end. */
  readonly align?: 'start' | 'end';
  /** Name of the order by this column; without it the header is no button. */
  readonly sortBy?: string;
  /** Left out on screens narrower than 720 pixels. */
  readonly isWideOnly?: boolean;
}

export interface Sort {
  readonly by: string;
  readonly dir: 'asc' | 'desc';
}

export interface TableProps<Row> {
  /** Read out by screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Identity of a row: its elements are kept while it moves. */
  readonly keyOf: (row: Row) => string;
  readonly sort?: Sort;
  /** Called when a header is pressed: the caller orders the rows. */
  readonly onSort?: (sort: Sort) => void;
  /** Where Enter and a click on a row lead. */
  readonly hrefOf?: (row: Row) => string | null;
  /** A class of a row: "pending" while it is not final, "undone" when a fork took it back. */
  readonly stateOf?: (row: Row) => 'pending' | 'undone' | 'new' | null;
  /** Height of the table's body in rows, beyond which it scrolls; 15 by default. */
  readonly visibleRows?: number;
  /** Called with the rendered rows, those in sight and some beyond: what is worth following live. */
  readonly onWindow?: (first: number, end: number) => void;
  /** Shown instead of rows. */
  readonly empty?: ComponentChildren;
}

/** As in the style: rows have one height, so that those in sight are known. */
const ROW_PX = 34;

/**
 * A table of any number of rows, of which those in sight are rendered. The header stays in sight.
 * With the table focused, arrow keys, Page Up and Down, Home and End move the marked row, and Enter
 * opens it.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, hrefOf, visibleRows = 15, empty = 'Nothing.' } = props;
  const frame = useRef<HTMLElement>(null);
  const [scrolledPx, setScrolled] = useState(0);
  const [marked, setMarked] = useState<number | null>(null);
  const heightPx = ROW_PX * (visibleRows + 1);
  const { first, end } = windowOf(rows.length, ROW_PX, scrolledPx, heightPx);
  useEffect(() => {
    if (marked !== null && frame.current !== null) reveal(frame.current, marked);
  }, [marked]);
  const { onWindow, stateOf } = props;
  useEffect(() => onWindow?.(first, end), [first, end, onWindow]);
  const latestHref = useRef(hrefOf);
  latestHref.current = hrefOf;
  const open = useCallback((row: Row | undefined) => {
    const href = row === undefined ? null : (latestHref.current?.(row) ?? null);
    if (href !== null) navigate(href);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter' && marked !== null) {
      open(rows[marked]);
      return;
    }
    const next = nextRow(event.key, marked, rows.length, visibleRows);
    if (next === null) return;
    event.preventDefault();
    setMarked(next);
  };
  return (
    <section
      class="table-frame"
      ref={frame}
      tabIndex={0}
      aria-label={caption}
      style={{ maxHeight: `${heightPx}px` }}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <table class="table" aria-rowcount={rows.length + 1}>
        <caption class="visually-hidden">{caption}</caption>
        <Header {...props} />
        <tbody>
          <Space rows={first} columns={columns.length} />
          {rows.slice(first, end).map((row, index) => (
            <BodyRow
              key={keyOf(row)}
              row={row}
              position={first + index}
              isMarked={first + index === marked}
              open={hrefOf === undefined ? null : open}
              columns={columns as readonly Column<unknown>[]}
              state={stateOf?.(row) ?? ''}
            />
          ))}
          <Space rows={rows.length - end} columns={columns.length} />
          {rows.length === 0 && (
            <tr>
              <td colSpan={columns.length} class="table-empty">
                {empty}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

function Header<Row>({ columns, sort, onSort }: TableProps<Row>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column) => {
          const { key, title, hint, sortBy } = column;
          const dir = sortBy !== undefined && sort?.by === sortBy ? sort.dir : null;
          const isSortable = sortBy !== undefined && onSort !== undefined;
          return (
            <th
              key={key}
              scope="col"
              class={classOf(column)}
              title={hint}
              aria-sort={dir === null ? undefined : ARIA_ORDERS[dir]}
            >
              {isSortable ? <SortButton {...{ title, sortBy, dir, onSort }} /> : title}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

const ARIA_ORDERS = { asc: 'ascending', desc: 'descending' } as const;
const ARROWS = { asc: ' ↑', desc: ' ↓' } as const;

function SortButton({
  title,
  sortBy,
  dir,
  onSort,
}: {
  readonly title: string;
  readonly sortBy: string;
  readonly dir: Sort['dir'] | null;
  readonly onSort: (sort: Sort) => void;
}) {
  const next = dir === 'desc' ? 'asc' : 'desc';
  return (
    <button type="button" class="sort-button" onClick={() => onSort({ by: sortBy, dir: next })}>
      {title}
      <span aria-hidden="true">{dir === null ? '' : ARROWS[dir]}</span>
    </button>
  );
}

interface BodyRowProps {
  readonly row: unknown;
  readonly position: number;
  readonly isMarked: boolean;
  readonly state: string;
  /** Null for rows that lead nowhere. */
  readonly open: ((row: never) => void) | null;
  readonly columns: readonly Column<unknown>[];
}

/** Drawn again only if something of it has changed: rows change one by one, many times a second. */
class BodyRow extends Component<BodyRowProps> {
  override shouldComponentUpdate(next: Readonly<BodyRowProps>, state: Readonly<object>): boolean {
    // The state is another one when a signal that a cell reads has changed.
    return state !== this.state || ROW_PROPS.some((name) => next[name] !== this.props[name]);
  }

  override render({ row, position, isMarked, state, open, columns }: BodyRowProps) {
    const onClick = (event: MouseEvent) => {
      const isOfControl =
        event.target instanceof Element && event.target.closest('a, button, dialog') !== null;
      if (!isOfControl && getSelection()?.isCollapsed !== false) open?.(row as never);
    };
    return (
      <tr
        aria-rowindex={position + 2}
        class={`${state} ${isMarked ? 'marked' : ''} ${open === null ? '' : 'opens'}`}
        onClick={open === null ? undefined : onClick}
      >
        {columns.map((column) => (
          <td key={column.key} class={classOf(column)}>
            {column.cell(row)}
          </td>
        ))}
      </tr>
    );
  }
}

const ROW_PROPS = ['row', 'position', 'isMarked', 'state', 'open', 'columns'] as const;

/** Takes the place of rows that are out of sight. */
function Space({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  if (rows <= 0) return null;
  return (
    <tr class="table-space">
      <td colSpan={columns} style={{ height: `${rows * ROW_PX}px` }} />
    </tr>
  );
}

function classOf<Row>({ align = 'start', isWideOnly = false }: Column<Row>): string {
  return `${align === 'end' ? 'at-end' : ''} ${isWideOnly ? 'wide-only' : ''}`;
}

function reveal(frame: HTMLElement, row: number): void {
  const topPx = row * ROW_PX;
  const roomPx = frame.clientHeight - 2 * ROW_PX;
  if (topPx < frame.scrollTop) frame.scrollTop = topPx;
  else if (topPx > frame.scrollTop + roomPx) frame.scrollTop = topPx - roomPx;
}

function nextRow(key: string, marked: number | null, count: number, page: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -count,
    End: count,
  };
  const step = steps[key];
  if (step === undefined || count === 0) return null;
  return Math.min(count - 1, Math.max(0, (marked ?? -1) + step));
}
