import { readFileSync } from 'node:fs';

const COMMIT = /^[0-9a-f]{40}$/;

/**
 * The commit that runs: from the file `build-commit.txt` that a package may have at its root, or
 * from the clone that contains this file. Null if neither says so.
 */
export function buildCommit(): string | null {
  const root = new URL('../../', import.meta.url);
  const stated = read(new URL('build-commit.txt', root));
  if (stated !== null) return asCommit(stated);
  const head = read(new URL('.git/HEAD', root));
  if (head === null) return null;
  const [, name] = /^ref: (refs\/[\w./-]+)$/.exec(head) ?? [];
  if (name === undefined) return asCommit(head);
  const own = read(new URL(`.git/${name}`, root));
  return own === null ? packed(read(new URL('.git/packed-refs', root)), name) : asCommit(own);
}

function packed(refs: string | null, name: string): string | null {
  const line = refs?.split('\n').find((each) => each.endsWith(` ${name}`));
  return line === undefined ? null : asCommit(line.slice(0, 40));
}

function asCommit(text: string): string | null {
  return COMMIT.test(text) ? text : null;
}

function read(file: URL): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
