/** Saber stable pools, program SSwpkEEc…. */
import type { Address } from '../../model/units.ts';
import { SABER_STABLE_SWAP, tokenSwapDecoder } from '../families/token-swap.ts';

export const saber = tokenSwapDecoder(
  'saber',
  'SSwpkEEcbUqx4vtoEByFjSkhKdCT862DNVb52nZg1UZ' as Address,
  SABER_STABLE_SWAP,
);
