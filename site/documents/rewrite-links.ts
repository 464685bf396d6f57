import { dirname, join, normalize } from 'node:path';
import { markdownUrl, SITE_ROOT } from '../site-page.ts';
import type { Documents } from './documents.ts';

/** The folder of pictures, in the repository and below the site. */
export const PICTURES = 'docs/pictures';

/** Code in a line, or a link with its text and its target. */
const CODE_OR_LINK = /(`+)(?:(?!\1)[\s\S])+?\1|(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;

/**
 * The Markdown of a document with links between documents as links between pages of the site. A link
 * to a file that is no page, as to source code, becomes its text: the site is read where the
 * repository is not.
 */
export function rewriteLinks(markdown: string, file: string, documents: Documents): string {
  return outsideOfFences(markdown, (text) =>
    text.replaceAll(CODE_OR_LINK, (whole, ticks, mark, label, target) => {
      if (ticks !== undefined) return whole;
      const href = toSiteHref(target, file, documents);
      return href === null ? String(label) : `${mark}[${label}](${href})`;
    }),
  );
}

/** Files and folders of the repository that a document links to, below its root. */
export function linkedFiles(markdown: string, file: string): readonly string[] {
  const targets: string[] = [];
  outsideOfFences(markdown, (text) => {
    for (const [, ticks, , , target = ''] of text.matchAll(CODE_OR_LINK)) {
      if (ticks === undefined && !isAddress(target)) targets.push(fileOf(target, file));
    }
    return text;
  });
  return targets;
}

/** Null for a file of the repository that is no page. */
function toSiteHref(target: string, file: string, documents: Documents): string | null {
  if (isAddress(target)) return target;
  const linked = fileOf(target, file);
  const page = documents.get(linked);
  const anchor = /#.*$/.exec(target)?.[0] ?? '';
  if (page !== undefined) return `${markdownUrl(page)}${anchor}`;
  const isPicture = linked.startsWith(`${PICTURES}/`);
  return isPicture ? `${SITE_ROOT}${linked.slice('docs'.length)}` : null;
}

/** Of the web, the service or the same page. */
function isAddress(target: string): boolean {
  return /^(https?:|#|\/)/.test(target);
}

function fileOf(target: string, file: string): string {
  return normalize(join(dirname(file), target.replace(/#.*$/, ''))).replace(/\/$/, '');
}

/** Applies `change` to what is not in a fenced block. */
function outsideOfFences(markdown: string, change: (text: string) => string): string {
  return markdown
    .split(/(^ *```[\s\S]*?^ *```.*$)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('');
}
