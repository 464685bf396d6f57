import { GROUPS, markdownUrl, type SitePage } from './site-page.ts';

/** Groups that readers with little room may leave out, as the convention of llms.txt calls them. */
const OPTIONAL: ReadonlySet<string> = new Set(['Project', 'Decisions', 'Quality']);

/**
 * The list of all pages as Markdown, in the form that https://llmstxt.org describes: a title, a
 * summary, sections of links, those that can be left out last.
 */
export function llmsText(pages: readonly SitePage[], version: string): string {
  const ofGroup = (group: string) => pages.filter((page) => page.group === group);
  const main = GROUPS.filter((group) => !OPTIONAL.has(group)).map(
    (group) => `## ${group}\n\n${linesOf(ofGroup(group))}`,
  );
  const optional = GROUPS.filter((group) => OPTIONAL.has(group)).flatMap(ofGroup);
  return `${[
    '# Mintscope',
    '> Self-hosted token intelligence for Solana: token data, pool indicators, bundled transactions, candles, triggers, trading signals, fraud findings with evidence and social metrics, over HTTP, WebSocket and gRPC.',
    `Version ${version}. Every request needs the header \`X-API-Key\`. The OpenAPI 3.1 document is at [/openapi.json](/openapi.json), the AsyncAPI 3 document of streams and webhooks at [/asyncapi.json](/asyncapi.json). Decimal numbers are JSON strings, unknown values are null.`,
    ...main,
    `## Optional\n\n${linesOf(optional)}`,
  ].join('\n\n')}\n`;
}

function linesOf(pages: readonly SitePage[]): string {
  return pages
    .map(({ path, title, summary }) => `- [${title}](${markdownUrl(path)}): ${summary}`)
    .join('\n');
}
