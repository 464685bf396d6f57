import { promisify } from 'node:util';
import { gzip, zstdCompress } from 'node:zlib';
import type { SimulatedBlock } from '../chain/simulated-transaction.ts';
import { blockText } from './format-block.ts';
import type { TransactionEncoding } from './format-transaction.ts';
import { type FileOutput, WholeFiles, type WriteOutcome } from './whole-files.ts';

export const COMPRESSIONS = ['gz', 'zst'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

export interface BlockFilesOptions {
  /** Must exist and be writable. */
  readonly folder: string;
  readonly encoding: TransactionEncoding;
  readonly compression: Compression | null;
  /** With 1, each file contains the answer to `getBlock`; with more, one block per line. */
  readonly blocksPerFile: number;
}

const OK: WriteOutcome = { status: 'ok' };

/**
 * Writes blocks into a folder that `replay` reads, each file atomically:
 *
 *     block_400000000.json        the answer to getBlock
 *     blocks_400000000.jsonl      {"slot":400000000,"block":{…}} line by line, named by the first
 *   slot
 */
export class BlockFiles {
  /** Number of blocks in complete files, and the slot of the last of them. */
  blocks = 0;
  lastSlot: number | null = null;
  readonly files: WholeFiles;
  private readonly options: BlockFilesOptions;
  private waiting: { readonly slot: number; readonly text: string }[] = [];

  constructor(options: BlockFilesOptions, output?: FileOutput) {
    this.options = options;
    this.files = new WholeFiles(options.folder, output);
  }

  async add(block: SimulatedBlock): Promise<WriteOutcome> {
    const { encoding, blocksPerFile } = this.options;
    this.waiting.push({ slot: block.slot, text: blockText(block, encoding) });
    return this.waiting.length < blocksPerFile ? OK : await this.finish();
  }

  /** Writes the blocks of an incomplete last file. */
  async finish(): Promise<WriteOutcome> {
    const { waiting } = this;
    const [first] = waiting;
    const last = waiting.at(-1);
    if (first === undefined || last === undefined) return OK;
    this.waiting = [];
    const isAlone = this.options.blocksPerFile === 1;
    const outcome = await this.write(
      isAlone ? `block_${nameOf(first.slot)}.json` : `blocks_${nameOf(first.slot)}.jsonl`,
      isAlone ? first.text : waiting.map(lineOf).join(''),
    );
    if (outcome.status === 'ok') {
      this.blocks += waiting.length;
      this.lastSlot = last.slot;
    }
    return outcome;
  }

  private async write(name: string, text: string): Promise<WriteOutcome> {
    const { compression } = this.options;
    const plain = Buffer.from(text);
    if (compression === null) return await this.files.write(name, plain);
    return await this.files.write(`${name}.${compression}`, await compress(compression, plain));
  }
}

const gzipped = promisify(gzip);
const zstdCompressed = promisify(zstdCompress);

async function compress(compression: Compression, content: Uint8Array): Promise<Uint8Array> {
  return compression === 'gz' ? await gzipped(content) : await zstdCompressed(content);
}

function lineOf({ slot, text }: { readonly slot: number; readonly text: string }): string {
  return `{"slot":${slot},"block":${text}}\n`;
}

/** Nine digits: names sort like slots, and readers recognise the number as a slot. */
function nameOf(slot: number): string {
  return String(slot).padStart(9, '0');
}
