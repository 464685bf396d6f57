/**
 * Cropper's pools: the concentrated ones of program H8W3ctz9…, which is another deployment of
 * Orca's Whirlpools, and the older token swaps of program CTMAxxk3….
 */
import { whirlpoolReaders } from '../families/whirlpool.ts';
import { whirlpoolLayout } from '../families/whirlpool-layout.ts';
import { legsOnlyDecoder } from '../legs/legs-only.ts';
import { venueDecoder } from '../legs/program-decoder.ts';

export const cropperClmm = venueDecoder({
  name: 'cropper_clmm',
  programId: 'H8W3ctz92svYg6mkn1UtGfu2aQr2fnUFHM1RhScEtQDt',
  layout: whirlpoolLayout,
  readers: whirlpoolReaders,
});

/**
 * The pool is the first account. The positions of the other accounts of a swap are not public: a
 * swap is recognised by two crossing transfers, which deposits and withdrawals do not have.
 */
export const cropper = legsOnlyDecoder({
  name: 'cropper',
  programId: 'CTMAxxk34HjKWxQ3QLZK1HpaLXmBveao3ESePXbiyfzh',
  swaps: [],
  recognisedPool: 0,
});
