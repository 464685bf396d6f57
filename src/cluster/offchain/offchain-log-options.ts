import type { Lease } from '../lease.ts';
import type { StepLog } from '../step-log.ts';
import type { StreamEndOptions } from './stream-end.ts';

export interface OffchainLogOptions extends StreamEndOptions {
  readonly log: StepLog | Promise<StepLog>;
  /** Name of the stream, for sentences. */
  readonly name: string;
  /** Name of this replica. */
  readonly writer: string;
  /** The lease of the gatherer; null for a replica that only stores, and until it is known. */
  readonly lease: () => Pick<Lease, 'isHeld' | 'confirm'> | null;
  readonly onNotice: (sentence: string) => void;
  /** This replica stores nothing more, for this reason. */
  readonly onStopped: (sentence: string) => void;
  /** Between attempts to begin to gather, and to reach servers that do not answer. */
  readonly retryMs?: number;
}
