/** Why nothing is written now. */
export const UNAVAILABLE =
  'The servers that replicas agree through do not answer, so that nothing can be changed now: try again, a change that was recorded is found then.';

/** Why a folder does not join others; what to do follows. */
export const OWN_ROWS =
  'This data folder has triggers, webhooks, reviews or rules of its own, and other replicas have theirs.';

/** Why a change stays out that a later version made. */
export function newer(change: string, schema: number, known: number): string {
  return `${change} is of a newer version (tables ${schema}, this replica has ${known}): upgrade this replica.`;
}
