import type { SnapshotDraft } from '../store/snapshots/snapshots.ts';
import type { ShadowStart } from './shadow-fold.ts';

/** Requests to the process of a shadow fold, one at a time: first `begin`, once. */
export type ShadowRequest =
  | { readonly kind: 'begin'; readonly start: ShadowStart }
  | { readonly kind: 'fold'; readonly encoded: readonly string[] }
  | { readonly kind: 'write' };

/** Result of a request. */
export type ShadowOutcome =
  | { readonly kind: 'ready' | 'folded' }
  | { readonly kind: 'written'; readonly draft: SnapshotDraft }
  | {
      readonly kind: 'failed';
      readonly isBaseUnreadable: boolean;
      readonly isTransient: boolean;
      readonly message: string;
    };

/** The answer to a request. */
export interface ShadowAnswer {
  readonly outcome: ShadowOutcome;
  /** Resident memory of the process at the time of the answer. */
  readonly residentBytes: number;
}
