import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostLedger } from '../posts/post-ledger.ts';
import type { FeedEntry } from '../posts/social-post.ts';
import { postLedgerLines, postLine, postTruthLine } from './format-post.ts';
import type { WriteOutcome } from './whole-files.ts';

/** Characters buffered before they are written. */
const BUFFER_CHARS = 256 * 1024;
const OK: WriteOutcome = { status: 'ok' };

/**
 * Writes a feed into a folder as it arrives, in bounded memory: `posts.jsonl`, `post-truth.jsonl`
 * and at the end `post-ledger.jsonl`, each under a hidden name until it is complete. After a
 * failure nothing more is written, and every later call returns that failure.
 */
export class PostFiles {
  /** Number of records so far. */
  records = 0;
  private readonly posts: GrowingFile;
  private readonly truth: GrowingFile;
  private readonly ledger: GrowingFile;

  /** The folder must exist. */
  constructor(folder: string) {
    this.posts = new GrowingFile(folder, 'posts.jsonl');
    this.truth = new GrowingFile(folder, 'post-truth.jsonl');
    this.ledger = new GrowingFile(folder, 'post-ledger.jsonl');
  }

  async add(entries: readonly FeedEntry[]): Promise<WriteOutcome> {
    for (const entry of entries) {
      const outcome = await both(
        () => this.posts.add(postLine(entry.record)),
        () => this.truth.add(postTruthLine(entry)),
      );
      if (outcome.status === 'failed') return outcome;
      this.records++;
    }
    return OK;
  }

  /** Writes the ledger and renames the files to their final names. */
  async finish(ledger: PostLedger): Promise<WriteOutcome> {
    for (const line of postLedgerLines(ledger)) {
      const outcome = await this.ledger.add(line);
      if (outcome.status === 'failed') return outcome;
    }
    for (const file of [this.posts, this.truth, this.ledger]) {
      const outcome = await file.finish();
      if (outcome.status === 'failed') return outcome;
    }
    return OK;
  }
}

async function both(
  first: () => Promise<WriteOutcome>,
  second: () => Promise<WriteOutcome>,
): Promise<WriteOutcome> {
  const outcome = await first();
  return outcome.status === 'failed' ? outcome : await second();
}

/** A file that is appended to under a hidden name and renamed when it is complete. */
class GrowingFile {
  private readonly path: string;
  private readonly unfinished: string;
  private handle: FileHandle | null = null;
  private buffer = '';
  private failure: WriteOutcome | null = null;

  constructor(folder: string, name: string) {
    this.path = join(folder, name);
    this.unfinished = join(folder, `.${name}.unfinished`);
  }

  async add(text: string): Promise<WriteOutcome> {
    if (this.failure !== null) return this.failure;
    this.buffer += text;
    return this.buffer.length < BUFFER_CHARS ? OK : await this.attempt(() => this.flush());
  }

  async finish(): Promise<WriteOutcome> {
    return await this.attempt(async () => {
      await this.flush();
      await this.handle?.close();
      this.handle = null;
      await rename(this.unfinished, this.path);
    });
  }

  private async flush(): Promise<void> {
    this.handle ??= await open(this.unfinished, 'w');
    await this.handle.appendFile(this.buffer);
    this.buffer = '';
  }

  /** Errors of the disk become the outcome; the partial file is removed. */
  private async attempt(action: () => Promise<void>): Promise<WriteOutcome> {
    if (this.failure !== null) return this.failure;
    try {
      await action();
      return OK;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.failure = { status: 'failed', path: this.path, message: error.message };
    }
    this.buffer = '';
    await this.abandon();
    return this.failure;
  }

  /**
   * A disk that rejected the file may also fail to remove its partial copy; readers ignore that
   * copy.
   */
  private async abandon(): Promise<void> {
    try {
      await this.handle?.close();
      await rm(this.unfinished, { force: true });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  }
}
