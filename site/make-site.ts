import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { OpenApi } from './cards/open-api.ts';
import { collectPages } from './collect-pages.ts';
import { findBrokenLinks } from './find-broken-links.ts';
import { htmlPage, type PageFiles } from './layout/html-page.ts';
import { navigationHtml } from './layout/navigation.ts';
import { llmsText } from './llms-text.ts';
import { type RenderedMarkdown, renderMarkdown } from './markdown/render-markdown.ts';
import { searchIndex } from './search-index.ts';
import { markdownUrl, pageUrl, SITE_ROOT, type SitePage } from './site-page.ts';

/** Files of the site by address, as `/docs/products/fraud`. */
export type SiteFiles = ReadonlyMap<string, string | Uint8Array>;

export interface SiteSources {
  /** Folder of the repository. */
  readonly root: string;
  readonly openApi: OpenApi;
  /** Built scripts and styles by name, as `site.js`. */
  readonly browserFiles: ReadonlyMap<string, string>;
}

/** Makes the whole site. Throws if a link leads to nothing. */
export async function makeSite({ root, openApi, browserFiles }: SiteSources): Promise<SiteFiles> {
  const pages = await collectPages(root, openApi);
  const rendered = pages.map((page) => ({ page, rendered: renderMarkdown(page.markdown) }));
  const files = new Map<string, string | Uint8Array>();
  const add = (name: string, content: string): string => {
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 10);
    const url = `${SITE_ROOT}/assets/${name.replace(/\.(\w+)$/, `-${hash}.$1`)}`;
    files.set(url, content);
    return url;
  };
  const index = searchIndex(
    rendered.map(({ page, rendered: { sections } }) => ({ page, sections })),
  );
  const pageFiles: PageFiles = {
    theme: add('theme.js', required(browserFiles, 'theme.js')),
    script: add('site.js', required(browserFiles, 'site.js')),
    style: add('site.css', required(browserFiles, 'site.css')),
    icon: add('icon.svg', required(browserFiles, 'icon.svg')),
    searchIndex: add('search.json', index),
  };
  addPages(files, rendered, pageFiles, openApi.info.version);
  addPictures(files, root);
  files.set('/llms.txt', llmsText(pages, openApi.info.version));
  const broken = findBrokenLinks(files);
  if (broken.length > 0) throw new Error(`These links lead to nothing:\n${broken.join('\n')}`);
  return files;
}

interface RenderedPage {
  readonly page: SitePage;
  readonly rendered: RenderedMarkdown;
}

function addPages(
  files: Map<string, string | Uint8Array>,
  all: readonly RenderedPage[],
  pageFiles: PageFiles,
  version: string,
): void {
  const pages = all.map(({ page }) => page);
  for (const [index, { page, rendered }] of all.entries()) {
    const html = htmlPage({
      page,
      rendered,
      navigation: navigationHtml(pages, page),
      previous: pages[index - 1] ?? null,
      next: pages[index + 1] ?? null,
      files: pageFiles,
      version,
    });
    files.set(pageUrl(page.path), html);
    files.set(markdownUrl(page.path), page.markdown);
  }
}

/** Adds the pictures that pages show. */
function addPictures(files: Map<string, string | Uint8Array>, root: string): void {
  const shown = new Set<string>();
  for (const content of files.values()) {
    if (typeof content !== 'string') continue;
    for (const [, name = ''] of content.matchAll(/src="\/docs\/pictures\/([\w-]+\.png)"/g)) {
      shown.add(name);
    }
  }
  for (const name of shown) {
    files.set(
      `${SITE_ROOT}/pictures/${name}`,
      readFileSync(join(root, 'docs/pictures', basename(name))),
    );
  }
}

function required(files: ReadonlyMap<string, string>, name: string): string {
  const content = files.get(name);
  if (content === undefined) throw new Error(`The browser's part of the site has no ${name}.`);
  return content;
}
