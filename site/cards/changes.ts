import { blocks } from '../markdown/compose.ts';
import { markdownUrl, type SitePage } from '../site-page.ts';

/** Sections of the changelog of which a client of the API notices nothing. */
const NOT_OF_API = new Set([
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
 * The page of changes that a client of the API notices, from the changelog. A section with a new
 * name is on it, so that no change of the API is left out.
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
  return !NOT_OF_API.has(/^### (.*)$/m.exec(section)?.[1] ?? '');
}
