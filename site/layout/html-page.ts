import { escapeHtml } from '../markdown/escape-html.ts';
import type { Heading, RenderedMarkdown } from '../markdown/render-markdown.ts';
import { markdownUrl, pageUrl, SITE_ROOT, type SitePage } from '../site-page.ts';

/** Addresses of the files that every page needs. */
export interface PageFiles {
  readonly theme: string;
  readonly script: string;
  readonly style: string;
  readonly icon: string;
  readonly searchIndex: string;
}

export interface PageParts {
  readonly page: SitePage;
  readonly rendered: RenderedMarkdown;
  readonly navigation: string;
  readonly previous: SitePage | null;
  readonly next: SitePage | null;
  readonly files: PageFiles;
  readonly version: string;
}

/** A whole page. Scripts and styles are files, so that the policy of the page allows nothing inline. */
export function htmlPage(parts: PageParts): string {
  const { page, rendered, navigation, files } = parts;
  return `<!doctype html>
<html lang="en" data-search-index="${files.searchIndex}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(page.summary)}">
<title>${escapeHtml(page.path === 'index' ? 'Mintscope documentation' : `${page.title} – Mintscope`)}</title>
<link rel="alternate" type="text/markdown" href="${markdownUrl(page.path)}">
<link rel="icon" href="${files.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${files.style}">
<script src="${files.theme}"></script>
<script type="module" src="${files.script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${header(parts)}
<div class="frame">
<nav class="pages" aria-label="Pages" id="pages">
${navigation}
</nav>
<main id="content" tabindex="-1">
${rendered.html}
${footer(parts)}
</main>
${contents(rendered.headings)}
</div>
</body>
</html>
`;
}

function header({ version }: PageParts): string {
  return `<header>
<a class="brand" href="${SITE_ROOT}/">Mintscope <span>documentation</span></a>
<div class="search" role="search">
<input type="search" placeholder="Search (press /)" aria-label="Search the documentation" aria-controls="results" autocomplete="off" spellcheck="false" maxlength="100">
<div id="results" hidden><p role="status"></p><ul></ul></div>
</div>
<nav class="places" aria-label="Other parts of the service">
<a class="narrow" href="#pages">Pages</a>
<a href="/docs/api/">Reference</a>
<a href="/">Dashboard</a>
<button type="button" class="theme" hidden></button>
<span class="version">${escapeHtml(version)}</span>
</nav>
</header>`;
}

/** Headings of the second and third level, if there are several. */
function contents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (shown.length < 2) return '<div class="contents"></div>';
  const items = shown
    .map(
      ({ depth, id, text }) =>
        `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
    )
    .join('\n');
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>\n${items}\n</ul></nav>`;
}

function footer({ page, previous, next, version }: PageParts): string {
  const link = (other: SitePage | null, rel: string) =>
    other === null
      ? '<span></span>'
      : `<a rel="${rel}" href="${pageUrl(other.path)}">${escapeHtml(other.title)}</a>`;
  return `<footer>
<nav aria-label="Neighbouring pages">${link(previous, 'prev')}${link(next, 'next')}</nav>
<p>Version ${escapeHtml(version)} · <a href="${markdownUrl(page.path)}">this page as Markdown</a> · <a href="/llms.txt">all pages as a list</a></p>
</footer>`;
}
