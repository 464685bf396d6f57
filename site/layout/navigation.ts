import { escapeHtml } from '../markdown/escape-html.ts';
import { GROUPS, type Group, pageUrl, type SitePage } from '../site-page.ts';

/** Groups of which the navigation shows the list alone. */
const SHOWN_AS_LIST: ReadonlySet<Group> = new Set<Group>(['Decisions']);

/** Pages that begin their group; others follow in the order in which they are given. */
const FIRST = [
  'index',
  'readme',
  'guides/first-steps',
  'guides/follow-mainnet',
  'guides/understand-a-finding',
  'guides/receive-webhooks',
  'guides/analyse-exports',
  'guides/connect-an-agent',
  'products',
  'endpoints',
  'api-stability',
  'api-changes',
  'decisions',
  'install',
];

/** Pages in the order of the navigation. */
export function inReadingOrder(pages: readonly SitePage[]): readonly SitePage[] {
  const rank = ({ path }: SitePage): number => {
    const index = FIRST.indexOf(path);
    return index < 0 ? FIRST.length : index;
  };
  return GROUPS.flatMap((group) =>
    pages.filter((page) => page.group === group).toSorted((one, other) => rank(one) - rank(other)),
  );
}

/** The navigation, with the group of the current page open. `pages` are in reading order. */
export function navigationHtml(pages: readonly SitePage[], current: SitePage): string {
  return GROUPS.map((group) => {
    const ofGroup = pages.filter((page) => page.group === group);
    const shown = SHOWN_AS_LIST.has(group)
      ? ofGroup.filter(({ path }, index) => index === 0 || path === current.path)
      : ofGroup;
    const open = group === current.group || group === 'Start' ? ' open' : '';
    const items = shown.map((page) => `<li>${navigationLink(page, current)}</li>`).join('\n');
    return `<details${open}><summary>${group}</summary><ul>\n${items}\n</ul></details>`;
  }).join('\n');
}

function navigationLink({ path, title }: SitePage, current: SitePage): string {
  const state = path === current.path ? ' aria-current="page"' : '';
  const label = title.replace(/^(Detector|Model|Endpoints): /, '');
  return `<a href="${pageUrl(path)}"${state}>${escapeHtml(label)}</a>`;
}
