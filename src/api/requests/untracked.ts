import { ApiError } from '../../model/errors.ts';
import type { TrackedFigures } from '../../model/social-reads.ts';

export const UNTRACKED =
  'Posts of this token are not collected: the token is unknown, or has neither left its ' +
  'launchpad nor locked its liquidity yet.';

/** Throws ApiError 404 for a token whose posts are not collected. */
export function assertTracked(tracked: TrackedFigures | null): asserts tracked is TrackedFigures {
  if (tracked === null) throw new ApiError(404, UNTRACKED);
}
