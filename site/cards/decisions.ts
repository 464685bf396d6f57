import { blocks, table } from '../markdown/compose.ts';
import { markdownUrl, type SitePage } from '../site-page.ts';

/** The page that lists all decisions, newest first. */
export function decisionsPage(pages: readonly SitePage[]): SitePage {
  const title = 'Decisions';
  const summary = 'Why the service is built as it is: one record for each decision, newest first.';
  const decisions = pages.filter(({ group }) => group === 'Decisions').toReversed();
  const rows = decisions.map(({ path, title: name, summary: context }) => [
    `[${name}](${markdownUrl(path)})`,
    context.replace(/^Context\.\s*/, ''),
  ]);
  const markdown = blocks(`# ${title}`, summary, table(['Decision', 'Context'], rows));
  return { path: 'decisions', group: 'Decisions', title, summary, markdown };
}
