import type { SnapshotDraft } from '../store/snapshots/snapshots.ts';
import type { ShadowStart } from './shadow-fold.ts';

/** What the process of a shadow fold is asked, one thing after the other: `begin` first, once. */
export type ShadowRequest =
  | { readonly kind: 'begin'; readonly start: ShadowStart }
  | { readonly kind: 'fold'; readonly encoded: readonly string[] }
  | { readonly kind: 'write' };

/** What became of a request. */
export type ShadowOutcome =
  | { readonly kind: 'ready' | 'folded' }
  | { readonly kind: 'written'; readonly draft: SnapshotDraft }
  | {
      readonly kind: 'failed';
      readonly isBaseUnreadable: boolean;
      readonly isTransient: boolean;
      readonly message: string;
    };

/** The one answer to a request. */
export interface ShadowAnswer {
  readonly outcome: ShadowOutcome;
  /** Resident memory of the process when it answered. */
  readonly residentBytes: number;
}
