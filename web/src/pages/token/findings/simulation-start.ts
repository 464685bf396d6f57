/** Length of a slot of the simulated market that `start` serves. */
const SLOT_MS = 400;

/**
 * When the simulated market began. It begins with a whole second, and the time of a block is known
 * without its fraction: the first whole second from which the slot is in its second.
 */
export function simulationStartMs(
  firstSlot: number,
  known: { readonly slot: number; readonly at: string },
): number {
  const earliestMs = Date.parse(known.at) - (known.slot - firstSlot) * SLOT_MS;
  return Math.ceil(earliestMs / 1_000) * 1_000;
}
