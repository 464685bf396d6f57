import type { ChainBlock } from '../../../model/transaction.ts';
import type { LinkedBlock } from '../../block-stream.ts';

/** What a node tells of a slot, as far as it is held against what others tell. */
export interface Testimony {
  readonly blockhash: string;
  /** The same for everybody who tells the same facts, whatever the encoding. */
  readonly digest: string;
  /** What in the block contradicts itself: 0 or few for a true one. */
  readonly faults: number;
}

/** How tellings of one block are held against each other; comparing knows nothing of decoding. */
export interface BlockReading {
  /** As the testimony of the same block has it. */
  readonly digestOf: (item: LinkedBlock['item']) => string;
  readonly testimonyOf: (block: ChainBlock) => Testimony;
}

/** Of which blocks a second telling is asked for; `sample`: of some, and of all that look odd. */
export const COMPARE_MODES = ['all', 'sample', 'off'] as const;
export type CompareMode = (typeof COMPARE_MODES)[number];

/** Who told of a block: a node, or a stream, which is not asked again. */
export interface PostEmitter {
  readonly label: string;
}
