import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, type Failure, isFailure } from '../../api/client.ts';
import { subscribe } from '../../api/stream.ts';
import type { Topic } from '../../api/stream-messages.ts';

/** Something that came, newest first. */
export interface FeedItem<Item> {
  readonly item: Item;
  /** Slot of the message; null for what was read. */
  readonly slot: number | null;
  /** A fork took it back. It stays for some time, so that this is seen. */
  readonly isUndone: boolean;
}

export interface FeedOptions<Item, Data> {
  readonly topic: Topic;
  /** The newest items, read at the start and after a gap. */
  readonly read: (signal: AbortSignal) => Promise<Answer<readonly Item[]>>;
  /** An item of the stream; null for one that is not shown, which takes a shown one away. */
  readonly itemOf: (data: Data) => Item | null;
  readonly idOf: (item: Item) => string;
  readonly idOfData: (data: Data) => string;
}

export interface Feed<Item> {
  readonly items: readonly FeedItem<Item>[];
  readonly isLoading: boolean;
  readonly failure: Failure | null;
}

const LENGTH_MAX = 40;
const UNDONE_SHOWN_MS = 20_000;

/**
 * The newest items of a topic: read once, then as they come. What a fork takes back stays for a time
 * as undone. After a gap everything is read again. The options of the first call are kept.
 */
export function useFeed<Item, Data>(options: FeedOptions<Item, Data>): Feed<Item> {
  const [feed, setFeed] = useState<Feed<Item>>({ items: [], isLoading: true, failure: null });
  const kept = useRef(options);
  useEffect(() => {
    const { topic, read, itemOf, idOf, idOfData } = kept.current;
    const ending = new AbortController();
    const change = (edit: (items: readonly FeedItem<Item>[]) => readonly FeedItem<Item>[]) =>
      setFeed((old) => ({ ...old, items: edit(old.items).slice(0, LENGTH_MAX) }));
    const without = (items: readonly FeedItem<Item>[], id: string) =>
      items.filter(({ item }) => idOf(item) !== id);
    const load = async () => {
      const answer = await read(ending.signal);
      if (ending.signal.aborted) return;
      if (isFailure(answer)) {
        setFeed((old) => ({ ...old, isLoading: false, failure: answer }));
        return;
      }
      const readItems = answer.ok.map((item) => ({ item, slot: null, isUndone: false }));
      const readSlot = answer.slot ?? 0;
      setFeed(({ items }) => {
        const newer = items.filter(({ slot }) => slot !== null && slot > readSlot);
        const older = readItems.filter(
          ({ item }) => !newer.some((one) => idOf(one.item) === idOf(item)),
        );
        return { items: [...newer, ...older], isLoading: false, failure: null };
      });
    };
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const end = subscribe<Data>(
      topic,
      {},
      {
        onReady: () => void load(),
        onGap: () => {
          // Items of before the gap may be of another chain, as after a restart.
          change(() => []);
          void load();
        },
        onItem: (data, slot) => {
          const item = itemOf(data);
          const id = idOfData(data);
          change((items) => mergeItem(items, { item, id, slot }, idOf));
        },
        onUndo: (data) => {
          if (data === null) return;
          const id = idOfData(data);
          change((items) =>
            items.map((one) => (idOf(one.item) === id ? { ...one, isUndone: true } : one)),
          );
          timers.add(setTimeout(() => change((items) => dropUndone(items, id)), UNDONE_SHOWN_MS));
        },
        onRefused: (message) =>
          setFeed((old) => ({ ...old, isLoading: false, failure: { error: 422, message } })),
      },
    );
    const dropUndone = (items: readonly FeedItem<Item>[], id: string) =>
      items.some(({ item, isUndone }) => isUndone && idOf(item) === id)
        ? without(items, id)
        : items;
    return () => {
      ending.abort();
      end();
      for (const timer of timers) clearTimeout(timer);
    };
  }, []);
  return feed;
}

/** A new item comes first; a known one is changed where it is. */
function mergeItem<Item>(
  items: readonly FeedItem<Item>[],
  { item, id, slot }: { readonly item: Item | null; readonly id: string; readonly slot: number },
  idOf: (item: Item) => string,
): readonly FeedItem<Item>[] {
  if (item === null) return items.filter((one) => idOf(one.item) !== id);
  const next = { item, slot, isUndone: false };
  if (!items.some((one) => idOf(one.item) === id)) return [next, ...items];
  return items.map((one) => (idOf(one.item) === id ? next : one));
}
