import type { Address, Signature } from '../../src/model/units.ts';

/**
 * Addresses and signatures for tests of code that compares texts and never decodes them. Plain words
 * sort alphabetically and keep failed comparisons readable.
 */
export const named = (name: string) => name as Address;
export const signatureNamed = (name: string) => name as Signature;
