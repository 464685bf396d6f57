import { createSafeFetch, type SafeFetch } from '../lib/safe-fetch/safe-fetch.ts';

/**
 * Asks the web of a simulated market for whatever its tokens name: the host becomes the first part
 * of the path. Nothing of such a market leads to the real web, so that no other place is asked.
 */
export function createSimulatedFetch(origin: string): SafeFetch {
  const { hostname, port } = new URL(origin);
  const fetch = createSafeFetch({
    isHttpAllowed: true,
    ports: [Number(port)],
    gateways: { ipfs: [origin], arweave: [origin] },
    redirectsMax: 0,
    isAddressAllowed: (address) => address === hostname,
  });
  return async (url, request) => {
    const meant = URL.parse(url);
    // What names no place on the web is refused as it is everywhere, or needs no network.
    if (meant === null || meant.host === '') return await fetch(url, request);
    return await fetch(`${origin}/${meant.host}${meant.pathname}${meant.search}`, request);
  };
}
