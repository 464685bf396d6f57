import { createSafeFetch, type SafeFetch } from '../lib/safe-fetch/safe-fetch.ts';

/**
 * Redirects all requests to the web of a simulated market: the host of a URL becomes the first part
 * of the path. No other host is contacted.
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
    // URLs without a host are refused as usual, or need no network.
    if (meant === null || meant.host === '') return await fetch(url, request);
    return await fetch(`${origin}/${meant.host}${meant.pathname}${meant.search}`, request);
  };
}
