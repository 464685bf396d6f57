import { useEffect, useRef, useState } from 'preact/hooks';
import { subscribe } from '../../api/stream.ts';
import type { Token } from './use-live-tokens.ts';

/** What the topic `new_tokens` sends of a token that is used here. */
interface StreamedToken {
  readonly token: { readonly token_address: string };
}

/** A row of the table; one that a fork took back is marked for some time. */
export type TokenRow = Token & { readonly isUndone?: boolean };

interface UndoneRow {
  readonly row: TokenRow;
  readonly position: number;
}

/** Long enough to be seen, and read out, among rows that change. */
const UNDONE_SHOWN_MS = 10_000;

/**
 * Adds to the listed tokens those whose launch a fork took back while they were listed, for some
 * seconds and where they were: the next read has them no more. A launch that comes again is listed
 * as usual.
 */
export function useUndoneTokens(items: readonly Token[]): {
  readonly rows: readonly TokenRow[];
  readonly undone: readonly TokenRow[];
} {
  const [undone, setUndone] = useState<ReadonlyMap<string, UndoneRow>>(new Map());
  const listed = useRef(items);
  listed.current = items;
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const drop = (mint: string) => {
      clearTimeout(timers.get(mint));
      timers.delete(mint);
      setUndone((old) => (old.has(mint) ? withoutKey(old, mint) : old));
    };
    const end = subscribe<StreamedToken>(
      'new_tokens',
      {},
      {
        onItem: ({ token }) => drop(token.token_address),
        onUndo: (data) => {
          const mint = data?.token.token_address ?? '';
          const position = listed.current.findIndex(({ token_address }) => token_address === mint);
          const token = listed.current[position];
          if (token === undefined) return;
          setUndone((old) =>
            new Map(old).set(mint, { row: { ...token, isUndone: true }, position }),
          );
          clearTimeout(timers.get(mint));
          timers.set(
            mint,
            setTimeout(() => drop(mint), UNDONE_SHOWN_MS),
          );
        },
      },
    );
    return () => {
      end();
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, []);
  return { rows: withUndone(items, undone), undone: [...undone.values()].map(({ row }) => row) };
}

function withoutKey(
  undone: ReadonlyMap<string, UndoneRow>,
  mint: string,
): ReadonlyMap<string, UndoneRow> {
  const rest = new Map(undone);
  rest.delete(mint);
  return rest;
}

function withUndone(
  items: readonly Token[],
  undone: ReadonlyMap<string, UndoneRow>,
): readonly TokenRow[] {
  if (undone.size === 0) return items;
  const rows: TokenRow[] = items.filter(({ token_address }) => !undone.has(token_address));
  const inOrder = [...undone.values()].sort((one, other) => one.position - other.position);
  for (const { row, position } of inOrder) rows.splice(position, 0, row);
  return rows;
}
