import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../../lib/transient-error.ts';
import { CheckpointFolder, slotOfManifest } from '../checkpoints/checkpoint-folder.ts';
import { createFileAccess } from '../checkpoints/file-access.ts';
import { segmentOf } from '../checkpoints/segment-files.ts';

/**
 * The newest segments are copied, because the service may still append to them: always to the
 * newest, and to those before it once a device that refused to write recovers.
 */
const COPIED_SEGMENTS = 3;

/**
 * Links the checkpoints of a fold into a new folder, while a service may be writing others. Returns
 * the number of files. Those that the service removes meanwhile are left out. Errors are those of
 * the operating system.
 */
export function linkState(from: string, to: string): number {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  if (!existsSync(from)) return 0;
  // Before the segments: what a checkpoint needs is in its files before it has its name.
  const manifests = readdirSync(from).filter((name) => slotOfManifest(name) !== null);
  for (const name of manifests) ifStillThere(() => linkSync(join(from, name), join(to, name)));
  const segments = readdirSync(from).filter((name) => segmentOf(name) !== null);
  const newest = Math.max(...segments.map((name) => segmentOf(name) ?? 0));
  for (const name of segments) {
    const isCopied = (segmentOf(name) ?? 0) > newest - COPIED_SEGMENTS;
    const take = isCopied ? copyFileSync : linkSync;
    ifStillThere(() => take(join(from, name), join(to, name)));
  }
  removeIncomplete(to);
  return readdirSync(to).length;
}

/** Removes checkpoints whose segments are not there. */
function removeIncomplete(folder: string): void {
  const checkpoints = new CheckpointFolder(createFileAccess(folder));
  for (const name of checkpoints.names()) {
    const manifest = checkpoints.read(name);
    const isWhole = manifest !== null && checkpoints.missingSegment(manifest.description) === null;
    if (!isWhole) rmSync(join(folder, name));
  }
}

function ifStillThere(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'ENOENT') throw error;
  }
}
