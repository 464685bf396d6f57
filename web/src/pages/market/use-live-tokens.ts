import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type BodyOf, isFailure } from '../../api/client.ts';
import { subscribe } from '../../api/stream.ts';
import type { Read } from '../../state/use-read.ts';

export type Token = BodyOf<'/v1/tokens'>['items'][number];

/** What the topic `pool` sends of a pool that is used here. */
interface StreamedPool {
  readonly pair_address: string;
  readonly price_usd: string | null;
}

interface LivePrice {
  readonly priceUsd: string | null;
  readonly slot: number;
}

/** Subscriptions follow the rows in sight after scrolling has paused for this time. */
const PAUSE_MS = 200;

/**
 * The rows of a read, with the newest prices of the stream for those in sight: the primary pools of
 * the rows `first` to `end` that `follow` names. All updates of a frame are shown together. Prices
 * that the read includes give way to it.
 */
export function useLiveTokens(read: Read<BodyOf<'/v1/tokens'>>): {
  readonly items: readonly Token[];
  readonly follow: (first: number, end: number) => void;
} {
  const { answer, body, reload } = read;
  const prices = useRef(new Map<string, LivePrice>());
  const [, setFrame] = useState(0);
  const [range, setRange] = useState({ first: 0, end: 0 });
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const follow = useCallback((first: number, end: number) => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = setTimeout(() => setRange({ first, end }), PAUSE_MS);
  }, []);
  const latestReload = useRef(reload);
  latestReload.current = reload;
  const followed = (body?.items ?? [])
    .slice(range.first, range.end)
    .flatMap(({ pair_address }) => (pair_address === null ? [] : [pair_address]));
  useSubscriptions(followed, prices, () => setFrame((count) => count + 1), latestReload);
  const slot = answer !== null && !isFailure(answer) ? answer.slot : null;
  return { items: withPrices(body?.items ?? [], prices.current, slot), follow };
}

function useSubscriptions(
  pairs: readonly string[],
  prices: { readonly current: Map<string, LivePrice> },
  show: () => void,
  reload: { readonly current: () => void },
): void {
  const open = useRef(new Map<string, () => void>());
  const frame = useRef<number | null>(null);
  const latestShow = useRef(show);
  latestShow.current = show;
  const wanted = [...pairs].sort().join();
  useEffect(() => {
    const next = new Set(pairs);
    for (const [pair, end] of open.current) {
      if (next.has(pair)) continue;
      end();
      open.current.delete(pair);
      prices.current.delete(pair);
    }
    for (const pair of next) {
      if (open.current.has(pair)) continue;
      const end = subscribe<StreamedPool>(
        'pool',
        { pair_address: pair },
        {
          onItem: ({ price_usd }, slot) => {
            prices.current.set(pair, { priceUsd: price_usd, slot });
            frame.current ??= requestAnimationFrame(() => {
              frame.current = null;
              latestShow.current();
            });
          },
          onGap: () => reload.current(),
        },
      );
      open.current.set(pair, end);
    }
  }, [wanted]);
  useEffect(
    () => () => {
      for (const end of open.current.values()) end();
      open.current.clear();
      if (frame.current !== null) cancelAnimationFrame(frame.current);
    },
    [],
  );
}

/** Rows with a newer price are other objects, all others the same, so that they are not drawn again. */
const updated = new WeakMap<Token, Token>();

function withPrices(
  items: readonly Token[],
  prices: ReadonlyMap<string, LivePrice>,
  readSlot: number | null,
): readonly Token[] {
  if (prices.size === 0) return items;
  return items.map((item) => {
    const live = item.pair_address === null ? undefined : prices.get(item.pair_address);
    if (live === undefined || (readSlot !== null && live.slot <= readSlot)) return item;
    const shown = updated.get(item);
    if (shown?.price_usd === live.priceUsd) return shown;
    if (item.price_usd === live.priceUsd) return item;
    const next = { ...item, price_usd: live.priceUsd };
    updated.set(item, next);
    return next;
  });
}
