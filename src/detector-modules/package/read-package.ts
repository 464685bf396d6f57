import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats } from 'node:fs';
import { isAbsolute, join, posix, resolve } from 'node:path';
import { UsageError } from '../../model/errors.ts';
import type { DetectorPackage, PackageFile } from './detector-package.ts';

const FILES_MAX = 200;
const BYTES_MAX = 2 * 1_024 * 1_024;
const DEPTH_MAX = 16;
const NAME = /^mintscope-detector-[a-z0-9]+(?:-[a-z0-9]+)*$/;
const NAME_MAX = 64;
const CODE = /\.(?:js|cjs|json)$/;

interface FoundFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/**
 * Reads a package: from a folder, if `place` is a path that begins with a dot or a slash, else the
 * package of that name among those installed in `folder`. Throws UsageError for one that cannot be
 * used. What is read is what the hash is of, so a later change of the files changes nothing.
 */
export function readPackage(place: string, folder: string): DetectorPackage {
  const root = rootOf(place, folder);
  const files = filesIn(root, place);
  const { name, version, main } = manifestOf(files, place);
  const hash = createHash('sha256');
  for (const { path, bytes } of files) {
    hash.update(`${Buffer.byteLength(path)} ${path} ${bytes.length} `).update(bytes);
  }
  return {
    ...{ name, packageVersion: version, hash: hash.digest('hex'), main },
    files: files
      .filter(({ path }) => CODE.test(path))
      .map(({ path, bytes }): PackageFile => ({ path, text: bytes.toString('utf8') })),
  };
}

function rootOf(place: string, folder: string): string {
  const isPath = place.startsWith('.') || isAbsolute(place);
  if (!isPath && !NAME.test(place)) {
    throw new UsageError(
      `"${place}" is no detector: name a folder, as ./detector, or a package mintscope-detector-*.`,
    );
  }
  const path = isPath ? resolve(folder, place) : join(resolve(folder), 'node_modules', place);
  try {
    return realpathSync(path);
  } catch (error) {
    const advice = isPath ? '' : ` Install it with "npm install --prefix ${folder} ${place}".`;
    throw new UsageError(`The detector ${place} is not at ${path}.${advice}`, { cause: error });
  }
}

/** All files, by path. Links are refused: what they lead to is not what was installed. */
function filesIn(root: string, place: string): readonly FoundFile[] {
  try {
    const paths = pathsIn(root, place).sort();
    return paths.map((path) => ({ path, bytes: readFileSync(join(root, path)) }));
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    throw new UsageError(`The detector ${place} cannot be read: ${error.message}.`, {
      cause: error,
    });
  }
}

/** Paths of all files, whose number and size are within their bounds. */
function pathsIn(root: string, place: string): string[] {
  const paths: string[] = [];
  const open = [{ within: '', depth: 0 }];
  let sizeBytes = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { within, depth } = next;
    if (depth > DEPTH_MAX) throw refused(place, `${within} is too deep`);
    for (const name of readdirSync(join(root, within))) {
      const path = posix.join(within, name);
      const stats = lstatSync(join(root, path));
      assertPlain(stats, path, place);
      if (stats.isDirectory()) {
        open.push({ within: path, depth: depth + 1 });
        continue;
      }
      sizeBytes += stats.size;
      if (sizeBytes > BYTES_MAX) throw refused(place, `it has more than ${BYTES_MAX} bytes`);
      if (paths.length === FILES_MAX) throw refused(place, `it has more than ${FILES_MAX} files`);
      paths.push(path);
    }
  }
  return paths;
}

function assertPlain(stats: Stats, path: string, place: string): void {
  if (stats.isSymbolicLink()) {
    throw refused(place, `${path} is a link, and links may lead out of it`);
  }
  if (!stats.isDirectory()) {
    if (!stats.isFile()) throw refused(place, `${path} is no file`);
  } else if (posix.basename(path) === 'node_modules') {
    throw refused(place, 'it has packages of its own: bundle them into its files');
  }
}

function manifestOf(files: readonly FoundFile[], place: string) {
  const file = files.find(({ path }) => path === 'package.json');
  if (file === undefined) throw refused(place, 'it has no package.json');
  let manifest: unknown;
  try {
    manifest = JSON.parse(file.bytes.toString('utf8'));
  } catch {
    throw refused(place, 'its package.json is no JSON');
  }
  const fields = typeof manifest === 'object' && manifest !== null ? manifest : {};
  const {
    name,
    version,
    main = 'index.js',
    dependencies,
  } = fields as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || name.length > NAME_MAX || !NAME.test(name)) {
    throw refused(place, 'its name in package.json is not mintscope-detector-…');
  }
  if (typeof version !== 'string' || version.length > NAME_MAX) {
    throw refused(place, 'its package.json has no version');
  }
  if (Object.keys(dependencies ?? {}).length > 0) {
    throw refused(place, 'it has dependencies: bundle them into its files');
  }
  const path = posix.normalize(`${main}`);
  if (!files.some((found) => found.path === path)) {
    throw refused(place, `it has no file ${path}, which its package.json names as main`);
  }
  return { name, version, main: path };
}

function refused(place: string, reason: string): UsageError {
  return new UsageError(`The detector ${place} cannot be used: ${reason}.`);
}
