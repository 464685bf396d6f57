import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  INDEX_FILE,
  type Tape,
  type TapeBlock,
  type TapeHead,
  UNFINISHED_INDEX_FILE,
} from './live-tape.ts';

const CHUNK_BYTES = 2 ** 20;
const NEWLINE = 10;

/** A tape as far as it was made: `readOn` adds the blocks that were made since. */
export class OpenTape implements Tape {
  readonly folder: string;
  readonly config: Tape['config'];
  readonly warmupSlots: number;
  readonly mix: Tape['mix'];
  readonly accounts: Tape['accounts'];
  readonly blocks: TapeBlock[] = [];
  /** Whether `blocks` are all blocks of the tape. */
  isComplete = false;
  private readonly lines: LineReader;

  private constructor(
    folder: string,
    { config, warmupSlots, mix, accounts }: TapeHead,
    lines: LineReader,
  ) {
    this.folder = folder;
    this.config = config;
    this.warmupSlots = warmupSlots;
    this.mix = mix;
    this.accounts = accounts;
    this.lines = lines;
  }

  /** Null when the folder holds no tape, or none whose first line was written. */
  static async open(folder: string): Promise<OpenTape | null> {
    const name = [INDEX_FILE, UNFINISHED_INDEX_FILE].find((each) => existsSync(join(folder, each)));
    if (name === undefined) return null;
    const lines = new LineReader(await open(join(folder, name)));
    const head = await lines.next();
    if (head === null) {
      await lines.close();
      return null;
    }
    const tape = new OpenTape(folder, JSON.parse(head) as TapeHead, lines);
    await tape.readOn();
    return tape;
  }

  async readOn(): Promise<void> {
    if (this.isComplete) return;
    // Asked before the lines are read: a complete index gets no more of them.
    const isComplete = existsSync(join(this.folder, INDEX_FILE));
    for (;;) {
      const line = await this.lines.next();
      if (line === null) break;
      this.blocks.push(JSON.parse(line) as TapeBlock);
    }
    this.isComplete = isComplete;
    if (isComplete) await this.lines.close();
  }

  /** Ends reading a tape that is not complete. */
  async close(): Promise<void> {
    if (!this.isComplete) await this.lines.close();
  }
}

/** Reads a file that grows, line by line. */
class LineReader {
  private readonly file: FileHandle;
  private readonly chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  private rest: Buffer = Buffer.alloc(0);

  constructor(file: FileHandle) {
    this.file = file;
  }

  /** The next whole line without its end, null while there is none. */
  async next(): Promise<string | null> {
    let end = this.rest.indexOf(NEWLINE);
    while (end < 0) {
      const { bytesRead } = await this.file.read(this.chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) return null;
      const searched = this.rest.length;
      this.rest = Buffer.concat([this.rest, this.chunk.subarray(0, bytesRead)]);
      end = this.rest.indexOf(NEWLINE, searched);
    }
    const line = this.rest.toString('utf8', 0, end);
    this.rest = this.rest.subarray(end + 1);
    return line;
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
