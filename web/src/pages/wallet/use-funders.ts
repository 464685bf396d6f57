import { useEffect, useState } from 'preact/hooks';
import { type BodyOf, get, isFailure } from '../../api/client.ts';
import type { Link, Wallet } from './wallet-types.ts';

type Funding = NonNullable<Wallet['first_funding']>;

/** One step up: who first funded a wallet, and with which transactions. */
export interface Funder {
  readonly funding: Funding;
  /** The recorded payments between both; null if they are no longer recorded. */
  readonly link: Link | null;
}

export interface Funders {
  /** Of the wallet first, then of its funder, and so on. */
  readonly steps: readonly Funder[];
  readonly isLoading: boolean;
  /** Why the chain ends where it does; null while it is read. */
  readonly end: string | null;
}

/** Funders further up are seldom of this wallet's owner. */
const STEPS_MAX = 6;
/** Kinds of addresses that pay for everybody: who funded them says nothing. */
const ENDS: ReadonlySet<string> = new Set(['cex', 'hub', 'bridge', 'market_maker', 'sponsor']);

/** Reads who funded a wallet, who funded that one, and so on. */
export function useFunders(address: string): Funders {
  const [found, setFound] = useState<Funders>({ steps: [], isLoading: true, end: null });
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const climb = async () => {
      const steps: Funder[] = [];
      const end = await climbFrom(address, steps, signal, () => {
        if (!signal.aborted) setFound({ steps: [...steps], isLoading: true, end: null });
      });
      if (!signal.aborted) setFound({ steps: [...steps], isLoading: false, end });
    };
    void climb();
    return () => ending.abort();
  }, [address]);
  return found;
}

async function climbFrom(
  address: string,
  steps: Funder[],
  signal: AbortSignal,
  onStep: () => void,
): Promise<string> {
  const seen = new Set([address]);
  let current = address;
  while (steps.length < STEPS_MAX) {
    const wallet = await get('/v1/wallets/{address}', { address: current }, { signal });
    if (isFailure(wallet)) return wallet.error === 404 ? 'Nothing is known of it.' : wallet.message;
    const funding = wallet.ok.first_funding;
    if (funding === null) return 'Its first payment was not seen.';
    steps.push({ funding, link: await linkOf(current, funding.funder_address, signal) });
    onStep();
    if (funding.funder_kind !== null && ENDS.has(funding.funder_kind)) {
      return 'It pays for everybody: who funded it says nothing about this wallet.';
    }
    if (seen.has(funding.funder_address)) return 'The wallets funded each other.';
    seen.add(funding.funder_address);
    current = funding.funder_address;
  }
  return 'Funders further up are not shown.';
}

async function linkOf(address: string, funder: string, signal: AbortSignal): Promise<Link | null> {
  const params = { address, kind: 'funded_by', limit: 100 } as const;
  const answer = await get('/v1/wallets/{address}/links', params, { signal });
  if (isFailure(answer)) return null;
  const { links }: BodyOf<'/v1/wallets/{address}/links'> = answer.ok;
  return links.find(({ wallet_address }) => wallet_address === funder) ?? null;
}
