import type { Moment } from '../../fold/market/logical-time.ts';
import type { TokenBook } from '../../fold/market/tokens.ts';
import type { AccountObservation } from '../../model/account-observation.ts';

/** Adds what an account showed to its token, after the transactions of the slot it stands in. */
export function foldObservation(
  tokens: TokenBook,
  observation: AccountObservation,
  at: Moment,
): void {
  if (observation.kind === 'mintObserved') tokens.applyMintObserved(observation, at);
  else tokens.applyMetadataObserved(observation, at);
}
