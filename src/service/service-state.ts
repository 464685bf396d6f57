import { StoreError } from '../model/errors.ts';
import type { Service } from './app.ts';

/** What services read of the ingestion and the store, always as it is now. */
export interface ServiceState {
  /** Throws StoreError (transient) while the engine is being replaced. */
  readonly engine: Service['ingestion']['engine'];
  /** -1 before any final slot. */
  readonly finalSlot: number;
  readonly unwritten: Service['ingestion']['point']['unwritten'];
  readonly stored: Pick<Service['store']['cursor'], 'epoch' | 'slot'>;
}

export function serviceState({
  ingestion,
  store,
}: Pick<Service, 'ingestion' | 'store'>): ServiceState {
  return {
    get engine() {
      if (ingestion.isRebuilding) {
        throw new StoreError('The current state is being computed again.', { isTransient: true });
      }
      return ingestion.engine;
    },
    get finalSlot() {
      return ingestion.status.finalSlot ?? -1;
    },
    get unwritten() {
      return ingestion.point.unwritten;
    },
    get stored() {
      const { epoch, slot } = store.cursor;
      return { epoch, slot };
    },
  };
}
