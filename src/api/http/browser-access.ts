import type { ApiDeps } from '../deps.ts';
import { CrossOrigins } from './cors.ts';
import { Sessions } from './sessions.ts';
import { StreamTickets } from './stream-tickets.ts';

/** What lets browsers use the API: sessions, tickets of WebSockets, and origins of other pages. */
export interface BrowserAccess {
  readonly sessions: Sessions;
  readonly tickets: StreamTickets;
  readonly origins: CrossOrigins;
}

export function createBrowserAccess(
  deps: Pick<ApiDeps, 'keys' | 'nowMs'>,
  corsOrigins: readonly string[],
): BrowserAccess {
  const nowMs = () => deps.nowMs();
  return {
    sessions: new Sessions(deps.keys, nowMs),
    tickets: new StreamTickets(nowMs),
    origins: new CrossOrigins(corsOrigins),
  };
}
