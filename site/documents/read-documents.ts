import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { summarise } from '../markdown/summarise.ts';
import type { SitePage } from '../site-page.ts';
import { findDocuments, groupOf } from './documents.ts';
import { rewriteLinks } from './rewrite-links.ts';

/** The pages that are written by hand. */
export function readDocuments(root: string): readonly SitePage[] {
  const documents = findDocuments(root);
  return [...documents].map(([file, path]) => {
    const text = readFileSync(join(root, file), 'utf8');
    const markdown = rewriteLinks(text, file, documents);
    return { path, group: groupOf(path), ...summarise(markdown, file), markdown };
  });
}
