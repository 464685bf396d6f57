import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { FileContent } from '../../src/lib/hash-file.ts';
import type { BlobStore } from '../../src/store/blobs/blob-store.ts';

export type BlobStep = 'put' | 'get' | 'list' | 'delete';

/** A place of blobs in memory, as one process sees it. */
export class MemoryBlobs implements BlobStore {
  readonly name = 'memory';
  readonly objects: Map<string, Buffer>;
  private readonly before: (step: BlobStep, key: string) => Promise<void> | void;

  /** `before` is called before each step, and rejects where it fails. */
  constructor(
    objects: Map<string, Buffer> = new Map(),
    before: (step: BlobStep, key: string) => Promise<void> | void = () => undefined,
  ) {
    this.objects = objects;
    this.before = before;
  }

  async put(key: string, path: string): Promise<void> {
    const content = readFileSync(path);
    await this.before('put', key);
    this.objects.set(key, content);
  }

  async get(key: string, path: string): Promise<FileContent | null> {
    await this.before('get', key);
    const content = this.objects.get(key);
    if (content === undefined) return null;
    writeFileSync(path, content, { flag: 'wx' });
    return { bytes: content.length, sha256: sha256Of(content) };
  }

  async list(prefix: string): Promise<readonly string[]> {
    await this.before('list', prefix);
    return [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  }

  async delete(key: string): Promise<void> {
    await this.before('delete', key);
    this.objects.delete(key);
  }
}

export function sha256Of(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
