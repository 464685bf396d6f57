import type { Address } from '../../model/units.ts';

/**
 * Programs without a decoder that exchange tokens by transfers but have no pools. All versions of
 * Raydium's farms: a staker who adds to a stake is paid the accrued reward by the same authority,
 * and their instructions have numbers instead of names.
 */
const NO_POOL_PROGRAMS: ReadonlySet<string> = new Set([
  'EhhTKczWMGQt46ynNeRX1WfeagwwJd7ufHvCDjRxjo5Q',
  'CBuCnLe26faBpcBP2fktp4rp8abpcAnTWft6ZrP5Q4T',
  '9KEPoZmtHUrBbhWN1v1KWLMkkvwY6WLtAVUCPRtRjP4z',
  'FarmqiPv5eAj3j1GMdMCMUGXqPUvmquZtMy86QH6rzhG',
]);

export function hasNoPools(programId: Address): boolean {
  return NO_POOL_PROGRAMS.has(programId);
}
