import { globSync } from 'node:fs';
import type { Group } from '../site-page.ts';

/** Markdown documents outside of docs/ that are pages, and their paths. */
const AT_ROOT: Readonly<Record<string, string>> = {
  'README.md': 'readme',
  'CHANGELOG.md': 'changelog',
  'ARCHITECTURE.md': 'architecture',
  'CONTRIBUTING.md': 'contributing',
};

/** Groups of the documents that lie directly in docs/ or at the root, by path. */
const GROUP_OF: Readonly<Record<string, Group>> = {
  index: 'Start',
  readme: 'Start',
  install: 'Operation',
  operations: 'Operation',
  'first-hour': 'Operation',
  glossary: 'Reference',
  'api-stability': 'API',
  'installed-detectors': 'Reference',
  rules: 'Reference',
  'typescript-client': 'API',
  'python-client': 'API',
  changelog: 'Project',
  architecture: 'Project',
  contributing: 'Project',
};

const GROUP_OF_FOLDER: Readonly<Record<string, Group>> = {
  guides: 'Guides',
  products: 'Products',
  quality: 'Quality',
  decisions: 'Decisions',
};

/** Files of the repository that are pages, and their paths on the site. */
export type Documents = ReadonlyMap<string, string>;

/** All Markdown documents below `root` that are pages, by file. */
export function findDocuments(root: string): Documents {
  const inDocs = globSync('docs/**/*.md', { cwd: root, exclude: ['docs/dist/**'] });
  const files = [...Object.keys(AT_ROOT), ...inDocs.toSorted()];
  return new Map(files.map((file) => [file, documentPath(file)]));
}

/** `docs/products/fraud.md` → `products/fraud`; a README is the page of its folder. */
function documentPath(file: string): string {
  return AT_ROOT[file] ?? file.replace(/^docs\//, '').replace(/(\/README)?\.md$/, '');
}

/** Throws for a document that no group expects, so that none is left out of the navigation. */
export function groupOf(path: string): Group {
  const group = GROUP_OF[path] ?? GROUP_OF_FOLDER[path.split('/', 1)[0] ?? ''];
  if (group === undefined) {
    throw new Error(`No group of the documentation has "${path}": add it to GROUP_OF in ${FILE}.`);
  }
  return group;
}

const FILE = 'site/documents/documents.ts';
