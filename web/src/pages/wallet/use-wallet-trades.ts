import { useEffect, useState } from 'preact/hooks';
import { subscribe } from '../../api/stream.ts';
import { tradeKey } from '../../api/trade-key.ts';
import { type Pages, usePages } from '../../state/use-pages.ts';
import type { Trade } from './wallet-types.ts';

export interface TradeFilters {
  readonly side: 'buy' | 'sell' | null;
  readonly view: 'all' | 'user';
  readonly minValueUsd: string | null;
}

/** A trade as it is shown: what a fork took back stays in sight. */
export interface ShownTrade {
  readonly trade: Trade;
  readonly isUndone: boolean;
}

/** Trades that are not final become final within this time; then they are read again. */
const READ_AGAIN_MS = 10_000;

/** Trades of a wallet, newest first: those read page by page, and those that come. */
export function useWalletTrades(address: string, filters: TradeFilters) {
  const { side, view, minValueUsd } = filters;
  const pages = usePages(
    '/v1/wallets/{address}/trades',
    {
      address,
      view,
      limit: 100,
      ...(side === null ? {} : { side }),
      ...(minValueUsd === null ? {} : { min_value_usd: minValueUsd }),
    },
    {
      itemsOf: ({ trades }) => trades,
      nextOf: ({ next_cursor }) => next_cursor,
      keyOf: tradeKey,
    },
  );
  const undone = useLive(address, filters, pages);
  useRepeated(pages);
  return { pages, rows: rowsOf(pages.items ?? [], undone) };
}

/** Follows the wallet's trades. Returns those that forks took back. */
function useLive(address: string, { side, minValueUsd }: TradeFilters, pages: Pages<Trade>) {
  const [undone, setUndone] = useState<ReadonlyMap<string, Trade>>(new Map());
  useEffect(() => {
    setUndone(new Map());
    let timer: ReturnType<typeof setTimeout> | null = null;
    // A slot has many trades; one read of the first page shows them all.
    const readSoon = () => {
      timer ??= setTimeout(() => {
        timer = null;
        pages.refresh();
      }, 250);
    };
    const params = {
      wallet_address: address,
      ...(side === null ? {} : { side }),
      ...(minValueUsd === null ? {} : { min_value_usd: minValueUsd }),
    };
    const unsubscribe = subscribe<Trade>('trades', params, {
      onItem: (trade) => {
        const key = tradeKey(trade);
        setUndone((old) => (old.has(key) ? without(old, key) : old));
        readSoon();
      },
      onUndo: (trade) => {
        if (trade !== null) setUndone((old) => new Map(old).set(tradeKey(trade), trade));
      },
      onGap: pages.reload,
    });
    return () => {
      unsubscribe();
      if (timer !== null) clearTimeout(timer);
    };
  }, [address, side, minValueUsd]);
  return undone;
}

function useRepeated({ items, refresh }: Pages<Trade>): void {
  const isPending = items?.some(({ commitment }) => commitment !== 'finalized') === true;
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setInterval(refresh, READ_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isPending]);
}

function without(map: ReadonlyMap<string, Trade>, key: string): ReadonlyMap<string, Trade> {
  const next = new Map(map);
  next.delete(key);
  return next;
}

function rowsOf(trades: readonly Trade[], undone: ReadonlyMap<string, Trade>): ShownTrade[] {
  const held = trades
    .filter((trade) => !undone.has(tradeKey(trade)))
    .map((trade) => ({ trade, isUndone: false }));
  const gone = [...undone.values()].map((trade) => ({ trade, isUndone: true }));
  return [...held, ...gone].sort((a, b) => b.trade.slot - a.trade.slot);
}
