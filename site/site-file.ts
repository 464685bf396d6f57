import { SITE_ROOT } from './site-page.ts';

/** The file below the folder of the built site that has what is served at an address. */
export function siteFileOf(url: string): string {
  if (url === `${SITE_ROOT}/`) return 'index.html';
  const path = url.startsWith(`${SITE_ROOT}/`) ? url.slice(SITE_ROOT.length + 1) : url.slice(1);
  return /\.(md|txt|js|css|json|png|svg)$/.test(path) ? path : `${path}.html`;
}
