import type { IncomingMessage } from 'node:http';

type Headers = Pick<IncomingMessage, 'headers'>;

/**
 * Whether a page of this server sent the request, according to its browser. Without an Origin it
 * did not: browsers send one with every request that changes something, and with every WebSocket.
 */
export function isSameOrigin({ headers }: Headers): boolean {
  const { origin, host } = headers;
  if (origin === undefined || host === undefined) return false;
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url === null || url.origin !== origin) return false;
  // The default port is left out of an origin and may be left out of a host.
  const address = `${url.protocol}//${host.toLowerCase()}`;
  return URL.canParse(address) && new URL(address).origin === origin;
}

/** Whether a request was addressed to this machine by a name of the loopback interface. */
export function isForLoopback({ headers }: Headers): boolean {
  const address = `http://${headers.host ?? ''}`;
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
