import { Button } from '../../ui/controls.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import type { CursorList } from './use-cursor-list.ts';

/** A list as a table, with a button for its next page. */
export function CursorTable<Item>({
  list,
  caption,
  columns,
  keyOf,
  empty,
  visibleRows = 18,
}: {
  readonly list: CursorList<Item>;
  readonly caption: string;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  readonly empty: string;
  readonly visibleRows?: number;
}) {
  const { items, failure, hasMore, isLoading, loadMore, reload } = list;
  if (items === null) {
    return failure === null ? <Loading rows={8} /> : <Failed failure={failure} onRetry={reload} />;
  }
  return (
    <>
      <Table {...{ caption, columns, keyOf, empty, visibleRows }} rows={items} />
      {failure !== null && <Failed failure={failure} onRetry={loadMore} />}
      {hasMore && (
        <p class="list-more">
          <Button onClick={loadMore} isDisabled={isLoading}>
            Show more
          </Button>
        </p>
      )}
    </>
  );
}
