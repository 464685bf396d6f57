/** Saber stable pools, program SSwpkEEc…. */
import { saberStableSwapLayout, tokenSwapDecoder } from '../families/token-swap.ts';

export const saber = tokenSwapDecoder(
  'saber',
  'SSwpkEEcbUqx4vtoEByFjSkhKdCT862DNVb52nZg1UZ',
  saberStableSwapLayout,
);
