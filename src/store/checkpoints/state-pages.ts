import type { PageStore } from '../../lib/pages/page-store.ts';
import type { RecordStore } from '../../model/record-store.ts';

/** Pages and objects of a state as records. */
export function statePages(records: RecordStore): PageStore {
  return {
    read: (space, id) => records.read(space, id),
    put: (space, id, bytes) => {
      if (bytes === null) records.delete(space, id);
      else records.put(space, id, bytes);
    },
    putAsOf: (space, id, bytes) => {
      if (bytes === null) records.deleteAsOf(space, id);
      else records.putAsOf(space, id, bytes);
    },
  };
}
