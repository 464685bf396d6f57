import { existsSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  INDEX_FILE,
  isTapeOf,
  type Tape,
  type TapeBlock,
  type TapeHead,
  type TapePlan,
  UNFINISHED_INDEX_FILE,
} from './live-tape.ts';

const CHUNK_BYTES = 2 ** 20;
const NEWLINE = 10;
/** The index of a tape that is being made is written every few blocks. */
const WRITTEN_WITHIN_MS = 20_000;

/**
 * Whether a folder holds a tape that can be played for `plan`: a complete one, or one that another
 * run makes and that has `blocksAhead` blocks. Throws when that one is another tape, or shorter: it
 * must not be removed.
 */
export async function isPlayable(
  folder: string,
  plan: TapePlan,
  blocksAhead: number,
): Promise<boolean> {
  const tape = await OpenTape.open(folder);
  await tape?.close();
  if (tape?.isComplete === true && isTapeOf(tape, plan)) return true;
  if (!isBeingMade(folder)) return false;
  if (tape !== null && isTapeOf(tape, { ...plan, blocks: blocksAhead })) return true;
  throw new Error(`another run makes blocks in ${folder}; wait for it, or take another folder`);
}

/** Whether a process makes a tape in this folder. */
function isBeingMade(folder: string): boolean {
  const index = statSync(join(folder, UNFINISHED_INDEX_FILE), { throwIfNoEntry: false });
  return index !== undefined && Date.now() - index.mtimeMs < WRITTEN_WITHIN_MS;
}

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
