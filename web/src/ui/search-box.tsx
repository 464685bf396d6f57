import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { get, isFailure } from '../api/client.ts';
import { shortenAddress } from '../format/texts.ts';
import { navigate } from '../state/router.ts';
import { ChainText } from './chain-text.tsx';
import { TokenPicture } from './token-picture.tsx';

interface Hit {
  readonly href: string;
  readonly kind: 'Token' | 'Pool' | 'Wallet';
  readonly name: string;
  readonly address: string;
  readonly pictureUrl: string | null;
}

const PAUSE_MS = 200;
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Searches tokens by name, symbol or address, pools and wallets by address. "/" focuses it. */
export function SearchBox() {
  const [text, setText] = useState('');
  const [hits, setHits] = useState<readonly Hit[] | null>(null);
  const [marked, setMarked] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  useFocusKey(input);
  useEffect(() => {
    const ending = new AbortController();
    setHits(null);
    if (text.trim() === '') return undefined;
    const timer = setTimeout(async () => {
      const found = await search(text.trim(), ending.signal);
      if (ending.signal.aborted) return;
      setHits(found);
      setMarked(0);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [text]);
  const open = (hit: Hit | undefined) => {
    if (hit === undefined) return;
    setText('');
    input.current?.blur();
    navigate(hit.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const count = hits?.length ?? 0;
    if (event.key === 'Escape') setText('');
    else if (event.key === 'Enter') open(hits?.[marked]);
    else if (event.key === 'ArrowDown' && count > 0) setMarked((marked + 1) % count);
    else if (event.key === 'ArrowUp' && count > 0) setMarked((marked + count - 1) % count);
    else return;
    event.preventDefault();
  };
  return (
    <search class="search">
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Search tokens, pools and wallets"
        aria-expanded={hits !== null}
        aria-controls={listId}
        aria-activedescendant={
          hits === null || hits.length === 0 ? undefined : `${listId}-${marked}`
        }
        placeholder="Token, pool or wallet ( / )"
        autocomplete="off"
        spellcheck={false}
        maxLength={64}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="search-hits" id={listId} role="listbox" aria-label="Found" hidden={hits === null}>
        {hits?.length === 0 && <p class="state empty">Nothing was found.</p>}
        {hits?.map((hit, index) => (
          <HitOption
            key={`${hit.kind}${hit.address}`}
            id={`${listId}-${index}`}
            hit={hit}
            isMarked={index === marked}
            open={open}
          />
        ))}
      </div>
    </search>
  );
}

function HitOption({
  id,
  hit,
  isMarked,
  open,
}: {
  readonly id: string;
  readonly hit: Hit;
  readonly isMarked: boolean;
  readonly open: (hit: Hit) => void;
}) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isMarked}
      onPointerDown={(event) => {
        event.preventDefault();
        open(hit);
      }}
    >
      <span class="search-kind">{hit.kind}</span>
      <span class="search-name">
        {hit.kind === 'Token' && (
          <TokenPicture url={hit.pictureUrl} address={hit.address} symbol={hit.name} />
        )}
        <ChainText text={hit.name} lengthMax={32} />
      </span>
      <span class="address">{shortenAddress(hit.address)}</span>
    </div>
  );
}

function useFocusKey(input: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, select, textarea') !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [input]);
}

async function search(text: string, signal: AbortSignal): Promise<readonly Hit[]> {
  const hits: Hit[] = [];
  const tokens = await get('/v1/tokens', { search: text, limit: 8 }, { signal });
  if (!isFailure(tokens)) {
    for (const { token_address: address, name, symbol, picture_url } of tokens.ok.items) {
      const shown = [symbol, name].filter((part) => part !== null).join(' · ');
      const href = `/token/${address}`;
      hits.push({ href, kind: 'Token', name: shown, address, pictureUrl: picture_url });
    }
  }
  if (!ADDRESS.test(text) || hits.some(({ address }) => address === text)) return hits;
  const pool = await get('/v1/pools/{pair_address}', { pair_address: text }, { signal });
  if (!isFailure(pool)) {
    const href = `/token/${pool.ok.token_address}`;
    hits.push({ href, kind: 'Pool', name: 'Pool of a token', address: text, pictureUrl: null });
  }
  const href = `/wallet/${text}`;
  hits.push({ href, kind: 'Wallet', name: 'Open as a wallet', address: text, pictureUrl: null });
  return hits;
}
