import type { ComponentChildren } from 'preact';
import type { Pages } from '../state/use-pages.ts';
import { Button } from './controls.tsx';
import { Notice } from './notice.tsx';
import { Failed, Loading } from './states.tsx';

/**
 * What a list read page by page shows: lines in its place before the first page, the reason of a
 * failure, otherwise `children` of the items and a button for the next page.
 */
export function PagesView<Item>({
  pages,
  name,
  children,
}: {
  readonly pages: Pages<Item>;
  /** Of the items, as "trades". */
  readonly name: string;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}) {
  const { items, failure, isLoading, hasMore, more, reload } = pages;
  if (items === null) {
    return failure === null ? <Loading rows={6} /> : <Failed failure={failure} onRetry={reload} />;
  }
  return (
    <>
      {failure !== null && (
        <Notice tone="warning">This is older: it could not be read again. {failure.message}</Notice>
      )}
      {children(items)}
      {hasMore && (
        <p class="more">
          <Button isDisabled={isLoading} onClick={more}>
            {isLoading ? 'Reading…' : `Older ${name}`}
          </Button>
        </p>
      )}
    </>
  );
}
