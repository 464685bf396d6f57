import type { Awaitable } from '../../lib/awaitable.ts';
import type { SharedRows } from '../../model/shared-rows.ts';

/** How the tables that replicas share are written. */
export interface ControlWrites {
  /**
   * Makes a change that touches no other rows than these. `work` may be repeated. Rejects with
   * ApiError 503 while replicas cannot agree.
   */
  write<Result>(rows: readonly SharedRows[], work: () => Result): Awaitable<Result>;
}

/** Of a single process: the work is the write. */
export const OWN_WRITES: ControlWrites = { write: (_, work) => work() };
