import { statfsSync } from 'node:fs';

/** Bytes that may be written to the file system of a path; null if it cannot be asked. */
export function freeBytesAt(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
