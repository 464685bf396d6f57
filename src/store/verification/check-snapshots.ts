import { DamagedFileError } from '../snapshots/snapshot-file.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import type { Finding } from './finding.ts';

/** Reads a snapshot to its end. Null: it is intact. */
export function checkSnapshot(snapshots: Pick<Snapshots, 'open'>, name: string): Finding | null {
  try {
    const snapshot = snapshots.open(name);
    try {
      for (const _ of snapshot.chunks);
    } finally {
      snapshot.close();
    }
    return null;
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error;
    return { kind: 'snapshot-damaged', name, why: error.message };
  }
}
