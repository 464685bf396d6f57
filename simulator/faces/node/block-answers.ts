import type { SimulatedBlock } from '../../chain/simulated-transaction.ts';
import { type BlockFormat, formatBlock } from '../format-block.ts';
import {
  type Formatted,
  formatTransaction,
  type TransactionFormat,
} from '../format-transaction.ts';
import type { TransactionPlace } from './block-window.ts';
import { withChangedPrograms } from './changed-programs.ts';
import {
  twinOf,
  withoutInnerInstructions,
  withoutLoadedAddresses,
  withoutMeta,
  withTruncatedLogs,
} from './damage.ts';
import type { Faults } from './faults.ts';
import { RpcError } from './rpc-error.ts';

/** Characters of whole blocks cached for further clients with the same request. */
const KEPT_CHARS_MAX = 32 * 1024 * 1024;

/** Formats blocks and transactions as JSON and applies the configured faults. */
export class BlockAnswers {
  private readonly faults: Faults;
  private readonly texts = new Map<string, string>();
  private keptChars = 0;

  constructor(faults: Faults) {
    this.faults = faults;
  }

  /** The block shown to a client for a slot while the newest block is `headSlot`. */
  shown(block: SimulatedBlock, headSlot: number): SimulatedBlock {
    const { slot } = block;
    const changed = withChangedPrograms(block, this.faults.settings.changedPrograms);
    const isEarly = headSlot < slot + this.faults.settings.equivocationSlots;
    return isEarly && this.faults.strikes('equivocation', `slot ${slot}`)
      ? twinOf(changed)
      : changed;
  }

  /**
   * A block's text; that of a whole block is cached. Throws RpcError -32015 for a block with
   * transactions of a version the client does not support.
   */
  blockText(block: SimulatedBlock, format: BlockFormat, key: string, isWhole = true): string {
    const damaged = this.damaged(block, format, key);
    if (damaged !== null) return damaged;
    const changed = JSON.stringify(this.faults.settings.changedPrograms);
    const name = `${block.slot} ${block.blockhash} ${JSON.stringify(format)} ${changed}`;
    const known = isWhole ? this.texts.get(name) : undefined;
    if (known !== undefined) return known;
    const text = JSON.stringify(writtenOf(formatBlock(block, format)));
    if (!isWhole) return text;
    this.keep(name, text);
    return text;
  }

  transactionText({ block, txIndex }: TransactionPlace, format: TransactionFormat): string {
    const shown = withChangedPrograms(block, this.faults.settings.changedPrograms);
    const transaction = shown.transactions[txIndex];
    if (transaction === undefined) return 'null';
    return JSON.stringify(writtenOf(formatTransaction(shown, transaction, format)));
  }

  /** Null if no fault applies. */
  private damaged(block: SimulatedBlock, format: BlockFormat, key: string): string | null {
    const { faults } = this;
    const hits = DAMAGES.filter((fault) => faults.strikes(fault, key));
    const isTruncated = faults.strikes('logTruncation', key);
    if (hits.length === 0 && !isTruncated) return null;
    const source = isTruncated ? withTruncatedLogs(block, faults.settings.logLimitBytes) : block;
    let value = writtenOf(formatBlock(source, format));
    for (const fault of hits) value = DAMAGE[fault](value, faults.details(fault, key));
    return JSON.stringify(value);
  }

  private keep(name: string, text: string): void {
    this.texts.set(name, text);
    this.keptChars += text.length;
    for (const [oldest, { length }] of this.texts) {
      if (this.keptChars <= KEPT_CHARS_MAX) return;
      this.texts.delete(oldest);
      this.keptChars -= length;
    }
  }
}

const DAMAGE = {
  metaNull: withoutMeta,
  innerInstructionsNull: withoutInnerInstructions,
  loadedAddressesMissing: withoutLoadedAddresses,
} as const;
const DAMAGES = Object.keys(DAMAGE) as (keyof typeof DAMAGE)[];

function writtenOf(formatted: Formatted): object {
  if (formatted.status === 'refused') throw new RpcError(formatted.code, formatted.message);
  return formatted.answer;
}
