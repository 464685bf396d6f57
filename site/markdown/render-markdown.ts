import { Marked, type RendererObject, type Token, type Tokens } from 'marked';
import { pageUrl, SITE_ROOT } from '../site-page.ts';
import { escapeHtml } from './escape-html.ts';
import { HeadingIds } from './heading-ids.ts';
import { plainText } from './plain-text.ts';

/** A heading of a page, for its table of contents. */
export interface Heading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

/** A part of a page below one heading, for the search. */
export interface Section {
  /** Of the heading; empty for what precedes the second heading. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface RenderedMarkdown {
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/**
 * Renders the Markdown of a page. HTML in it is shown as text, comments are left out. Throws for a
 * link that is neither a page, a path of the service, nor an http(s) address.
 */
export function renderMarkdown(markdown: string): RenderedMarkdown {
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(markdown);
  const headings = readHeadings(tokens);
  marked.use({ renderer: rendererOf(headings) });
  return {
    html: marked.parser(tokens),
    headings: [...headings.values()],
    sections: readSections(tokens, headings),
  };
}

type Headings = ReadonlyMap<Token, Heading>;

function readHeadings(tokens: readonly Token[]): Headings {
  const ids = new HeadingIds();
  const headings = new Map<Token, Heading>();
  for (const token of tokens) {
    if (token.type !== 'heading') continue;
    const { depth, tokens: children } = token as Tokens.Heading;
    const text = plainText(children);
    headings.set(token, { depth, id: ids.next(text), text });
  }
  return headings;
}

/** Text by heading; the first heading is the title of the page, and its section has no anchor. */
function readSections(tokens: readonly Token[], headings: Headings): readonly Section[] {
  const sections: { id: string; title: string; parts: string[] }[] = [];
  for (const token of tokens) {
    const heading = headings.get(token);
    if (heading !== undefined) {
      const id = sections.length === 0 ? '' : heading.id;
      sections.push({ id, title: heading.text, parts: [] });
    } else {
      sections.at(-1)?.parts.push(plainText([token]));
    }
  }
  return sections.map(({ id, title, parts }) => ({
    id,
    title,
    text: parts.join(' ').replace(/\s+/g, ' ').trim(),
  }));
}

function rendererOf(headings: Headings): RendererObject {
  return {
    heading(token) {
      const content = this.parser.parseInline(token.tokens);
      const heading = headings.get(token);
      // Only headings of a quotation have none.
      if (heading === undefined) return `<p><strong>${content}</strong></p>\n`;
      const { depth, id, text } = heading;
      const label = escapeHtml(`Link to “${text}”`);
      const anchor = `<a class="anchor" href="#${id}" aria-label="${label}">#</a>`;
      return `<h${depth} id="${id}">${content}${depth === 1 ? '' : ` ${anchor}`}</h${depth}>\n`;
    },
    html({ text }) {
      return text.trim().startsWith('<!--') ? '' : escapeHtml(text);
    },
    link({ href, tokens }) {
      const external = /^https?:/.test(href) ? ' rel="noreferrer"' : '';
      return `<a href="${escapeHtml(toHtmlHref(href))}"${external}>${this.parser.parseInline(tokens)}</a>`;
    },
    image({ href, text }) {
      return `<img src="${escapeHtml(toHtmlHref(href))}" alt="${escapeHtml(text)}" loading="lazy">`;
    },
    code({ text, lang = '' }) {
      const [language = ''] = lang.split(/\s+/);
      const name = language === '' ? '' : ` data-language="${escapeHtml(language)}"`;
      return `<pre tabindex="0"${name}><code>${escapeHtml(text)}</code></pre>\n`;
    },
    table(token) {
      const cells = (row: readonly Tokens.TableCell[], name: 'td' | 'th') =>
        row.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
      const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`;
      return `<div class="table" tabindex="0" role="region" aria-label="Table"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
    },
  };
}

/** The address in HTML of what Markdown refers to: Markdown leads to Markdown, HTML to HTML. */
function toHtmlHref(href: string): string {
  if (/^https?:\/\//.test(href) || href.startsWith('#')) return href;
  const page = new RegExp(`^${SITE_ROOT}/([\\w./-]+)\\.md(#.*)?$`).exec(href);
  if (page !== null) return `${pageUrl(page[1] ?? '')}${page[2] ?? ''}`;
  if (href.startsWith('/') && !href.startsWith('//')) return href;
  throw new Error(`The link "${href}" leads to no page: use an address of the site or http(s).`);
}
