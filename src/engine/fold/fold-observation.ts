import type { Moment } from '../../fold/market/logical-time.ts';
import type { TokenBook } from '../../fold/market/tokens.ts';
import type { AccountObservation } from '../../model/account-observation.ts';

/** Applies an observed account to its token, after the transactions of its slot. */
export function foldObservation(
  tokens: TokenBook,
  observation: AccountObservation,
  at: Moment,
): void {
  if (observation.kind === 'mintObserved') tokens.applyMintObserved(observation, at);
  else tokens.applyMetadataObserved(observation, at);
}
