import type { ChainBlock } from '../../../model/transaction.ts';
import type { LinkedBlock } from '../../block-stream.ts';

/** The part of a node's answer on a slot that is compared with other answers. */
export interface Testimony {
  readonly blockhash: string;
  /** Equal for all nodes that report the same facts, independent of the encoding. */
  readonly digest: string;
  /** Number of contradictions within the block: 0 or few for a genuine one. */
  readonly faults: number;
}

/** How versions of one block are compared; the comparison does not depend on decoding. */
export interface BlockReading {
  /** Equals the `digest` in the testimony of the same block. */
  readonly digestOf: (item: LinkedBlock['item']) => string;
  readonly testimonyOf: (block: ChainBlock) => Testimony;
}

/** Which blocks are requested a second time; `sample`: some, and all that look odd. */
export const COMPARE_MODES = ['all', 'sample', 'off'] as const;
export type CompareMode = (typeof COMPARE_MODES)[number];

/** The origin of a block: a node, or a stream, which cannot be queried again. */
export interface BlockWitness {
  readonly label: string;
}
