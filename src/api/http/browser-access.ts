import type { ApiDeps } from '../deps.ts';
import { CrossOrigins } from './cors.ts';
import type { Dashboard } from './dashboard.ts';
import type { DocSite } from './doc-site.ts';
import { Sessions } from './sessions.ts';
import { StreamTickets } from './stream-tickets.ts';

/** What lets browsers use the API: sessions, tickets of WebSockets, and origins of other pages. */
export interface BrowserAccess {
  readonly sessions: Sessions;
  readonly tickets: StreamTickets;
  readonly origins: CrossOrigins;
  /** Key of which pages on this machine get a session without presenting it; null for none. */
  readonly openKey: string | null;
  /** Null if it is not built. */
  readonly dashboard: Dashboard | null;
  /** Null if it is not built. */
  readonly docSite: DocSite | null;
}

/** Options of the server about browsers. */
export interface BrowserOptions {
  /** Origins whose pages may use the API with a key of their own; none by default. */
  readonly corsOrigins?: readonly string[];
  /** Sets `x-simulated: true` on every response: the chain is simulated. */
  readonly isSimulated?: boolean;
  /**
   * Key of which pages on this machine get a session without presenting it, if the chain is
   * simulated; none by default.
   */
  readonly openKey?: string | null;
  /** The built dashboard; none by default. */
  readonly dashboard?: Dashboard | null;
  /** The built documentation; none by default. */
  readonly docSite?: DocSite | null;
}

export function createBrowserAccess(
  deps: Pick<ApiDeps, 'keys' | 'nowMs'>,
  {
    corsOrigins = [],
    isSimulated = false,
    openKey = null,
    dashboard = null,
    docSite = null,
  }: BrowserOptions,
): BrowserAccess {
  const nowMs = () => deps.nowMs();
  return {
    sessions: new Sessions(deps.keys, nowMs),
    tickets: new StreamTickets(nowMs),
    origins: new CrossOrigins(corsOrigins),
    openKey: isSimulated ? openKey : null,
    dashboard,
    docSite,
  };
}
