import { useEffect, useState } from 'preact/hooks';
import { isFailure, send } from '../api/client.ts';

interface TokenNames {
  readonly items: readonly {
    readonly address: string;
    readonly data: { readonly token: { readonly symbol: string | null } };
  }[];
}

/** Symbols of tokens by address, for answers without them; asked for once each, unless that failed. */
export function useSymbols(mints: readonly string[]): ReadonlyMap<string, string> {
  const [symbols, setSymbols] = useState<ReadonlyMap<string, string>>(new Map());
  const [asked] = useState(new Set<string>());
  const missing = [...new Set(mints)].filter((mint) => !asked.has(mint));
  useEffect(() => {
    if (missing.length === 0) return;
    for (const mint of missing) asked.add(mint);
    void send<TokenNames>('POST', '/v1/batch/tokens', { addresses: missing }).then((answer) => {
      if (isFailure(answer)) {
        // Asked for again with the next change of the list.
        for (const mint of missing) asked.delete(mint);
        return;
      }
      setSymbols((old) => {
        const next = new Map(old);
        for (const { address, data } of answer.ok.items) {
          if (data.token.symbol !== null) next.set(address, data.token.symbol);
        }
        return next;
      });
    });
  }, [missing.join()]);
  return symbols;
}
