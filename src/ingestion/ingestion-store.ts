import type { Store } from '../store/store.ts';

/** The part of the store used by ingestion. */
export interface IngestionStore {
  readonly log: Pick<Store['log'], 'read' | 'find' | 'firstTimed'>;
  readonly logStart: Pick<Store['logStart'], 'slot' | 'advance'>;
  readonly removal: Pick<Store['removal'], 'remove' | 'removeBefore'>;
  readonly writer: Pick<Store['writer'], 'writeBatch' | 'writeRestored'>;
  readonly epochs: Pick<Store['epochs'], 'prepare'>;
  readonly layers: Pick<Store['layers'], 'lost' | 'lastShown' | 'cover' | 'merge' | 'retain'>;
  readonly cursor: Pick<Store['cursor'], 'read' | 'write' | 'readRules' | 'writeRules'>;
  readonly gaps: Pick<Store['gaps'], 'gaps' | 'ranges' | 'counts' | 'isEmpty'>;
}
