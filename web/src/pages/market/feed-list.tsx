import type { ComponentChildren } from 'preact';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import type { Feed } from './use-feed.ts';

/** The items of a feed, newest first, with those that are not final and those taken back marked. */
export function FeedList<Item>({
  label,
  feed,
  empty,
  keyOf,
  isPendingAt,
  children,
}: {
  readonly label: string;
  readonly feed: Feed<Item>;
  readonly empty: string;
  readonly keyOf: (item: Item) => string;
  /** Whether a slot may be taken back still. */
  readonly isPendingAt: (slot: number | null) => boolean;
  readonly children: (item: Item) => ComponentChildren;
}) {
  const { items, isLoading, failure } = feed;
  if (items.length === 0 && failure !== null) return <Failed failure={failure} />;
  if (items.length === 0) return isLoading ? <Loading rows={4} /> : <Empty>{empty}</Empty>;
  return (
    <ol class="feed" aria-label={label} tabIndex={0}>
      {items.map(({ item, slot, isUndone }) => (
        <li key={keyOf(item)} class={stateOf(slot !== null, isUndone, isPendingAt(slot))}>
          {isUndone && <span class="feed-state">Taken back by a fork</span>}
          {!isUndone && isPendingAt(slot) && <span class="feed-state">Not final</span>}
          {children(item)}
        </li>
      ))}
    </ol>
  );
}

function stateOf(isLive: boolean, isUndone: boolean, isNotFinal: boolean): string {
  if (isUndone) return 'undone';
  return `${isLive ? 'new' : ''} ${isNotFinal ? 'pending' : ''}`;
}
