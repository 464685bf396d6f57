import type { ComponentType } from 'preact';
import { matchPath } from '../state/match-path.ts';

/** A page gets the parameters of its path; those of the query are in state/router.ts. */
export type PageComponent = ComponentType<{
  readonly params: Readonly<Record<string, string>>;
}>;

export interface Page {
  /** Paths of the page; the service answers them with the dashboard. The first one is linked. */
  readonly patterns: readonly string[];
  readonly title: string;
  readonly isInNavigation: boolean;
  readonly load: () => Promise<{ readonly Page: PageComponent }>;
}

/** All pages. The service reads their paths from here too, when it is built. */
// biome-ignore format: one line a page
export const PAGES: readonly Page[] = [
  { patterns: ['/market', '/'], title: 'Market', isInNavigation: true, load: () => import('./market/page.tsx') },
  { patterns: ['/signals'], title: 'Signals', isInNavigation: true, load: () => import('./signals/page.tsx') },
  { patterns: ['/alerts'], title: 'Alerts', isInNavigation: true, load: () => import('./alerts/page.tsx') },
  { patterns: ['/rules'], title: 'Rules', isInNavigation: true, load: () => import('./rules/page.tsx') },
  { patterns: ['/operations'], title: 'Operations', isInNavigation: true, load: () => import('./operations/page.tsx') },
  { patterns: ['/about'], title: 'About', isInNavigation: true, load: () => import('./about/page.tsx') },
  { patterns: ['/token/:mint'], title: 'Token', isInNavigation: false, load: () => import('./token/page.tsx') },
  { patterns: ['/backtest/:id'], title: 'Backtest', isInNavigation: false, load: () => import('./backtest/page.tsx') },
  { patterns: ['/wallet/:address'], title: 'Wallet', isInNavigation: false, load: () => import('./wallet/page.tsx') },
];

/** The page of a path with its parameters; null if there is none. */
export function pageAt(
  path: string,
): { readonly page: Page; readonly params: Readonly<Record<string, string>> } | null {
  for (const page of PAGES) {
    for (const pattern of page.patterns) {
      const params = matchPath(pattern, path);
      if (params !== null) return { page, params };
    }
  }
  return null;
}
