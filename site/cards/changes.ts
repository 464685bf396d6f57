import { blocks } from '../markdown/compose.ts';
import { markdownUrl, type SitePage } from '../site-page.ts';

/** Sections of the changelog about what a client of the API notices, and all others. */
const OF_API = new Set([
  'API',
  'Stream',
  'Trades',
  'Pools and tokens',
  'Findings and wallets',
  'Exports and charts',
  'Posts',
]);
const OTHER = new Set([
  'Command line',
  'Dashboard',
  'Installation',
  'Operations',
  'State',
  'Documentation and structure',
  'Reliability',
  'The chain of 2026',
  'Before',
]);

/**
 * The page of changes that a client of the API notices, from the changelog. Throws for a section
 * that is in neither list, so that no change of the API is left out by a new name.
 */
export function apiChangesPage(changelog: SitePage): SitePage {
  const title = 'Changes of the API';
  const summary = 'What a client of the API notices of each version.';
  const versions = changelog.markdown.split(/^(?=## )/m).slice(1);
  const parts = versions.map((text) => {
    const [heading = '', ...sections] = text.split(/^(?=### )/m);
    return [heading, ...sections.filter(isOfApi)].map((part) => part.trim());
  });
  const markdown = blocks(
    `# ${title}`,
    summary,
    `What may change, and how it is announced, is promised in [stability of the API](${markdownUrl('api-stability')}). Everything else that changed is in the [changelog](${markdownUrl(changelog.path)}).`,
    ...parts.flat(),
  );
  return { path: 'api-changes', group: 'API', title, summary, markdown };
}

function isOfApi(section: string): boolean {
  const name = /^### (.*)$/m.exec(section)?.[1] ?? '';
  if (!OF_API.has(name) && !OTHER.has(name)) {
    throw new Error(
      `CHANGELOG.md has a new section "${name}": add it to OF_API or OTHER in site/cards/changes.ts.`,
    );
  }
  return OF_API.has(name);
}
