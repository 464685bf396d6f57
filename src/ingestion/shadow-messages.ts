import type { SnapshotDraft } from '../store/snapshots.ts';

/** What the thread of a shadow fold is asked, one thing after the other. */
export type ShadowRequest =
  | { readonly kind: 'fold'; readonly encoded: readonly string[] }
  | { readonly kind: 'write' };

/** What it answers: `ready` once, unasked, when it may be asked; then one answer to each request. */
export type ShadowAnswer =
  | { readonly kind: 'ready' | 'folded' }
  | { readonly kind: 'written'; readonly draft: SnapshotDraft }
  | { readonly kind: 'failed'; readonly isBaseUnreadable: boolean; readonly message: string };
